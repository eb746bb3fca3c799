"""Start of the frozen application: the same entry point as the ``bayescope`` command."""

import multiprocessing
import sys

from bayescope.gui.__main__ import main

if __name__ == "__main__":
    multiprocessing.freeze_support()
    sys.exit(main())
