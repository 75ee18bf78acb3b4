"""Give up what makes root different, so that a test sees what everybody else sees at a file without rights."""

import ctypes
import os

VERSION = 0x20080522  # of the capability sets that capset(2) takes: two of three words each


def give_up_root() -> None:
    """From here on this process has no more rights than the files give it. There is no way back: call it in a child.

    Root stays root on Linux, without its capabilities: as another user it could not even read a clone that lies below
    a private folder, and what is imported late lies there.
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
