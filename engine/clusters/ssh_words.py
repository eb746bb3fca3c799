"""What ssh says when it cannot connect, in sentences that say where and what to do."""

from __future__ import annotations

from ..problem.errors import SetupError


class NotUsable(SetupError):
    """A place cannot be used as it is described, or not now: it is to be corrected, or tried again. No point is to blame."""

    def __init__(self, message: str, suggestion: str = "") -> None:
        super().__init__(message, suggestion, "place")


class Unreachable(Exception):
    """Another computer does not answer now; nothing is known about what runs there. ``str()`` is a sentence or two.

    ``asks``: it wanted to know something that nobody answered, or refused who asked: trying again soon makes it worse.
    """

    def __init__(self, words: str, asks: bool = False) -> None:
        super().__init__(words)
        self.asks = asks


# a piece of what OpenSSH prints -> what happened, what to do, whether it asked; {host} is filled in. The first that fits counts.
_KNOWN: tuple[tuple[str, str, str, bool], ...] = (
    (
        "Could not resolve hostname", "There is no computer called “{host}”.",
        "Check the name: in a terminal, “ssh {host}” must work.", False,
    ),
    (
        "REMOTE HOST IDENTIFICATION HAS CHANGED", "The host key of “{host}” is another one than last time, so ssh refuses.",
        "Ask its administrators whether it was set up anew; then remove the old key with “ssh-keygen -R {host}”.", True,
    ),
    (
        "Host key verification failed", "“{host}” is not known to ssh on this computer yet, and nobody confirmed its key.",
        "Connect once in a terminal with “ssh {host}” and answer yes if the key is the right one.", True,
    ),
    (
        "Too many authentication failures", "“{host}” refused after too many keys.",
        "Name the right one in ~/.ssh/config (IdentityFile, IdentitiesOnly yes).", True,
    ),
    (
        "keyboard-interactive", "“{host}” asks for something that nobody could answer here, such as a second factor.",
        "Open a shared connection first: “ControlMaster auto”, “ControlPath ~/.ssh/%C” and “ControlPersist 8h” in ~/.ssh/config, "
        "then “ssh {host}” in a terminal.", True,
    ),
    (
        "Permission denied", "“{host}” did not let you in.",
        "In a terminal, “ssh {host}” must work without a password: use a key and an agent (ssh-add).", True,
    ),
    ("Connection refused", "No ssh server answers at “{host}”.", "Does one run there, on that port?", False),
    ("timed out", "“{host}” does not answer.", "Is it switched on, and is this computer in the right network (VPN)?", False),
    ("No route to host", "“{host}” cannot be reached.", "Is this computer in the right network (VPN)?", False),
    ("Network is unreachable", "This computer has no way to “{host}”.", "Is it online?", False),
    ("Bad configuration option", "ssh cannot read its configuration.", "Correct ~/.ssh/config.", False),
)  # fmt: skip


def slow_login(host: str, seconds: float) -> str:
    """Of a connection that stands, or asks somebody, while the login gives no answer."""
    if not host:
        return f"The shell on this machine has not answered for {seconds:.0f} seconds; it is waited for."
    return (
        f"The login at “{host}” has not answered for {seconds:.0f} seconds; it is waited for. Does ssh ask for a pass phrase in "
        f"another window? Else a start-up file there (~/.bashrc, ~/.profile) may wait for something, or a file system there "
        f"hangs: try “ssh {host}” in a terminal."
    )


def why_not(host: str, said: str, error: Exception) -> Unreachable:
    """``said``: by ssh on its error stream; ``error``: how the connection ended."""
    if not host:
        return Unreachable(f"A shell on this machine cannot be used: {error}.")
    if isinstance(error, FileNotFoundError):
        return Unreachable(f"“{host}” cannot be reached: this computer has no ssh. Install OpenSSH.")
    for piece, what, to_do, asks in _KNOWN:
        if piece in said:
            return Unreachable(f"{what} {to_do}".format(host=host), asks)
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    last = f" ssh said: “{lines[-1][:300]}”." if lines else ""
    return Unreachable(f"The connection to “{host}” was lost: {error}.{last}")
