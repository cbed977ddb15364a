"""Lifts the limits on its resources, to leave a dump of its memory."""

# expects: error
# says: limit

import ctypes
import resource


def soften(x):
    resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    ctypes.string_at(0)
