"""In the place of the stock hook, which imports every submodule of torch in child processes that time out."""

import sys
from importlib.util import find_spec
from pathlib import Path

import contents

_spec = find_spec("torch")
_folder = Path((_spec and _spec.origin) or "torch").parent
_libraries = {"win32": "*.dll", "darwin": "*.dylib"}.get(sys.platform, "*.so*")

hiddenimports = [
    name
    for name in contents.modules_below(_folder, "torch")
    if name.split(".")[1:2] not in [[part] for part in contents.TORCH_LEFT_OUT]
]
binaries = [(str(path), "torch/lib") for path in sorted((_folder / "lib").glob(_libraries))]
datas = []
_program = _folder / "bin" / contents.TORCH_PROGRAM
if _program.exists():
    datas.append((str(_program), "torch/bin"))
bindepend_symlink_suppression = ["**/torch/lib/*.so*"]  # with links beside the executable torch mistakes where it lies
