"""Keys are found in blocks, and only those that are there."""

import numpy as np

from plywire.engine.connect4.book.blocks import Block


def test_a_key_is_found_at_its_place_alone() -> None:
    block = Block.of(np.array([3, 5, 9], np.uint64), np.zeros(3, np.uint8))
    found = {key: block.place_of(key) for key in (2, 3, 4, 5, 9, 10)}
    assert found == {2: None, 3: 0, 4: None, 5: 1, 9: 2, 10: None}
