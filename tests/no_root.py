"""Give up what makes root different, so that a test sees what everybody else sees at a file without rights."""

import ctypes
import os

VERSION = 0x20080522  # of the capability sets that capset(2) takes: two of three words each


def give_up_root() -> None:
    """Drop root's capabilities for the rest of this process: there is no way back, so call it in a child.

    It stays the root user: another user could not even read a clone below a private folder, from which modules
    are still imported later.
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
