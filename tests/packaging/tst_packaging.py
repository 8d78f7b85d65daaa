# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the scripts of packaging/ tell and return, on a project of a few commands and in an environment that is this one."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest

SCRIPTS = pathlib.Path(__file__).parents[2] / "packaging"
PRESETS = """{"version": 6, "configurePresets": [
  {"name": "release", "generator": "Ninja", "binaryDir": "${sourceDir}/build/release"}]}"""
PROJECT = """cmake_minimum_required(VERSION 3.25)
project(few LANGUAGES NONE)
foreach(name cutaway cutaway-cli)
  add_custom_target(${name} ALL)
endforeach()
add_custom_command(OUTPUT plugin COMMAND sh ${CMAKE_SOURCE_DIR}/plugin.sh COMMAND touch plugin)
add_custom_target(plugins ALL DEPENDS plugin)
"""
WINDOW = "#!/bin/sh\necho open\nsleep $OPEN_SECONDS\nexit $WINDOW_CODE\n"


class Packaging(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = pathlib.Path(folder.name)
        shutil.copytree(SCRIPTS, self.tree / "packaging")
        self.write("packaging/env", '#!/bin/sh\ncase $1 in --with-*) shift ;; esac\nCUTAWAY_ENV=here exec "$@"\n')
        self.write("CMakePresets.json", PRESETS)
        self.write("CMakeLists.txt", PROJECT)
        self.write("plugin.sh", "")
        self.write("model.onnx", "")
        self.write("build/release/app/desktop/cutaway", WINDOW)
        self.environment = {**os.environ, "XDG_CACHE_HOME": str(self.tree / "cache"), "TERM": "dumb", "OPEN_SECONDS": "0",
                            "WINDOW_CODE": "0"}
        for name in ("CUTAWAY_ENV", "CUTAWAY_STEPS", "CUTAWAY_CMAKE_OPTIONS", "CMAKE_BUILD_PARALLEL_LEVEL", "DISPLAY",
                     "WAYLAND_DISPLAY"):
            self.environment.pop(name, None)

    def write(self, path, text):
        file = self.tree / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(0o755)

    def start(self, *command, **environment):
        return subprocess.Popen([self.tree / "packaging" / command[0], *command[1:]], cwd=self.tree, text=True,
                                env={**self.environment, **environment}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)

    def told(self, *command, code=0, **environment):
        with self.start(*command, **environment) as process:
            text = process.communicate()[0]
        self.assertEqual(process.returncode, code, text)
        return text

    def test_a_build_tells_its_steps_and_passes_on_what_compilers_say(self):
        self.write("plugin.sh", "echo 'a.cpp:1: warning: odd'")
        text = self.told("build", "release")
        self.assertIn("cutaway: step 3 of 4, configuring the preset release", text)
        self.assertIn("cutaway: step 4 of 4, compiling (", text)
        self.assertIn("\na.cpp:1: warning: odd\n", text)
        self.assertNotIn("@", text)
        text = self.told("build", "release")
        self.assertIn("cutaway: step 3 of 4, configuring: already there", text)
        self.assertIn("cutaway: step 4 of 4, compiling: already there", text)

    def test_other_options_configure_again(self):
        self.told("build", "release")
        text = self.told("build", "release", CUTAWAY_CMAKE_OPTIONS="-DONE=1 -DTWO=2")
        self.assertIn("configuring the preset", text)
        self.assertIn("TWO:UNINITIALIZED=2", (self.tree / "build/release/CMakeCache.txt").read_text())

    def test_what_stopped_a_build_is_told_in_a_sentence(self):
        for said, sentence in (("ld: No space left on device", "cutaway: the disk is full"),
                               ("c++: fatal error: Killed signal terminated program cc1plus", "cutaway: memory ran out"),
                               ("a.cpp:1: error: no", "cutaway: the preset release could not be built")):
            self.write("plugin.sh", f"echo '{said}'; exit 1")
            text = self.told("build", "release", code=1)
            self.assertIn(said, text)
            self.assertIn(sentence, text.splitlines()[-1])
        self.write("plugin.sh", "")
        self.told("build", "release")

    def test_little_memory_means_fewer_jobs(self):
        self.write("meminfo", "MemTotal: 9999999 kB\nMemAvailable: 1024000 kB\n")
        self.write("bin/nproc", "#!/bin/sh\necho 4\n")
        path = f"{self.tree}/bin:{os.environ['PATH']}"
        text = self.told("build", "release", CUTAWAY_MEMINFO="meminfo", PATH=path)
        self.assertIn("cutaway: compiling 1 at a time, not 4: 1000 MiB of memory are free", text)
        text = self.told("build", "release", CUTAWAY_MEMINFO="meminfo", PATH=path, CMAKE_BUILD_PARALLEL_LEVEL="2")
        self.assertNotIn("at a time", text)

    def test_two_builds_wait_for_each_other(self):
        self.write("plugin.sh", "sleep 2")
        with self.start("build", "release") as first:
            while not (self.tree / "build/release/configured").exists():
                time.sleep(0.05)
            text = self.told("build", "release")
            self.assertIn("cutaway: waiting for another call that builds in build/release", text)
            self.assertIn("compiling: already there", text)
            first.communicate()
        self.assertEqual(first.returncode, 0)

    def test_a_stopped_build_goes_on(self):
        self.write("plugin.sh", "touch began; sleep 60")
        with self.start("build", "release") as process:
            while not (self.tree / "build/release/began").exists():
                time.sleep(0.05)
            os.killpg(process.pid, 2) # as Ctrl+C does
            self.assertIn("cutaway: stopped; the next call goes on from there", process.communicate()[0])
        self.assertEqual(process.returncode, 130)
        self.write("plugin.sh", "")
        self.told("build", "release")

    def test_the_window_opens_before_the_plugins_are_built(self):
        self.write("plugin.sh", "sleep 1")
        text = self.told("run", "model.onnx", DISPLAY=":9", OPEN_SECONDS="5")
        self.assertLess(text.index("\nopen\n"), text.index("cutaway: the plugins are built"))
        self.assertIn("step 5 of 5, opening the window on model.onnx", text)
        self.assertNotIn("plugins", self.told("run", "model.onnx", DISPLAY=":9", OPEN_SECONDS="6"))

    def test_plugins_that_fail_leave_the_window_alone(self):
        self.write("plugin.sh", "exit 1")
        text = self.told("run", "model.onnx", DISPLAY=":9", OPEN_SECONDS="4")
        self.assertIn("cutaway: the plugins could not be built, so models cannot be run", text)

    def test_the_exit_code_is_the_windows(self):
        self.told("run", "model.onnx", DISPLAY=":9", WINDOW_CODE="7", code=7)

    def test_a_request_inside_an_environment(self):
        shutil.copy(SCRIPTS / "env", self.tree / "packaging/env")
        self.assertEqual(self.told("env", "echo", "ran", CUTAWAY_ENV="another"), "ran\n")
        self.assertIn("cutaway: this is inside an environment without the packages of --with-tests",
                      self.told("env", "--with-tests", "true", CUTAWAY_ENV="another", code=1))
        self.assertIn("cutaway: this is inside an environment without the packages of --with-packaging",
                      self.told("env", "--with-packaging", "true", CUTAWAY_ENV="another", code=1))
        self.assertIn("cutaway: this is inside an environment without the packages of --with-manual",
                      self.told("env", "--with-manual", "true", CUTAWAY_ENV="another", code=1))
        self.assertIn("cutaway: this is inside an environment without the packages of --for-arm64",
                      self.told("env", "--for-arm64", "true", CUTAWAY_ENV="another", code=1))
        self.assertIn("usage", self.told("env", "--with-tests", code=2))


if __name__ == "__main__":
    unittest.main()
