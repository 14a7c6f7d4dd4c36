"""What all tests share: no test is judged by the speed of the machine it runs on."""

from hypothesis import settings

settings.register_profile("house", deadline=None)
settings.load_profile("house")
