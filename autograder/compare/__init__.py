"""What an answer gives beside what is right: decide, attribute, describe."""
