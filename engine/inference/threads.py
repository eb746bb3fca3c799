"""One thread per worker: small matrices lose time to thread pools, and the cores belong to the simulators.

Set inside the process, not by environment variables, which the user's simulators would inherit.
"""

from __future__ import annotations

import sys

from threadpoolctl import threadpool_limits


def use_one_thread() -> None:
    """Limit BLAS and torch of this process to one thread each; libraries loaded later are not covered."""
    threadpool_limits(limits=1)
    torch = sys.modules.get("torch")
    if torch is not None:
        torch.set_num_threads(1)
