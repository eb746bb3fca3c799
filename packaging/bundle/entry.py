"""Start of the packed application: the same entry point as the ``bayescope`` command."""

import sys

from bayescope.engine.machine.frozen import restore_environment

if __name__ == "__main__":
    restore_environment()
    if sys.platform != "linux":  # where multiprocessing starts this program again to keep count of its locks
        import multiprocessing

        multiprocessing.freeze_support()
    from bayescope.gui.__main__ import main

    sys.exit(main())
