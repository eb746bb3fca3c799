"""Linux: the first thing that the packed application runs, in the place of PyInstaller's own importer.

That one reads a table of 6,000 modules and unpacks each that is imported; a start took 1.3 times that of the source. Here the
modules of a start lie unpacked in one file, the others packed in a second one that is opened when the first of them is asked
for. module_archive.py writes both. Only what is built into Python or frozen in it may be imported before ``install``.
"""

import marshal
import sys
from _frozen_importlib import ModuleSpec
from _frozen_importlib_external import ExtensionFileLoader, PathFinder, SourcelessFileLoader
from _imp import _fix_co_filename
from posix import O_CLOEXEC, O_RDONLY, POSIX_FADV_WILLNEED, posix_fadvise, pread
from posix import open as open_file

FIRST, OTHERS = "modules-of-the-start.bin", "modules.bin"  # in the application's folder
LENGTH_BYTES = 8  # at the beginning of each file: where its table ends and the modules begin


class Part:
    """One of the two files, which stays open: an update of the package does not take modules from those who run the old one."""

    def __init__(self, path):
        self._file = open_file(path, O_RDONLY | O_CLOEXEC)
        if path.endswith(FIRST):
            posix_fadvise(self._file, 0, 0, POSIX_FADV_WILLNEED)  # in one go from a disk that has to be asked
        size = int.from_bytes(pread(self._file, LENGTH_BYTES, 0), "little")
        self.table = marshal.loads(pread(self._file, size, LENGTH_BYTES))  # noqa: S302 - code of the application itself
        self._begin = LENGTH_BYTES + size

    def code(self, place):
        at, length, packed = place
        data = pread(self._file, length, self._begin + at)
        if packed:
            from zlib import decompress

            data = decompress(data)
        return marshal.loads(data)  # noqa: S302

    def noted(self, what):
        return self.code(self.table[what])


class Loader(SourcelessFileLoader):
    """Gives a module its code with the path that it would have as a file: inspect and tracebacks find what source there is."""

    part = place = None

    def get_code(self, fullname):
        code = self.part.code(self.place)
        _fix_co_filename(code, self.path)
        return code

    def exec_module(self, module):
        super().exec_module(module)
        if module.__name__ == "dataclasses" and "functions" in self.part.table:
            know_functions(module, self.part.noted("functions"))
        elif module.__name__ == "shibokensupport.signature.loader":
            # PySide looks for the source of every module that is imported after it, finds none, and notes just this
            module.feature.pyside_feature_dict.update(dict.fromkeys(self.part.table["modules"], -1))


class Modules:
    """On ``sys.meta_path``, before the folders: all modules of the application, extensions too."""

    def __init__(self, folder):
        self._folder = folder
        self._usual = sys.path[0]
        self.first = Part(folder + "/" + FIRST)
        self._others = None
        self._tops = self.first.table["tops"]  # what is not one of these is not in the second file either

    def find_spec(self, name, path=None, target=None):
        if path is None:
            if sys.path[0] != self._usual:  # engine/cuda/first_import.py puts another build of PyTorch first
                others = sys.path[: sys.path.index(self._usual)] if self._usual in sys.path else sys.path
                found = PathFinder.find_spec(name, others, target)
                if found is not None:
                    return found
        elif not any(place.startswith(self._folder) for place in path):
            return None  # part of a package from elsewhere
        part, entry = self.first, self.first.table["modules"].get(name)
        if entry is None:
            if name.partition(".")[0] not in self._tops:
                return None
            if self._others is None:
                self._others = Part(self._folder + "/" + OTHERS)
            part, entry = self._others, self._others.table["modules"].get(name)
            if entry is None:
                return None
        file, place, package = entry
        file = self._folder + "/" + file
        if package and place is None:  # a folder of modules without code of its own
            spec = ModuleSpec(name, None, is_package=True)
            spec.submodule_search_locations = [file]
            return spec
        if place is None:
            spec = ModuleSpec(name, ExtensionFileLoader(name, file), origin=file)
        else:
            loader = Loader(name, file)
            loader.part, loader.place = part, place
            spec = ModuleSpec(name, loader, origin=file, is_package=package)
            spec.cached = file + "c"  # else the place of a file that is not there is worked out
            if package:
                spec.submodule_search_locations = [file.rpartition("/")[0]]
        spec.has_location = True
        return spec


def know_functions(dataclasses, known):
    """What dataclasses write as text when a class is made: compiled when the application was packed."""
    run = exec

    def of_text(text, globals, names):
        run(known.get(text, text), globals, names)

    dataclasses.exec = of_text


def know_patterns(known):
    """Regular expressions that modules make when they are imported: worked out when the application was packed."""
    import re._compiler as compiler
    from _sre import compile as made

    work_out = compiler.compile

    def compile(pattern, flags=0):
        found = known.get((pattern, flags)) if type(pattern) in (str, bytes) else None
        return made(pattern, *found) if found else work_out(pattern, flags)

    compiler.compile = compile


def install():
    sys.frozen = True  # as PyInstaller's own start does
    modules = Modules(sys._MEIPASS)
    sys.meta_path.insert(0, modules)
    know_patterns(modules.first.noted("patterns"))


if __name__ == "__main__":  # in the same namespace as entry.py, which follows
    install()
