"""A small “PyTorch” packed into wheels, and a real HTTP server that gives them away, well or badly."""

from __future__ import annotations

import hashlib
import http.server
import io
import threading
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from bayescope.engine.cuda.wheels import PYTHON, SYSTEM, Wheel, WheelSet, torch_version

TORCH = '''
class _Cuda:
    def is_available(self):
        return False
cuda = _Cuda()
float64 = "float64"
__version__ = "{version}+cu130"
BUILD = "fetched"
class _Matrix:
    T = property(lambda self: self)
    def reshape(self, *shape): return self
    def __matmul__(self, other): return self
    def __add__(self, other): return self
    def __rmul__(self, other): return self
def arange(n, **options): return _Matrix()
eye = arange
def allclose(a, b): return True
class linalg:
    cholesky = staticmethod(lambda m: m)
'''


def wheel_bytes(files: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return made.getvalue()


def small_torch(version: str = "", body: str = TORCH) -> dict[str, bytes]:
    """File name -> content of two wheels, about 400 kB."""
    version = version or torch_version()
    noise = hashlib.shake_256(b"library").digest(300_000)
    torch = {
        "torch/__init__.py": body.replace("{version}", version).encode(),
        "torch/lib/libtorch.so": noise,
        "torch/include/left_out.h": b"x",
        f"torch-{version}.dist-info/METADATA": f"Metadata-Version: 2.1\nName: torch\nVersion: {version}\n".encode(),
    }
    nvidia = {"nvidia/lib/libcublas.so.13": noise[:100_000], "nvidia/__init__.py": b""}
    return {
        f"torch-{version}-{PYTHON}-{PYTHON}-{SYSTEM}.whl": wheel_bytes(torch),
        "nvidia_cublas-13.0-py3-none-any.whl": wheel_bytes(nvidia),
    }


def wheel_set(base: str, contents: dict[str, bytes], version: str = "") -> WheelSet:
    """As resources/cuda/wheels.json would pin them."""
    wheels = tuple(
        Wheel(f"{base}/{name}", hashlib.sha256(data).hexdigest(), len(data), len(data), PYTHON * name.startswith("torch"))
        for name, data in contents.items()
    )
    return WheelSet(version or torch_version(), "13.0", "580.65.06", 7.5, SYSTEM, wheels)


@dataclass
class Server:
    """``base``: its address. ``cut``: bytes after which each answer ends; ``pace``: seconds between parts of an answer."""

    contents: dict[str, bytes]
    base: str = ""
    cut: int | None = None
    ranges: bool = True
    pace: float = 0.0
    status: int = 0
    asked: list[tuple[str, str]] = field(default_factory=list)  # (name, Range header)


@contextmanager
def serving(contents: dict[str, bytes]) -> Iterator[Server]:
    server = Server(contents)

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            name, wanted = self.path.lstrip("/"), self.headers.get("Range", "")
            server.asked.append((name, wanted))
            if server.status or name not in server.contents:
                self.send_error(server.status or 404)
                return
            data, start = server.contents[name], 0
            if wanted and server.ranges:
                start = int(wanted.removeprefix("bytes=").removesuffix("-"))
                self.send_response(206)
                self.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
            else:
                self.send_response(200)
            self.send_header("Content-Length", str(len(data) - start))
            self.end_headers()
            rest = data[start:] if server.cut is None else data[start : start + server.cut]
            for k in range(0, len(rest), 20_000):
                try:
                    self.wfile.write(rest[k : k + 20_000])
                except ConnectionError:
                    break  # whoever asked has gone
                time.sleep(server.pace)
            self.close_connection = True

        def log_message(self, *arguments: object) -> None:
            pass

    httpd = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    httpd.daemon_threads = True
    server.base = f"http://127.0.0.1:{httpd.server_address[1]}"
    thread = threading.Thread(target=httpd.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        httpd.shutdown()
        httpd.server_close()
        thread.join()
