"""All that leans on the inside of torch and pytest: private names, and what they do beyond the documentation.

Nothing else in the engine uses such names. `tests/promises/test_internals.py` lists each of them with what is relied
on. `make versions` tries it with the versions in `TRIED`; with any other version, run that file first.
"""

from typing import Final

TRIED: Final = {"torch": ("2.9.0", "2.13.0", "2.14.1"), "pytest": ("8.4.0", "9.2.0")}
"""The versions that everything here was tried with: the lowest that are promised, those of `constraints.txt`, and later
ones."""
