#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""bundle.py ROOT VERSION MACHINE FOLDER: out of a Debian 13 root in which Cutaway is installed for a machine, x86_64 or
aarch64, writes into FOLDER what packaging/bundle packs: the folder cutaway-VERSION-MACHINE and, where the plugin torch is
installed, the same folder below torch, with that plugin alone.

Each has the dynamic loader and all libraries that its programs need, down to libc. A plugin has its own, for its sandbox
shows it only its own folder; files that both have are one file with two names.
"""
import dataclasses
import functools
import os
import pathlib
import py_compile
import re
import shutil
import subprocess
import sys

OTHERS = {"first": ["rsvg-convert"], "last": ["bwrap"]}  # which Cutaway starts by their name
QT_PLUGINS = ["iconengines/libqsvgicon.so", "imageformats/libqsvg.so", "platforms/libqxcb.so", "platforms/libqoffscreen.so",
              "platforms/libqminimal.so", "platforms/libqwayland-generic.so", "platforminputcontexts/*.so",
              "platformthemes/libqxdgdesktopportal.so", "wayland-shell-integration/libxdg-shell.so",
              "wayland-decoration-client/*.so", "printsupport/libcupsprintersupport.so"]
FONTS = ["opentype/inter/Inter-Regular.otf", "opentype/inter/Inter-Medium.otf", "opentype/inter/Inter-SemiBold.otf",
         "opentype/inter/Inter-Bold.otf", "opentype/inter/Inter-Italic.otf", "truetype/dejavu/DejaVuSans.ttf",
         "truetype/dejavu/DejaVuSans-Bold.ttf", "truetype/dejavu/DejaVuSansMono.ttf", "truetype/dejavu/DejaVuSansMono-Bold.ttf",
         "truetype/jetbrains-mono/JetBrainsMono-Regular.ttf", "truetype/jetbrains-mono/JetBrainsMono-Medium.ttf",
         "truetype/jetbrains-mono/JetBrainsMono-Bold.ttf", "truetype/jetbrains-mono/JetBrainsMono-Italic.ttf"]
# what a program of a plugin runs as, with its own loader and libraries
COMMANDS = {
    '["${plugin}/cutaway-onnxruntime"]':
        '["${plugin}/lib/LOADER", "--library-path", "${plugin}/lib", "${plugin}/cutaway-onnxruntime"]',
    '["sh", "-c", "exec \\"$0\\" 3 3>&1 1>&2", "${plugin}/cutaway-torch"]':
        '["sh", "-c", "exec \\"$0\\" --library-path \\"$1\\" \\"$2\\" 3 3>&1 1>&2", "${plugin}/lib/LOADER", "${plugin}/lib", '
        '"${plugin}/cutaway-torch"]'}


@dataclasses.dataclass
class Machine:
    name: str  # as uname has it
    loader: str  # of dynamic libraries

    @property
    def libraries(self):
        return f"usr/lib/{self.name}-linux-gnu"


MACHINES = {machine.name: machine for machine in (Machine("x86_64", "ld-linux-x86-64.so.2"),
                                                  Machine("aarch64", "ld-linux-aarch64.so.1"))}


class Root:
    """A Debian root seen from outside, whose links are followed inside."""

    def __init__(self, folder, machine):
        self.folder, self.machine = pathlib.Path(folder), machine

    def real(self, path):
        """The file that a path in the root is, without its links; None if there is none."""
        parts, done = list(pathlib.PurePosixPath(path).parts), pathlib.PurePosixPath()
        while parts:
            part = parts.pop(0)
            if part == "/":
                done = pathlib.PurePosixPath()
            elif part == "..":
                done = done.parent
            elif (self.folder / done / part).is_symlink():
                parts = list(pathlib.PurePosixPath(os.readlink(self.folder / done / part)).parts) + parts
            else:
                done /= part
        return done if (self.folder / done).exists() else None

    def matching(self, folder, pattern):
        """The files of a folder that a pattern names, at least one."""
        found = sorted((self.folder / folder).glob(pattern))
        if not found:
            raise SystemExit(f"bundle: there is no {folder}/{pattern} in {self.folder}")
        return [path.relative_to(self.folder) for path in found]

    def find(self, name, beside):
        """A library by the name that others know it by."""
        for folder in [*beside, self.machine.libraries, "usr/lib"]:
            if found := self.real(f"{folder}/{name}"):
                return found
        raise SystemExit(f"bundle: the library {name} is not in {self.folder}")

    @functools.cache
    def needed(self, path):
        """What an ELF file says it needs, and where it looks first."""
        said = subprocess.run(["readelf", "-dW", str(self.folder / path)], capture_output=True, text=True, check=True).stdout
        paths = re.findall(r"\(RUNPATH\).*\[(.*)\]", said)
        beside = [part.replace("$ORIGIN", "/" + str(path.parent)) for line in paths for part in line.split(":")]
        return re.findall(r"\(NEEDED\).*\[(.*)\]", said), [part.lstrip("/") for part in beside if part]

    def closure(self, programs):
        """All libraries that the programs need, by their names."""
        libraries, waiting = {}, list(programs)
        while waiting:
            names, beside = self.needed(waiting.pop())
            for name in names:
                if name not in libraries:
                    libraries[name] = self.find(name, beside)
                    waiting.append(libraries[name])
        return libraries

    @functools.cached_property
    def owners(self):
        """The package that each file belongs to."""
        owners = {}
        for listing in (self.folder / "var/lib/dpkg/info").glob("*.list"):
            for line in listing.read_text().splitlines():
                owners[line.lstrip("/")] = listing.name.removesuffix(".list").split(":")[0]
        return owners

    def owner(self, path):
        """Of a file without links; packages name some without the /usr that is a link today."""
        return self.owners.get(str(path)) or self.owners.get(str(path).removeprefix("usr/"))


class Bundle:
    """A folder that is filled from the root."""

    def __init__(self, root, version, folder):
        self.root, self.version, self.folder, self.files = root, version, folder, {}
        self.machine = root.machine

    def add(self, source, place, mode=None):
        """A file of the root, once: the same one elsewhere is a link to it."""
        target = self.folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.exists():
            return
        if source in self.files:
            os.link(self.files[source], target)
            return
        shutil.copyfile(self.root.folder / source, target)
        executable = os.access(self.root.folder / source, os.X_OK) and ".so" not in target.name
        target.chmod(mode or (0o755 if executable or target.name == self.machine.loader else 0o644))
        self.files[source] = target

    def compile(self, source, place):
        """A file of Python, so that no other Python compiles it for itself; the same file gives the same bytes."""
        target = self.folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        py_compile.compile(str(self.root.folder / source), str(target), pathlib.PurePath(place).name, doraise=True,
                           invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
        target.chmod(0o644)

    def add_libraries(self, programs, place):
        loader = self.machine.loader
        self.add(self.root.real(f"{self.machine.libraries}/{loader}"), f"{place}/{loader}")
        for name, source in sorted(self.root.closure(programs).items()):
            self.add(source, f"{place}/{name}")

    def write(self, place, text, mode=0o644):
        target = self.folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
        target.chmod(mode)

    def add_plugin(self, name, place):
        source = f"usr/lib/cutaway/plugins/{name}"
        program = pathlib.PurePosixPath(source) / f"cutaway-{name}"
        programs = [program]
        if name == "onnxruntime":  # it loads the library as it runs
            found, = {self.root.real(path.relative_to(self.root.folder))
                      for path in (self.root.folder / self.machine.libraries).glob("libonnxruntime.so.*")}
            programs.append(found)
            soname = re.search(rb"libonnxruntime\.so\.[0-9.]+", (self.root.folder / program).read_bytes())[0].decode()
            self.add(found, f"{place}/lib/{soname}")
        self.add(program, f"{place}/{program.name}")
        self.add_libraries(programs, f"{place}/lib")
        manifest = (self.root.folder / source / "plugin.json").read_text()
        command, = [line for line in COMMANDS if line in manifest]
        self.write(f"{place}/plugin.json", manifest.replace(command, COMMANDS[command].replace("LOADER", self.machine.loader)))

    def add_module(self, client):
        """The module for Python with the Python that it is for, and the package by which any other Python calls it."""
        root, place = self.root, "lib/cutaway/python"
        python = root.real("usr/bin/python3")
        if python.name != "python{}.{}".format(*sys.version_info):
            raise SystemExit(f"bundle: {python.name} is not the Python that compiles for it")
        packages = pathlib.PurePosixPath("usr/lib/python3/dist-packages")
        module, = root.matching(packages, "cutaway.*.so")
        self.add(python, f"{place}/bin/python3")
        self.add(module, f"{place}/lib/{python.name}/lib-dynload/{module.name}")
        self.add_libraries([python, module], "lib")
        library = f"usr/lib/{python.name}/"
        for name in sorted(name for name, owner in root.owners.items() if owner == f"lib{python.name}-minimal"):
            if name.startswith(library) and name.endswith(".py"):
                self.compile(name, f"{place}/lib/{python.name}/{name.removeprefix(library)}c")
        self.compile((client / "serve.py").absolute(), f"{place}/serve.pyc")
        for name in ["cutaway_live", "cutaway_record", "cutaway_remote", "cutaway_window"]:
            for path in sorted((root.folder / packages / name).iterdir()):
                if path.is_file():
                    self.add(path.relative_to(root.folder), f"python/{name}/{path.name}")
        stubs = root.folder / packages / "cutaway-stubs/__init__.pyi"
        subprocess.run([sys.executable, "-B", client / "from_stubs.py", stubs, self.version, self.folder / "python"], check=True)
        (self.folder / "python/cutaway/bundled").symlink_to("../..")  # where the package looks for programs

    def add_licences(self, place):
        for owner in sorted({self.root.owner(source) for source in self.files} - {None}):
            if text := self.root.real(f"usr/share/doc/{owner}/copyright"):
                self.add(text, f"{place}/{owner}")
        unknown = [str(source) for source in self.files if not self.root.owner(source)]
        if unknown:
            raise SystemExit(f"bundle: of no package, so of no known licence: {unknown}")


def text_for(machine, path):
    """A text for this machine."""
    return path.read_text().replace("@MACHINE@", machine.name).replace("@LOADER@", machine.loader)


def whole(root, version, folder, bundled):
    """The folder of the programs."""
    made = Bundle(root, version, folder)
    programs = {name: root.real(f"usr/bin/{name}") for name in ["cutaway", "cutaway-cli", *OTHERS["first"], *OTHERS["last"]]}
    for name, source in programs.items():
        made.add(source, f"lib/cutaway/bin/{name}")
    loaded = list(programs.values())
    for pattern in QT_PLUGINS:
        for source in root.matching(f"{root.machine.libraries}/qt6/plugins", pattern):
            made.add(source, f"lib/{source.relative_to(root.machine.libraries)}")
            loaded.append(source)
    made.add_libraries(loaded, "lib")
    made.add_plugin("onnxruntime", "lib/cutaway/plugins/onnxruntime")
    if "python3-cutaway" in root.owners.values():
        made.add_module(bundled.parent.parent / "app/python/client")
    for path in sorted((root.folder / "usr/lib/cutaway/plugins").rglob("*")):
        source = path.relative_to(root.folder)
        if path.is_file() and source.parts[4] not in ("onnxruntime", "torch"):  # those that are plain Python
            made.add(source, f"lib/cutaway/plugins/{source.relative_to('usr/lib/cutaway/plugins')}")
    for pattern in FONTS:
        for source in root.matching("usr/share/fonts", pattern):
            made.add(source, f"share/fonts/{source.name}")
    for part in ["man/man1/cutaway", "doc/cutaway/", "bash-completion/completions/cutaway", "zsh/vendor-completions/_cutaway",
                 "fish/vendor_completions.d/cutaway", "icons/hicolor", "applications/org.cutaway", "mime/packages/org.cutaway",
                 "metainfo/org.cutaway"]:
        for listed in sorted(name for name, owner in root.owners.items() if owner == "cutaway"):
            if listed.startswith(f"usr/share/{part}") and (root.folder / listed).is_file():
                made.add(pathlib.PurePosixPath(listed), listed.removeprefix("usr/"))
    for name in ["cutaway", "cutaway-cli"]:
        made.write(name, text_for(root.machine, bundled / "start.sh"), 0o755)
    for kind, names in OTHERS.items():
        for name in names:
            made.write(f"lib/cutaway/{kind}/{name}", text_for(root.machine, bundled / "start-other.sh"), 0o755)
    made.write("lib/cutaway/desktop.sh", (bundled / "desktop.sh").read_text(), 0o755)
    made.write("lib/cutaway/fonts.conf", (bundled / "fonts.conf").read_text())
    made.write("lib/qt.conf", "[Paths]\nPrefix = .\nPlugins = qt6/plugins\n")
    made.write("README", text_for(root.machine, bundled / "README").replace("@VERSION@", version))
    made.add_licences("licences")


def main():
    root, version, folder = Root(sys.argv[1], MACHINES[sys.argv[3]]), sys.argv[2], pathlib.Path(sys.argv[4])
    bundled = pathlib.Path(__file__).parent / "bundled"
    name = f"cutaway-{version}-{root.machine.name}"
    whole(root, version, folder / name, bundled)
    if root.real("usr/lib/cutaway/plugins/torch/cutaway-torch"):
        torch, place = Bundle(root, version, folder / "torch" / name), "lib/cutaway/plugins/torch"
        torch.add_plugin("torch", place)
        torch.add_licences(f"{place}/licences")


if __name__ == "__main__":
    main()
