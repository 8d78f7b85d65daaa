# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What .ci/compiling says of builds: programs that take some processor time and write what the compiler cache would."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).parents[2]
BUSY = "end=$1\nwhile [ $end -gt 0 ]; do end=$((end - 1)); done\n"
BUILD = f"""#!/bin/sh
for each in 1 2 3 4; do printf '# /%s.cpp\\n%s\\n' $each cache_miss; done >> $CCACHE_STATSLOG
for each in $CACHED; do printf '# /%s.cpp\\n%s\\n' $each direct_cache_hit; done >> $CCACHE_STATSLOG
set -- 400000
{BUSY}exit $BUILD_CODE
"""
COMPILER = f"""#!/bin/sh
while [ "$1" != -o ]; do shift; done
echo object > $2
set -- 100000
{BUSY}"""


class Compiling(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = pathlib.Path(folder.name)
        shutil.copytree(SOURCE / ".ci", self.tree / ".ci")
        for name, text in {"packaging/env": '#!/bin/sh\nshift\nexec "$@"\n', "build.sh": BUILD, "compiler": COMPILER}.items():
            (self.tree / name).parent.mkdir(exist_ok=True)
            (self.tree / name).write_text(text)
            (self.tree / name).chmod(0o755)

    def told(self, most, cached="", build_code=0):
        environment = {**os.environ, "CXX": str(self.tree / "compiler"), "CACHED": cached, "BUILD_CODE": str(build_code)}
        done = subprocess.run([".ci/compiling", str(most), "./build.sh"], cwd=self.tree, capture_output=True, text=True,
                              env=environment, check=False)
        return done.returncode, done.stdout + done.stderr

    def test_a_first_build_is_held_to_its_multiple_of_the_reference(self):
        code, text = self.told(40)
        self.assertEqual(code, 0, text)
        self.assertRegex(text, r"^4 objects took \d+ s of processor time, \d+ times the reference of \d+\.\d\d s; at most 40 times$")
        code, text = self.told(1)
        self.assertEqual(code, 1, text)

    def test_what_came_from_the_compiler_cache_is_not_held(self):
        code, text = self.told(0, cached="5")
        self.assertEqual((code, text), (0, "compiled 4 of 5 objects, the others are the compiler cache's: no first build\n"))

    def test_a_build_that_fails_is_its_failure(self):
        self.assertEqual(self.told(40, build_code=7), (7, ""))


if __name__ == "__main__":
    unittest.main()
