# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What packaging/wheel.py makes of an archive of a few files, and how the window gets into a menu."""
import base64
import configparser
import csv
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

SOURCE = pathlib.Path(__file__).parents[2]
ID = "org.cutaway.Cutaway"


class Archive(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.unpacked = self.folder / "cutaway-1.2-x86_64"
        for name in ("README", "licences/libc6", "share/man/man1/cutaway.1", "share/fonts/a.ttf", "cutaway", "lib/libc.so.6",
                     "python/cutaway/__init__.py", "python/cutaway_record/__init__.py"):
            self.write(self.unpacked / name)
        (self.unpacked / "cutaway").chmod(0o755)
        (self.unpacked / "python/cutaway/bundled").symlink_to("../..")
        os.utime(self.unpacked / "README", (1.7e9, 1.7e9))

    def write(self, path, text="text"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def wheel(self):
        return subprocess.run([sys.executable, "-B", SOURCE / "packaging/wheel.py", self.unpacked, SOURCE, self.folder],
                              check=True, capture_output=True, text=True).stdout.strip()


class Wheel(Archive):
    def test_the_archive_is_in_the_folder_bundled_of_the_package(self):
        with zipfile.ZipFile(self.wheel()) as made:
            names = {name for name in made.namelist() if not name.startswith("cutaway-1.2.dist-info/")}
        self.assertEqual(names, {"cutaway/__init__.py", "cutaway_record/__init__.py", "cutaway/bundled/cutaway",
                                 "cutaway/bundled/lib/libc.so.6", "cutaway/bundled/share/fonts/a.ttf"})

    def test_programs_stay_executable(self):
        with zipfile.ZipFile(self.wheel()) as made:
            modes = {name: made.getinfo(f"cutaway/bundled/{name}").external_attr >> 16 for name in ("cutaway", "lib/libc.so.6")}
        self.assertEqual(modes, {"cutaway": 0o100755, "lib/libc.so.6": 0o100644})

    def test_the_record_has_every_file_and_its_digest(self):
        with zipfile.ZipFile(self.wheel()) as made:
            rows = list(csv.reader(made.read("cutaway-1.2.dist-info/RECORD").decode().splitlines()))
            self.assertEqual([row[0] for row in rows], made.namelist())
            for name, digest, size in rows[:-1]:
                content = made.read(name)
                expected = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
                self.assertEqual((digest, size), (f"sha256={expected}", str(len(content))))
        self.assertEqual(rows[-1], ["cutaway-1.2.dist-info/RECORD", "", ""])

    def test_licences_are_where_pip_has_them(self):
        with zipfile.ZipFile(self.wheel()) as made:
            metadata = made.read("cutaway-1.2.dist-info/METADATA").decode()
            for name in ("LICENSE", "libraries/libc6"):
                self.assertIn(f"\nLicense-File: {name}\n", metadata)
                made.getinfo(f"cutaway-1.2.dist-info/licenses/{name}")
        self.assertIn("\nVersion: 1.2\n", metadata)

    def test_the_same_archive_gives_the_same_bytes(self):
        first = pathlib.Path(self.wheel()).read_bytes()
        os.utime(self.unpacked / "cutaway", (1, 1))
        self.assertEqual(pathlib.Path(self.wheel()).read_bytes(), first)


class Start(unittest.TestCase):
    """packaging/bundled/start.sh as bundle.py writes it, in folders that are not whole."""

    def started(self, machine):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "cutaway-cli"
            program.write_text((SOURCE / "packaging/bundled/start.sh").read_text().replace("@MACHINE@", machine).replace("@LOADER@", "ld.so"))
            program.chmod(0o755)
            run = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
        self.assertEqual((run.returncode, run.stdout), (4, ""))
        return run.stderr

    def test_another_machine_is_a_sentence(self):
        self.assertRegex(self.started("m68k"), rf"\Acutaway: this Cutaway is for m68k, and this machine is {os.uname().machine}: take the one for it.*\n\Z")

    def test_a_folder_without_its_loader_is_a_sentence(self):
        self.assertRegex(self.started(os.uname().machine), r"\Acutaway: /.*/lib/ld.so is missing .*: unpack or install Cutaway again, .*\n\Z")


class Menu(Archive):
    def setUp(self):
        super().setUp()
        self.place = self.folder / 'any "folder" of 5% $HOME'
        shutil.move(self.unpacked, self.place)
        for name in (f"icons/hicolor/scalable/apps/{ID}.svg", f"mime/packages/{ID}.xml"):
            self.write(self.place / "share" / name)
        self.write(self.place / f"share/applications/{ID}.desktop", (SOURCE / f"packaging/desktop/{ID}.desktop").read_text())
        (self.place / "lib/cutaway").mkdir(parents=True)
        shutil.copy(SOURCE / "packaging/bundled/desktop.sh", self.place / "lib/cutaway")
        self.data = self.folder / "data"

    def run_with(self, option):
        return subprocess.run([self.place / "lib/cutaway/desktop.sh", option], capture_output=True, text=True, check=False,
                              env={"PATH": "/usr/bin:/bin", "XDG_DATA_HOME": str(self.data)})

    def test_it_starts_the_program_of_this_folder(self):
        self.assertEqual(self.run_with("--install-desktop").returncode, 0)
        entry = configparser.RawConfigParser()
        entry.read(self.data / f"applications/{ID}.desktop")
        program = str(self.place / "cutaway").replace('"', r'\\"').replace("$", r"\\$").replace("%", "%%")
        self.assertEqual(entry["Desktop Entry"]["Exec"], f'"{program}" %f')
        self.assertTrue((self.data / f"icons/hicolor/scalable/apps/{ID}.svg").exists())
        self.assertTrue((self.data / f"mime/packages/{ID}.xml").exists())

    def test_nothing_of_it_is_left(self):
        self.write(self.data / "applications/other.desktop")
        self.run_with("--install-desktop")
        self.assertEqual(self.run_with("--uninstall-desktop").returncode, 0)
        left = [path for path in self.data.rglob("*") if ID in path.name]
        self.assertEqual((left, (self.data / "applications/other.desktop").exists()), ([], True))

    def test_a_folder_that_cannot_be_written_is_a_sentence(self):
        self.write(self.data)  # a file is in its place
        run = self.run_with("--install-desktop")
        self.assertEqual(run.returncode, 4)
        self.assertRegex(run.stderr, rf"^cutaway: {self.data}/.* cannot be written\n$")


if __name__ == "__main__":
    unittest.main()
