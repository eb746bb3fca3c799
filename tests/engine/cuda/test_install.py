"""The CUDA build of PyTorch is fetched, whatever happens on the way, and nothing else is: a real server, real processes."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from bayescope.engine.cuda import install as module
from bayescope.engine.cuda.download import fetch
from bayescope.engine.cuda.install import Paused, Step, bytes_to_come, install
from bayescope.engine.cuda.places import Place, why_not
from bayescope.engine.cuda.unpack import unpack
from bayescope.engine.cuda.wheels import Wheel, bundled, torch_version, why_none
from bayescope.engine.problem.errors import SetupError
from wheel_server import TORCH, Server, serving, small_torch, wheel_bytes, wheel_set

pytestmark = pytest.mark.skipif(os.name != "posix", reason="there are no wheels for Windows yet")
BAYESCOPE = [sys.executable, "-P", "-m", "bayescope.gui"]


@pytest.fixture
def server() -> Iterator[Server]:
    with serving(small_torch()) as made:
        yield made


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    """This user's."""
    monkeypatch.setenv("BAYESCOPE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("BAYESCOPE_CUDA", str(tmp_path / "shared"))
    return Place(tmp_path / "home" / "cuda")


def ignore(step: Step) -> None:
    pass


def one_wheel(server: Server, data: bytes) -> Wheel:
    server.contents["one.whl"] = data
    return Wheel(f"{server.base}/one.whl", hashlib.sha256(data).hexdigest(), len(data), len(data))


def fetched(wheel: Wheel, folder: Path) -> bytes:
    fetch(wheel, wheel.url, folder / wheel.name, lambda n: None, lambda: False, pause_s=0.0)
    return (folder / wheel.name).read_bytes()


def test_it_is_fetched_unpacked_tried_and_switched_on(server: Server, place: Place) -> None:
    wheels, steps = wheel_set(server.base, server.contents), []
    found = install(wheels, place, steps.append)
    installed = place.installed()
    assert (found.torch, found.device, found.wrong) == (f"{torch_version()}+cu130", "", "")
    assert installed is not None
    assert why_not(place, installed) == ""
    folder = place.root / installed.folder
    assert installed.native == {"torch/lib/libtorch.so": 300_000, "nvidia/lib/libcublas.so.13": 100_000}
    assert not (folder / "torch" / "include").exists()
    assert {p.name for p in place.root.iterdir()} == {installed.folder, "switched-on.json", "tried.json"}
    total = sum(w.size for w in wheels.wheels)
    assert [s.doing for s in steps][-1] == "try"
    assert {s.total for s in steps} == {total}
    assert [s.done for s in steps] == sorted(s.done for s in steps)


def test_a_connection_that_is_cut_again_and_again_goes_on_where_it_was(server: Server, tmp_path: Path) -> None:
    data = hashlib.shake_256(b"x").digest(500_000)
    wheel = one_wheel(server, data)
    server.cut = 130_000
    assert fetched(wheel, tmp_path) == data
    assert [asked for _, asked in server.asked] == ["", "bytes=130000-", "bytes=260000-", "bytes=390000-"]


def test_a_server_without_ranges_sends_all_of_it_again(server: Server, tmp_path: Path) -> None:
    data = hashlib.shake_256(b"y").digest(200_000)
    wheel = one_wheel(server, data)
    (tmp_path / "one.whl.part").write_bytes(b"?" * 50_000)
    server.ranges = False
    assert fetched(wheel, tmp_path) == data


def test_a_file_with_another_checksum_is_deleted_and_never_used(server: Server, place: Place) -> None:
    wheels = wheel_set(server.base, server.contents)
    name = next(n for n in server.contents if n.startswith("torch"))
    changed = bytearray(server.contents[name])
    changed[200_000] ^= 1
    server.contents[name] = bytes(changed)
    with pytest.raises(SetupError, match="checksum differs"):
        install(wheels, place, ignore)
    assert place.installed() is None
    assert not list(place.root.rglob(f"{name}*"))


def test_a_file_of_another_size_is_not_even_fetched(server: Server, tmp_path: Path) -> None:
    wheel = one_wheel(server, b"x" * 1000)
    server.contents["one.whl"] = b"x" * 900_000
    with pytest.raises(SetupError, match="900,000 bytes, not 1,000"):
        fetched(wheel, tmp_path)


@pytest.mark.parametrize(("status", "words"), [(404, "has no one.whl"), (503, "could not be reached: it answered 503")])
def test_a_server_that_refuses_is_told_of_in_words(server: Server, tmp_path: Path, status: int, words: str) -> None:
    wheel = one_wheel(server, b"x" * 1000)
    server.status = status
    with pytest.raises(SetupError, match=words):
        fetched(wheel, tmp_path)


def test_without_a_network_there_is_a_sentence(place: Place) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        base = f"http://127.0.0.1:{closed.getsockname()[1]}"
        with pytest.raises(SetupError, match=r"could not be reached: Connection refused\. Is this computer online\?"):
            install(wheel_set(base, small_torch()), place, ignore)


def test_a_disk_without_room_is_noticed_before_the_first_byte(
    server: Server, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(place.root.parent.parent)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage._replace(free=300_000_000))
    with pytest.raises(SetupError, match=r"0\.3 GB free, and 0\.3 GB are needed"):
        install(wheel_set(server.base, server.contents), place, ignore)
    assert server.asked == []


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
def test_a_disk_that_fills_up_on_the_way_is_a_sentence(server: Server, place: Place) -> None:
    wheels = wheel_set(server.base, server.contents)
    (place.root / "downloads").mkdir(parents=True)
    (place.root / "downloads" / f"{wheels.wheels[0].name}.part").symlink_to("/dev/full")
    with pytest.raises(SetupError, match=r"is full\. Make room and go on"):
        install(wheels, place, ignore)


@pytest.mark.parametrize("name", ["../escaped.py", "/escaped.py", "t/../../escaped.py", "c:escaped.py", "t\\..\\escaped.py"])
@pytest.mark.attack("A wheel whose files leave its folder")
def test_a_wheel_never_writes_outside_of_its_folder(tmp_path: Path, name: str) -> None:
    path, folder = tmp_path / "bad.whl", tmp_path / "inner" / "folder"
    path.write_bytes(wheel_bytes({"torch/__init__.py": b"", name: b"escaped"}))
    with pytest.raises(SetupError, match="outside of its folder"):
        unpack(path, folder, 10**6, lambda: False)
    assert [p.name for p in tmp_path.rglob("*escaped*")] == []
    assert not folder.exists()


@pytest.mark.attack("A wheel with a link")
def test_a_wheel_with_a_link_is_refused(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("torch/link")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "bad.whl", "w") as archive:
        archive.writestr(link, "/etc")
    with pytest.raises(SetupError, match="no plain file"):
        unpack(tmp_path / "bad.whl", tmp_path / "folder", 10**6, lambda: False)


def test_a_wheel_that_is_larger_than_it_says_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bad.whl").write_bytes(wheel_bytes({"torch/big": b"0" * 5000}))
    with pytest.raises(SetupError, match="larger than it says"):
        unpack(tmp_path / "bad.whl", tmp_path / "folder", 4999, lambda: False)


def test_one_that_was_paused_goes_on_from_there(server: Server, place: Place) -> None:
    wheels, seen = wheel_set(server.base, server.contents), []
    first = wheels.wheels[0].size
    server.pace = 0.002
    with pytest.raises(Paused):
        install(wheels, place, seen.append, stop=lambda: bool(seen))
    left = bytes_to_come(wheels, place)
    assert 0 < left < sum(w.size for w in wheels.wheels)
    server.asked.clear()
    install(wheels, place, ignore)
    assert server.asked[0][1] == f"bytes={first - (left - wheels.wheels[1].size)}-"
    assert place.installed() is not None


def command(place: Place, server: Server, *options: str) -> list[str]:
    """Of the command line, with a list of small wheels."""
    path = place.root.parent.parent / "list.json"
    path.write_bytes(msgspec.json.encode(wheel_set(server.base, server.contents)))
    return [*BAYESCOPE, "cuda", "install", "--yes", "--wheels", str(path), *options]


def started(words: list[str], place: Place) -> subprocess.Popen[str]:
    """Once a part has come."""
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while place.downloaded() < 60_000 and time.monotonic() < deadline:
        time.sleep(0.02)
    return process


def test_one_that_was_killed_goes_on_from_there(server: Server, place: Place) -> None:
    words = command(place, server)
    server.pace = 0.05
    process = started(words, place)
    process.kill()
    process.communicate()
    kept = place.downloaded()
    told = subprocess.run([*BAYESCOPE, "cuda", "status", *words[-2:]], capture_output=True, text=True, check=True).stdout
    assert "0.0 GB of it have come already; “bayescope cuda install” resumes" in told
    server.pace = 0.0
    server.asked.clear()
    said = subprocess.run(words, capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stderr
    assert f"PyTorch {torch_version()}+cu130 is installed and switched on." in said.stdout
    assert server.asked[0][1] == f"bytes={kept}-"
    assert kept >= 60_000


@pytest.mark.parametrize("how", ["its window is gone", "SIGTERM"])
def test_one_that_is_stopped_says_so_and_keeps_what_came(server: Server, place: Place, how: str) -> None:
    server.pace = 0.05
    process = started(command(place, server, "--progress"), place)
    if how == "SIGTERM":
        process.send_signal(signal.SIGTERM)
        said = process.stdout.read() if process.stdout else ""
        process.wait()
        assert process.stdin is not None
        process.stdin.close()
    else:
        said, _ = process.communicate()
    assert process.returncode == 130
    assert "What has come is kept" in said
    assert json.loads(said.splitlines()[0])["doing"] == "download"
    assert place.downloaded() >= 60_000
    assert place.installed() is None


def test_two_at_once_do_not_mix(server: Server, place: Place) -> None:
    server.pace = 0.05
    process = started(command(place, server), place)
    with pytest.raises(SetupError, match="installed already, by another window"):
        install(wheel_set(server.base, server.contents), place, ignore)
    process.kill()
    process.communicate()


def test_a_build_that_does_not_work_is_deleted_and_nothing_is_switched_on(place: Place) -> None:
    body, words = "raise OSError('libcudart.so.13: cannot open')", r"on this computer: OSError: libcudart\.so\.13: cannot open\."
    with serving(small_torch(body=body)) as server, pytest.raises(SetupError, match=words):
        install(wheel_set(server.base, server.contents), place, ignore)
    assert place.installed() is None
    assert not list(place.root.glob("torch-*"))


def test_a_build_that_crashes_takes_nothing_with_it(place: Place) -> None:
    body = "import os; os.abort()"
    with serving(small_torch(body=body)) as server, pytest.raises(SetupError, match="does not work on this computer"):
        install(wheel_set(server.base, server.contents), place, ignore)
    assert place.installed() is None


def test_wheels_may_come_from_a_folder(server: Server, place: Place, tmp_path: Path) -> None:
    folder = tmp_path / "an administrator's wheels"
    folder.mkdir()
    for name, data in server.contents.items():
        (folder / name).write_bytes(data)
    install(wheel_set("https://nowhere.invalid", server.contents), place, ignore, source=str(folder))
    assert place.installed() is not None
    assert server.asked == []


def test_a_newer_one_replaces_the_older_and_what_was_left_of_it(server: Server, place: Place) -> None:
    install(wheel_set(server.base, server.contents), place, ignore)
    before = place.installed()
    assert before is not None
    (place.root / "torch-1.0-cp311-abc.part").mkdir()
    server.contents = small_torch(body=TORCH + "newer = True\n")
    install(wheel_set(server.base, server.contents), place, ignore)
    after = place.installed()
    assert after is not None
    assert after.folder != before.folder
    assert {p.name for p in place.root.iterdir()} == {after.folder, "switched-on.json", "tried.json"}


def test_the_list_that_comes_along_is_for_this_pytorch_and_every_python_that_bayescope_runs_on() -> None:
    wheels = bundled()
    assert wheels.torch == torch_version()
    for python in ("cp311", "cp312", "cp313", "cp314"):
        names = [w.name for w in wheels.needed(python)]
        assert sum(name.startswith("torch-") for name in names) == 1
        assert any(name.startswith("nvidia_cublas") for name in names)
    for wheel in wheels.wheels:
        assert wheel.url.startswith("https://files.pythonhosted.org/")
        assert len(wheel.sha256) == 64
        assert 0 < wheel.size < wheel.unpacked


def test_what_the_list_lacks_is_said_in_words() -> None:
    wheels = bundled()
    assert why_none(msgspec.structs.replace(wheels, torch="1.0")).startswith("The list is for PyTorch 1.0; this Bayescope was")
    assert "is computed on the processor" in why_none(msgspec.structs.replace(wheels, system="win32-amd64"))
    assert "for this Python" in why_none(msgspec.structs.replace(wheels, wheels=()))


def test_room_is_kept_for_what_is_unpacked_and_for_the_largest_file(server: Server, place: Place) -> None:
    wheels = wheel_set(server.base, server.contents)
    assert bytes_to_come(wheels, place) == sum(w.size for w in wheels.wheels)
    assert module.disk_bytes(wheels) == sum(w.unpacked for w in wheels.wheels)
