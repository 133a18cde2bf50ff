"""Discs of two colours on Othello's board."""

from hypothesis import strategies as st

_words = st.integers(0, 2**64 - 1)

#: Any two disjoint sets of discs, also such as no game leads to.
boards = st.tuples(_words, _words).map(lambda pair: (pair[0] & ~pair[1], pair[1]))
#: Boards of which three quarters are empty.
sparse_boards = st.tuples(boards, _words, _words).map(
    lambda drawn: (drawn[0][0] & drawn[1], drawn[0][1] & drawn[1] & drawn[2])
)
