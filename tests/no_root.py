"""Give up root's privileges, so that a test gets the same errors as other users for a file without permissions."""

import ctypes
import os

VERSION = 0x20080522  # of the capability sets that capset(2) takes: two of three words each


def give_up_root() -> None:
    """Drop root's capabilities for the rest of this process. This cannot be undone, so call it in a child process.

    The process stays the root user, because another user might be unable to read a clone in a private folder, from
    which modules are still imported.
    """
    if os.geteuid() != 0:
        return
    header = (ctypes.c_uint32 * 2)(VERSION, 0)
    nothing = (ctypes.c_uint32 * 6)()
    libc = ctypes.CDLL(None, use_errno=True)
    if not hasattr(libc, "capset"):
        os.setgid(65534)
        os.setuid(65534)
    elif libc.capset(header, nothing):
        raise OSError(ctypes.get_errno(), "capset")
