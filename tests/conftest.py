"""What all tests share."""

from hypothesis import settings

# Examples have no deadline: the first one may have to compile kernels, and machines are busy.
settings.register_profile("plywire", deadline=None)
settings.load_profile("plywire")
