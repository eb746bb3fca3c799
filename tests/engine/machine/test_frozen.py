"""Programs that the packed application starts get the environment that it was itself started in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayescope.engine.machine.frozen import users_environment

OURS = "/opt/bayescope/_internal"
names = st.text("ABCDEFGHIJ_", min_size=1).filter(lambda name: not name.startswith(("_PYI_", "_MEIPASS")))


@given(st.dictionaries(names, st.text(max_size=5)), st.none() | st.text("/abc:", max_size=9))
def test_the_users_environment_is_restored_exactly(environment: dict[str, str], path: str | None) -> None:
    before = environment | ({} if path is None else {"LD_LIBRARY_PATH": path})
    added = {"_PYI_ARCHIVE_FILE": "x", "_PYI_APPLICATION_HOME_DIR": OURS, "_PYI_LINUX_PROCESS_NAME": "bayescope"}
    library_path = {"LD_LIBRARY_PATH": OURS} if path is None else {
        "LD_LIBRARY_PATH": f"{OURS}:{path}", "LD_LIBRARY_PATH_ORIG": path
    }  # fmt: skip
    assert users_environment(environment | added | library_path, OURS) == before


@pytest.mark.parametrize("path", ["/usr/lib", "/usr/lib:/opt/bayescope/_internal", ""])
def test_a_library_path_of_the_user_alone_stays(path: str) -> None:
    assert users_environment({"LD_LIBRARY_PATH": path, "QT_PLUGIN_PATH": "/mine"}, OURS) == {
        "LD_LIBRARY_PATH": path, "QT_PLUGIN_PATH": "/mine"
    }  # fmt: skip
