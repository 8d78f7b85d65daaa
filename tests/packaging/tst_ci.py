# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The shell parts of packaging/ci, run with the built cutaway-cli (CUTAWAY_CLI) in a repository of their own."""
import itertools
import os
import pathlib
import re
import shlex
import subprocess
import tarfile
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).parents[2]
CI = SOURCE / "packaging" / "ci"
SAMPLE = SOURCE / "resources" / "samples" / "small_vision.onnx"
# Keeps what it is asked in a file, and answers the list of comments with one that another run has made.
GH = """#!/bin/sh
echo "$*" >> "$ASKED"
case "$*" in *--paginate*) [ -z "$THERE" ] || echo "$THERE" ;; esac
"""
CURL = """#!/bin/sh
echo "$*" >> "$ASKED"
case "$*" in *per_page*) echo '[{"id": 3, "body": "hello"}, {"id": 8, "body": "<!-- cutaway -->..."}]' ;; esac
"""


XZ = """#!/usr/bin/env python3
import lzma, sys
sys.stdout.buffer.write(lzma.decompress(sys.stdin.buffer.read()))
"""


def block(text, key):
    """The value of a key in one of the YAML files here: on the key's line, in quotes or not, or as lines below it, as text
    behind '|' or as a list."""
    lines = text.splitlines()
    number, (space, value) = next((number, found.groups()) for number, line in enumerate(lines)
                                  if (found := re.match(rf"( *){key}: ?(.*)", line)))
    if value and not value.startswith("|"):
        return value.strip("'")
    below = itertools.takewhile(lambda line: not line.strip() or line.startswith(space + " "), lines[number + 1:])
    return "\n".join(line.strip().removeprefix("- ") for line in below)


class Ci(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()
        self.environment = {**os.environ, "HOME": str(self.folder), "GIT_CONFIG_NOSYSTEM": "1", "ASKED": str(self.folder / "asked"),
                            "PATH": f"{self.folder}/bin:{os.environ['PATH']}"}
        for name in list(self.environment):
            if name.startswith(("CUTAWAY_", "GITHUB_", "CI_")):
                del self.environment[name]
        self.script("bin/cutaway-cli", f'#!/bin/sh\nexec {shlex.quote(os.environ["CUTAWAY_CLI"])} "$@"\n')
        self.repository = self.folder / "repository"
        self.shell("mkdir repository && cd repository && git init -q -b main . && git config user.name a && git config user.email a@b")
        self.commit("models/vision.onnx", SAMPLE.read_bytes())

    def script(self, name, text):
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)

    def shell(self, command, code=0, **environment):
        run = subprocess.run(["bash", "-c", command], cwd=self.folder, env={**self.environment, **environment}, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        self.assertEqual(run.returncode, code, run.stdout)
        return run.stdout

    def commit(self, name, content):
        path = self.repository / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
        self.shell("cd repository && git add -A && git commit -q -m change")

    def changed(self):
        """The sample with other functions where it has Relu."""
        content = SAMPLE.read_bytes().replace(b"\x22\x04Relu", b"\x22\x04Selu")
        self.assertNotEqual(content, SAMPLE.read_bytes())
        return content

    def check(self, code=0, **environment):
        text = self.shell(f"cd repository && {CI}/check", code, **environment)
        comment = self.repository / "cutaway-comment.md"
        return text, comment.read_text() if comment.exists() else None

    def test_what_holds_passes(self):
        text, comment = self.check(CUTAWAY_ASSERT="  nodes<100 \n\nops!~Loop\n", CUTAWAY_OPTIONS="--bind batch=1")
        self.assertEqual(text, "passed  models/vision.onnx (2 assertions)\n")
        self.assertEqual(comment, "<!-- cutaway -->\n")

    def test_what_does_not_hold_fails_and_is_in_the_comment(self):
        text, comment = self.check(1, CUTAWAY_ASSERT="nodes<5\nops!~Conv", CUTAWAY_OPTIONS="--bind batch=1")
        self.assertRegex(text, r"\AFAILED  models/vision.onnx: nodes<5 does not hold: it is \d+\nFAILED  .*: there is onnx::Conv\n\Z")
        self.assertIn("- models/vision.onnx: nodes<5 does not hold: it is ", comment)

    def test_what_is_open_fails(self):
        text, _ = self.check(1, CUTAWAY_ASSERT="flops<8G")
        self.assertIn("models/vision.onnx: flops<8G is not known: it is ", text)

    def test_an_assertion_may_be_for_some_models(self):
        self.commit("other.onnx", SAMPLE.read_bytes())
        text, _ = self.check(1, CUTAWAY_ASSERT="models/*: nodes<5\nops~onnx::Conv")
        self.assertIn("FAILED  models/vision.onnx: nodes<5", text)
        self.assertIn("passed  other.onnx (1 assertions)\n", text)

    def test_a_wrong_assertion_is_named(self):
        text, comment = self.check(2, CUTAWAY_ASSERT="nods<5")
        self.assertIn("unknown figure 'nods'", text)
        self.assertIsNone(comment)

    def test_a_model_that_cannot_be_read_fails(self):
        self.commit("broken.onnx", b"not a model")
        text, _ = self.check(1)
        self.assertIn("FAILED  broken.onnx: ", text)

    def test_no_model_is_no_success(self):
        self.assertIn("no file of this repository is one of *.pt2", self.check(2, CUTAWAY_MODELS="*.pt2")[0])

    def test_the_comment_compares_with_the_base(self):
        self.shell("cd repository && git checkout -q -b change")
        self.commit("models/vision.onnx", self.changed())
        self.commit("new.onnx", SAMPLE.read_bytes())
        summary = self.folder / "summary"
        _, comment = self.check(CUTAWAY_BASE="main", CUTAWAY_OPTIONS="--bind batch=1", GITHUB_STEP_SUMMARY=str(summary))
        self.assertRegex(comment, r"### `before/models/vision.onnx` → `after/models/vision.onnx`: \d+ nodes? changed, 0 removed, 0 added\n")
        self.assertIn("# operator: onnx::Relu -> onnx::Selu\n", comment)
        self.assertIn("### `new.onnx` is new\n", comment)
        self.assertEqual(summary.read_text(), comment)
        self.assertEqual(self.shell("cd repository && git worktree list | wc -l").strip(), "1")

    def test_the_base_is_where_the_branch_began(self):
        self.shell("cd repository && git checkout -q -b change")
        self.commit("note", b"text")
        self.shell("cd repository && git checkout -q main")
        self.commit("models/vision.onnx", self.changed())
        self.shell("cd repository && git checkout -q change")
        self.assertEqual(self.check(CUTAWAY_BASE="main")[1], "<!-- cutaway -->\nNo model differs.\n")

    def test_a_removed_model_is_named(self):
        self.shell("cd repository && git checkout -q -b change && git mv models/vision.onnx moved.onnx && git commit -q -m move")
        comment = self.check(CUTAWAY_BASE="main")[1]
        self.assertIn("### `models/vision.onnx` is removed\n", comment)
        self.assertIn("### `moved.onnx` is new\n", comment)

    def comment(self, tool, script, **environment):
        self.script(f"bin/{tool}", script)
        (self.folder / "c.md").write_text("<!-- cutaway -->\n")
        self.shell(f"{CI}/comment c.md", **environment)
        return (self.folder / "asked").read_text().splitlines()

    def test_a_comment_on_github_takes_the_place_of_an_earlier_one(self):
        github = {"GITHUB_REPOSITORY": "me/it", "CUTAWAY_PULL_REQUEST": "5"}
        asked = self.comment("gh", GH, THERE="", **github)
        self.assertEqual(asked[-1], "api --silent --method POST repos/me/it/issues/5/comments --field body=@c.md")
        asked = self.comment("gh", GH, THERE="77", **github)
        self.assertEqual(asked[-1], "api --silent --method PATCH repos/me/it/issues/comments/77 --field body=@c.md")

    def test_a_comment_on_gitlab_takes_the_place_of_an_earlier_one(self):
        asked = self.comment("curl", CURL, CI_API_V4_URL="https://lab/api/v4", CI_PROJECT_ID="1", CI_MERGE_REQUEST_IID="9", CUTAWAY_TOKEN="t")
        self.assertIn("--request PUT --form body=<c.md https://lab/api/v4/projects/1/merge_requests/9/notes/8", asked[-1])

    def test_outside_of_a_pull_request_there_is_no_comment(self):
        self.assertIn("no pull request", self.shell(f"touch c.md; {CI}/comment c.md"))

    def test_an_archive_is_installed(self):
        self.script("cutaway-1-x86_64/cutaway-cli", "#!/bin/sh\necho version 1\n")
        with tarfile.open(self.folder / "cutaway-1-x86_64.tar.xz", "w:xz") as archive:
            archive.add(self.folder / "cutaway-1-x86_64", "cutaway-1-x86_64")
        self.script("bin/xz", XZ)  # which a machine for tests may lack
        paths = self.folder / "paths"
        text = self.shell(f"{CI}/install cutaway-1-x86_64.tar.xz", GITHUB_PATH=str(paths))
        self.assertEqual(text, paths.read_text())
        self.assertEqual(self.shell(f"{text.strip()}/cutaway-cli"), "version 1\n")
        self.assertIn("its SHA-256 is not 12", self.shell(f"{CI}/install cutaway-1-x86_64.tar.xz 12", 1))
        self.assertIn("only https", self.shell(f"{CI}/install http://it/c.deb", 1))
        self.assertIn("there is no such file", self.shell(f"{CI}/install none.deb", 1))

    def test_the_action_gives_the_scripts_what_they_ask_for(self):
        action, asked = (CI / "action.yml").read_text(), (CI / "check").read_text()
        for name in re.findall(r"^#   (CUTAWAY_\w+) ", asked, re.M):
            self.assertIn(f"        {name}: ${{{{ ", action)
        for name in re.findall(r"inputs\.(\w+)", action):
            self.assertRegex(action, rf"(?m)^  {name}:$")

    def steps(self, values):
        """The steps of the action, as GitHub runs them with these values of its expressions: names and what they said."""
        for step in (CI / "action.yml").read_text().split("    - name: ")[1:]:
            environment = {name: re.sub(r"\${{ (.+?) }}", lambda found: values[found[1]], value)
                           for name, value in re.findall(r"^        ([A-Z0-9_]+): (.+)$", step, re.M)}
            yield step.splitlines()[0], self.shell(f"cd repository\n{block(step, 'run')}", **{"GITHUB_ACTION_PATH": str(CI), **environment})

    def test_the_steps_of_the_action_run(self):
        self.script("cutaway-1-x86_64/cutaway-cli", f'#!/bin/sh\nexec {shlex.quote(os.environ["CUTAWAY_CLI"])} "$@"\n')
        with tarfile.open(self.folder / "cutaway-1-x86_64.tar.xz", "w:xz") as archive:
            archive.add(self.folder / "cutaway-1-x86_64", "cutaway-1-x86_64")
        self.script("bin/xz", XZ)
        self.script("bin/gh", GH)
        output = self.folder / "output"
        self.environment.update(GITHUB_OUTPUT=str(output), GITHUB_PATH=str(self.folder / "paths"), GITHUB_REPOSITORY="me/it", THERE="")
        comment = str(self.folder / "cutaway-comment.md")
        said = dict(self.steps({
            "inputs.package": str(self.folder / "cutaway-1-x86_64.tar.xz"), "inputs.sha256": "", "inputs.models": "*.onnx",
            "inputs.assert": "nodes<100", "inputs.options": "--bind batch=1", "inputs.base": "main", "inputs.token": "t",
            "runner.temp": str(self.folder), "steps.check.outputs.comment": comment, "github.event.pull_request.number": "5"}))
        self.assertEqual(list(said), ["Install Cutaway", "Check the models", "Comment on the pull request"])
        self.assertEqual(said["Check the models"], "passed  models/vision.onnx (1 assertions)\n")
        self.assertEqual(output.read_text(), f"comment={comment}\n")
        self.assertIn("--method POST repos/me/it/issues/5/comments", (self.folder / "asked").read_text())

    def test_the_job_of_gitlab_runs(self):
        job = (CI / "gitlab.yml").read_text()
        self.script("bin/apt-get", '#!/bin/sh\necho "apt-get $*" >> "$ASKED"\n')
        self.script("bin/curl", '#!/bin/sh\necho "curl $*" >> "$ASKED"\n')
        gitlab = {"CUTAWAY_PACKAGE": "https://it/c.deb", "CUTAWAY_BASE": "main", "CUTAWAY_COMMENT": block(job, "CUTAWAY_COMMENT")}
        for part in ("before_script", "script", "after_script"):
            said = self.shell("set -e; cd repository\n" + block(job, part).replace("/usr/share/cutaway/ci/", f"{CI}/"), **gitlab)
            if part == "script":
                self.assertEqual(said, "passed  models/vision.onnx (0 assertions)\n")
        asked = (self.folder / "asked").read_text()
        self.assertRegex(asked, r"\ncurl .* --output ../cutaway.deb https://it/c.deb\napt-get install .* ../cutaway.deb\n\Z")
        self.assertTrue((self.repository / block(job, "paths").strip("[]")).exists())


if __name__ == "__main__":
    unittest.main()
