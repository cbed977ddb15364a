"""Hides the ready-made function in encoded text."""

# expects: forbidden

import base64

exec(base64.b64decode("ZGVmIHNvZnRlbih4KToKICAgIHJldHVybiB4LnNvZnRtYXgoLTEpCg=="))
soften = soften  # noqa: F821
