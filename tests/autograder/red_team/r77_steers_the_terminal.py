"""Raises a text that would steer a terminal, a browser or a spreadsheet."""

# expects: error
# says: =HYPERLINK(1)<script>


def soften(x):
    raise ValueError("\x1b[2J\x1b]8;;http://evil\x07=HYPERLINK(1)\u202e<script>alert(1)</script>")
