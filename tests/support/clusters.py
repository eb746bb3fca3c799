"""A real Slurm of two nodes on loopback, a real sshd with a throw-away key, and engines that die when told to."""

from __future__ import annotations

import contextlib
import getpass
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import psutil

from bayescope.engine.problem.definition import (
    LastNumber,
    LogLikelihoodOutput,
    Normal,
    Output,
    Parameter,
    Problem,
    Settings,
    Simulator,
)
from bayescope.engine.session.ledger import Ledger
from bayescope.engine.session.profiles import Profile, save_profile
from bayescope.engine.session.store import SessionStore

SCRIPTS = Path(__file__).with_name("slurm")
PYTHON = "/usr/bin/python3"  # that any user may run
ENGINE = Path(__file__).with_name("cluster_engine.py")


def why_no_slurm() -> str:
    """Why no Slurm can be started here; "" if it can."""
    missing = [name for name in ("sbatch", "slurmctld", "slurmd", "munged") if shutil.which(name, path=_path()) is None]
    if missing:
        return f"slurm-wlm and munge are not installed ({', '.join(missing)})"
    return "" if os.name == "posix" and os.getuid() == 0 else "a private Slurm is started by root only"


def why_no_sshd() -> str:
    if os.name != "posix" or not Path("/usr/sbin/sshd").exists() or shutil.which("ssh") is None:
        return "openssh-server is not installed"
    return "" if os.getuid() == 0 else "a private sshd is started by root only"


def _path() -> str:
    return os.environ.get("PATH", "") + ":/usr/sbin:/sbin"


def _free_ports() -> int:
    """The first of three ports in a row that nobody listens on."""
    for port in range(17000 + os.getpid() % 2000, 30000, 7):
        with contextlib.ExitStack() as stack:
            try:
                for i in range(3):
                    stack.enter_context(socket.socket()).bind(("127.0.0.1", port + i))
            except OSError:
                continue
            return port
    raise RuntimeError("no free ports")


class Slurm:
    """``conf``: what SLURM_CONF has to be."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.conf = folder, folder / "slurm.conf"

    def up(self) -> None:
        self._call("up.sh", str(_free_ports()))

    def down(self) -> None:
        self._call("down.sh")

    def _call(self, script: str, *arguments: str) -> None:
        # files, not pipes: the daemons would hold them open
        with open(os.devnull, "wb") as nowhere:
            subprocess.run(["bash", SCRIPTS / script, self.folder, *arguments], check=False, stdout=nowhere, stderr=nowhere)

    def jobs(self) -> list[list[str]]:
        """Of jobs that are not over: number, name, state."""
        out = self.command("squeue", "-h", "-o", "%i %j %T")
        return [line.split() for line in out.splitlines()]

    def are_over(self, seconds: float = 20.0) -> bool:
        """Whether all jobs are, also those that Slurm still cleans up after; waited for so long at most."""
        deadline = time.monotonic() + seconds
        while self.jobs() and time.monotonic() < deadline:
            time.sleep(0.1)
        return not self.jobs()

    def running(self) -> list[list[str]]:
        """Of jobs that run: number, node."""
        return [line.split() for line in self.command("squeue", "-h", "-t", "R", "-o", "%i %N").splitlines()]

    def command(self, *arguments: str) -> str:
        environment = {**os.environ, "SLURM_CONF": str(self.conf)}
        return subprocess.run(arguments, env=environment, capture_output=True, text=True, check=False).stdout

    def end_controller(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            os.kill(int((self.folder / "slurmctld.pid").read_text()), signal.SIGKILL)

    def on_node(self, name: str, hold: bool = False) -> dict[str, list[psutil.Process]]:
        """Of each job script that runs there: its process, what started it, what it started. ``hold``: it is suspended first, so
        that it neither starts anything more nor sees that its program ends."""
        found: dict[str, list[psutil.Process]] = {}
        for process in psutil.process_iter(["cmdline"]):
            scripts = [word for word in process.info["cmdline"] or [] if word.startswith(f"{self.folder}/spool/{name}/")]
            if scripts:
                with contextlib.suppress(psutil.Error):
                    if hold:
                        process.suspend()
                    beside = [one for one in (process.parent(), process, *process.children(recursive=True)) if one]
                    found.setdefault(scripts[0], []).extend(beside)
        return found

    def end_node(self, name: str) -> int:
        """With all that runs on it, as if its power were gone: nothing there sees anything else end. How many jobs ran."""
        os.kill(int((self.folder / f"slurmd.{name}.pid").read_text()), signal.SIGKILL)
        jobs: set[str] = set()
        last = time.monotonic()
        while time.monotonic() - last < 1.0:  # a job may be about to begin
            found = self.on_node(name, hold=True)
            jobs |= set(found)
            for act in (psutil.Process.suspend, psutil.Process.kill):
                for one in (one for those in found.values() for one in those if one.pid > 1):
                    with contextlib.suppress(psutil.Error):
                        act(one)
            last = time.monotonic() if found else last
            time.sleep(0.05)
        return len(jobs)

    def start_node(self, name: str) -> None:
        subprocess.run(["slurmd", "-f", self.conf, "-N", name], check=False, env={**os.environ, "PATH": _path()})
        self.use_both_nodes()

    def start_controller(self) -> None:
        subprocess.run(["slurmctld", "-f", self.conf], check=False, env={**os.environ, "PATH": _path()})
        self.use_both_nodes()

    def use_both_nodes(self, seconds: float = 60.0) -> None:
        """Wait until both take jobs again.

        A controller that was killed gives numbers again that it forgot, and drains the node that still has a job of that number.
        """
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            words = self.command("sinfo", "-h", "-N", "-o", "%T").split()
            if len(words) == 2 and all(word in ("idle", "mixed", "allocated", "completing") for word in words):
                return
            for name in ("n1", "n2"):
                self.command("scontrol", "update", f"nodename={name}", "state=resume")
            time.sleep(0.2)


class Sshd:
    """A server on loopback, and a folder with an ``ssh`` that knows it as “far”, as “shared” (one connection for all), and as
    others that cannot be used. ``second_factor``: it asks for a password after the key; ``user``: who logs in and calls ssh."""

    def __init__(self, folder: Path, banner: bool = True, second_factor: bool = False, user: str = "") -> None:
        self.folder, self.bin = folder, folder / "bin"
        user = user or getpass.getuser()
        asks = "UsePAM yes\nKbdInteractiveAuthentication yes\nAuthenticationMethods publickey,keyboard-interactive\n"
        self.port = _free_ports()
        self.master = Path(tempfile.gettempdir()) / f"bayescope-ssh-{self.port}"  # such names have to be short
        self.bin.mkdir(parents=True)
        for name in ("host", "mine", "other"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / name], check=True)
        public = (folder / "host.pub").read_text().split()[:2]
        (folder / "known").write_text(f"[127.0.0.1]:{self.port} {' '.join(public)}\n")
        other = (folder / "other.pub").read_text().split()[:2]
        (folder / "changed").write_text(f"[127.0.0.1]:{self.port} {' '.join(other)}\n")
        (folder / "keys").write_text((folder / "mine.pub").read_text())
        shell = folder / "shell"  # as a login whose start-up file talks
        talk = "echo 'Welcome! 3 users.'; echo 'motd: maintenance on Friday' >&2" if banner else ":"
        slurm = f"[ -f {folder}/conf ] && export SLURM_CONF=$(cat {folder}/conf)"
        shell.write_text(f'#!/bin/sh\n{talk}\n{slurm}\nPATH={folder}/first:$PATH\nexec /bin/sh -c "$SSH_ORIGINAL_COMMAND"\n')
        shell.chmod(0o755)
        (folder / "sshd_config").write_text(
            f"{asks if second_factor else ''}Port {self.port}\nListenAddress 127.0.0.1\nHostKey {folder}/host\n"
            f"AuthorizedKeysFile {folder}/keys\n"
            f"PasswordAuthentication no\nKbdInteractiveAuthentication no\nUsePAM no\nStrictModes no\nPidFile {folder}/sshd.pid\n"
            f"ForceCommand {shell}\nPermitRootLogin yes\nMaxStartups 100\nMaxSessions 100\n"
        )
        host = f"HostName 127.0.0.1\nPort {self.port}\nUser {user}\nIdentitiesOnly yes\nBatchMode yes\n"
        (folder / "config").write_text(
            f"Host far\n{host}IdentityFile {folder}/mine\nUserKnownHostsFile {folder}/known\n"
            f"Host shared\n{host}IdentityFile {folder}/mine\nUserKnownHostsFile {folder}/known\n"
            f"ControlMaster auto\nControlPath {self.master}\nControlPersist 60\n"
            f"Host stranger\n{host}IdentityFile {folder}/mine\nUserKnownHostsFile {folder}/none\n"
            f"Host changed\n{host}IdentityFile {folder}/mine\nUserKnownHostsFile {folder}/changed\n"
            f"Host refused\n{host}IdentityFile {folder}/other\nUserKnownHostsFile {folder}/known\n"
            f"Host closed\nHostName 127.0.0.1\nPort {self.port + 1}\nBatchMode yes\n"
        )
        ssh = self.bin / "ssh"
        ssh.write_text(f'#!/bin/sh\nexec {shutil.which("ssh")} -F {folder}/config "$@"\n')
        ssh.chmod(0o755)
        if user != getpass.getuser():
            for name in ("mine", "other"):
                shutil.chown(folder / name, user)

    def give(self, slurm: Slurm) -> None:
        """Who logs in finds this Slurm."""
        (self.folder / "conf").write_text(str(slurm.conf))

    @contextlib.contextmanager
    def program(self, name: str, script: str) -> Iterator[None]:
        """For the block another program of that name comes first there."""
        file = self.folder / "first" / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"#!/bin/sh\n{script}\n")
        file.chmod(0o755)
        try:
            yield
        finally:
            file.unlink()

    def up(self) -> None:
        Path("/run/sshd").mkdir(exist_ok=True)
        subprocess.run(["/usr/sbin/sshd", "-f", self.folder / "sshd_config"], check=True)
        for _ in range(100):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 0.2):
                return
            time.sleep(0.02)

    def down(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            server = int((self.folder / "sshd.pid").read_text())
            os.kill(server, signal.SIGSTOP)  # else it may take a new connection between the two
            self.cut()
            os.kill(server, signal.SIGTERM)
            os.kill(server, signal.SIGCONT)

    def cut(self) -> int:
        """End every connection; how many there were."""
        import psutil

        try:
            server = psutil.Process(int((self.folder / "sshd.pid").read_text()))
            children = server.children()
        except (OSError, ValueError, psutil.Error):
            return 0
        for child in children:
            below = []
            with contextlib.suppress(psutil.Error):  # it may end by itself meanwhile
                below = child.children()
            for process in [child, *below]:
                with contextlib.suppress(psutil.Error):
                    if process.name() == "sshd":
                        process.kill()
        return len(children)


# ------------------------------------------------------------------ a problem whose program says that it started


CODE = """
import os, sys, time
a, b = float(sys.argv[1]), float(sys.argv[2])
with open(os.environ["STARTS"], "a") as file:
    file.write(f"{a!r} {b!r}\\n")
time.sleep(float(sys.argv[3]))
while os.path.exists(os.environ.get("HELD", "")):
    time.sleep(0.1)
print(repr(-0.5 * ((a - 1.2) / 0.3) ** 2 - 0.5 * ((b - a) / 0.5) ** 2))
"""


def told_problem(
    starts: Path, seconds: float = 0.1, evaluations: int = 5, workers: int = 2, held: Path | None = None, **simulator: object
) -> Problem:
    """Each start of the program adds a line to the file ``starts``; it does not end while there is a file ``held``."""
    environment = {"STARTS": str(starts)} | ({"HELD": str(held)} if held else {})
    command = (sys.executable, "-I", "-S", "-c", CODE, "@a@", "@b@", str(seconds))
    return Problem(
        name="told",
        parameters=tuple(Parameter(name=n, prior=Normal(mean=1.0, sd=1.0)) for n in "ab"),
        simulator=Simulator(command=command, environment=environment, **simulator),  # type: ignore[arg-type]
        outputs=(Output(name="logl", source="stdout", extractor=LastNumber()),),
        meaning=LogLikelihoodOutput(output="logl"),
        settings=Settings(max_evaluations=evaluations, workers=workers, seed=3),
    )


class Engine:
    """A process that runs the analysis at ``path`` with the tiny loop; ``die``: STAGE:N, where it kills itself."""

    started: ClassVar[list[subprocess.Popen[bytes]]] = []

    @classmethod
    def end_all(cls) -> None:
        """Those that a failed test has left: they would go on trying to reach their queue."""
        while cls.started:
            process = cls.started.pop()
            process.kill()
            process.wait()

    def __init__(
        self, path: Path, place: str, die: str = "", workers: int = 2, user: str | None = None, **environment: str
    ) -> None:
        self.log = path.with_suffix(".log").open("ab")
        arguments = [sys.executable, ENGINE, path, place, die, str(workers)]
        if user is not None:  # who may read this copy of the program wherever it lies, and has no other right of root's
            reads = ["--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"]
            arguments = ["setpriv", "--reuid", user, "--regid", user, "--clear-groups", *reads, *arguments]
        self.process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=self.log, env={**os.environ, **environment})
        self.started.append(self.process)

    def wait(self, seconds: float = 240.0) -> int:
        try:
            self.said = self.process.communicate(timeout=seconds)[0].decode()
        except subprocess.TimeoutExpired as error:
            self.process.kill()
            raise AssertionError(f"after {seconds} s:\n{Path(self.log.name).read_text()[-2000:]}") from error
        finally:
            self.log.close()
        return self.process.returncode


@contextlib.contextmanager
def new_user() -> Iterator[tuple[str, Path]]:
    """The name of a user who is not root and has nothing, and a folder of theirs; for the block."""
    name, folder = f"bs{os.getpid()}", Path(tempfile.mkdtemp(prefix="bayescope-user-"))
    folder.chmod(0o755)
    subprocess.run(["useradd", "-d", folder / "home", "-m", "-s", "/bin/sh", "-p", "*", name], check=True, capture_output=True)
    try:
        yield name, folder
    finally:
        subprocess.run(["pkill", "-KILL", "-u", name], check=False)
        subprocess.run(["userdel", "-f", name], check=False, capture_output=True)
        shutil.rmtree(folder, ignore_errors=True)


def why_no_user() -> str:
    """Why no user can be made here; "" if one can."""
    if os.name != "posix" or os.getuid() != 0:
        return "another user is made by root only"
    missing = [name for name in ("useradd", "setpriv", PYTHON) if shutil.which(name, path=_path()) is None]
    return f"{', '.join(missing)} not installed" if missing else ""


def make(path: Path, problem: Problem) -> Path:
    SessionStore.create(path, problem, own=True).close()
    return path


def add_place(folder: Path, **changes: object) -> str:
    """A place named “box” whose folder for runs is ``folder``."""
    save_profile(Profile(name="box", folder=str(folder), **{"at_once": 4, **changes}))  # type: ignore[arg-type]
    return "box"


def counted(path: Path, starts: Path) -> dict[str, object]:
    """What became of a session: evaluations, starts of each point, attempts by state, values by index."""
    with SessionStore.open(path, mode="read") as store:
        evaluations = store.evaluations()
        attempts = Ledger(store).find()
    lines = Counter(starts.read_text().splitlines()) if starts.exists() else Counter()
    runs = [a for a in attempts if not a.work.startswith("again")]
    return {
        "runs": Counter(a.index for a in runs),  # attempts at each evaluation, the second run of the first left out
        "values": {e.index: (e.outcome, e.log_likelihood) for e in evaluations},
        "results": len(evaluations),
        "lost": sum(a.state == "lost" or (a.state == "cleared" and "vanished" in a.reason) for a in attempts),
        "starts": lines,
        "attempts": attempts,
        "reasons": [e.reason for e in evaluations if e.reason],
    }


@contextlib.contextmanager
def environment(**names: str) -> Iterator[None]:
    """Variables for the block."""
    before = {name: os.environ.get(name) for name in names}
    os.environ |= names
    try:
        yield
    finally:
        for name, text in before.items():
            if text is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = text


def say_ended(words: object) -> None:
    print(json.dumps(words), flush=True)
