# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What .ci/alone says of a project of one unit with two sources."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).parents[2] / ".ci/alone"


class Alone(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = pathlib.Path(folder.name).resolve()
        self.write(".ci/alone", SCRIPT.read_text())
        self.write("core/first.h", "#pragma once\n#include <string>\nstd::string first();\n")
        self.write("core/first.cpp", '#include "core/first.h"\nstd::string first() { return {}; }\n')
        self.write("core/second.h", "#pragma once\n#include <string>\nstd::string second();\n")
        self.write("core/second.cpp", '#include "core/second.h"\nstd::string second() { return {}; }\n')
        self.write("core/only.h", "#pragma once\n#include <string>\ninline std::string only() { return {}; }\n")
        unit = self.tree / "build/core/Unity/unit.cxx"
        self.write("build/core/Unity/unit.cxx", "".join(f'#include "{self.tree}/core/{name}.cpp"\n' for name in ("first", "second")))
        command = f"{shutil.which('ccache') or ''} c++ -I{self.tree} -O2 -Werror -Wall -o unit.o -c {unit}"
        self.write("build/compile_commands.json", json.dumps([{"directory": str(self.tree / "build"), "command": command,
                                                               "file": str(unit), "output": "unit.o"}]))

    def write(self, path, text):
        file = self.tree / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def told(self, code=0):
        run = subprocess.run([sys.executable, "-B", self.tree / ".ci/alone", self.tree / "build"], capture_output=True, text=True,
                             check=False, env={**os.environ, "XDG_CACHE_HOME": str(self.tree / "cache")})
        self.assertEqual(run.returncode, code, run.stdout + run.stderr)
        return run.stdout

    def test_sources_and_headers_that_stand_alone_pass_once(self):
        self.assertEqual(self.told(), "3 sources and headers, 0 of them known to compile alone, 0 do not\n")
        self.assertEqual(self.told(), "3 sources and headers, 3 of them known to compile alone, 0 do not\n")

    def test_a_source_that_lives_on_its_neighbour_is_named(self):
        self.write("core/second.cpp", '#include "core/second.h"\nstd::string second() { return first(); }\n')
        text = self.told(1)
        self.assertIn("core/second.cpp does not compile alone:\n", text)
        self.assertIn("‘first’ was not declared", text.replace("'first'", "‘first’"))
        self.assertIn("3 sources and headers, 0 of them known to compile alone, 1 do not\n", text)
        self.assertIn("2 of them known", self.told(1))

    def test_a_header_that_lives_on_its_includers_is_named(self):
        self.write("core/only.h", "#pragma once\ninline std::string only() { return {}; }\n")
        self.assertIn("core/only.h does not compile alone:\n", self.told(1))

    def test_a_header_that_its_source_does_not_include_first_is_checked(self):
        self.write("core/second.h", "#pragma once\nstd::string second();\n")
        self.write("core/second.cpp", '#include <string>\n#include "core/second.h"\nstd::string second() { return {}; }\n')
        self.assertIn("core/second.h does not compile alone:\n", self.told(1))

    def test_another_header_is_another_text_and_another_comment_is_not(self):
        self.told()
        self.write("core/first.h", "#pragma once\n// The first one.\n#include <string>\nstd::string first();\n")
        self.assertIn("3 of them known", self.told())
        self.write("core/first.h", "#pragma once\n#include <string>\nstd::string first();\nstd::string other();\n")
        self.assertIn("2 of them known", self.told())


if __name__ == "__main__":
    unittest.main()
