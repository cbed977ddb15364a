"""`python -m autograder` is `attend`."""

from autograder.cli import main

if __name__ == "__main__":
    main()
