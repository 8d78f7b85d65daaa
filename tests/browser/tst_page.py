#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads interactive pages in Chromium.

usage: tst_page.py CLI                       runs the cases; exit code 1 if one fails, 77 where there is no Chromium
       tst_page.py CLI --pictures FOLDER [MODEL]   writes pictures of a page, and how long Chromium took to the first one
       tst_page.py CLI --axe AXE [MODEL]           asks axe-core, whose axe.min.js AXE is, what keeps whom from reading a page;
                                                   exit code 1 if something serious does
"""
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
SAMPLE = SOURCE / "resources/samples/small_vision.onnx"
HOSTILE = "</script><img src=x onerror=failures.push('run')>\u2028<!--"
OFFLINE = "--host-resolver-rules=MAP * ~NOTFOUND"
# What a case is given: same() notes what differs, and the page's own functions are there.
BEFORE = """
const failures = [];
addEventListener("error", event => failures.push(`error: ${event.message} at ${event.lineno}`));
const same = (what, is, wanted) => {
  if (JSON.stringify(is) !== JSON.stringify(wanted))
    failures.push(`${what}: is ${JSON.stringify(is)}, wanted ${JSON.stringify(wanted)}`);
};
const press = (key, at = document.activeElement) =>
  at.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
"""
AFTER = """
document.body.replaceChildren(Object.assign(document.createElement("pre"),
  { id: "verdict", textContent: failures.length ? failures.join("\\n") : "passed" }));
"""


def browser(folder):
    """The command that starts Chromium, which sees the folder; None where there is none."""
    script = SOURCE / "packaging/browser"
    root = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "cutaway/browser"
    if root.is_dir():
        return [script, folder]
    found = shutil.which("chromium")
    return found and [found, "--headless", "--no-sandbox", "--disable-gpu"]


def write_page(cli, page, model, options):
    subprocess.run([cli, "report", model, "-o", page, "--interactive", *options], check=True)


def hostile_model(cli, folder):
    """The sample with names that are markup and a script."""
    path = folder / "hostile.json"
    subprocess.run([cli, "passes", "run", SAMPLE, "--pipeline", "dead-code", "-o", path], check=True, capture_output=True)
    path.write_text(path.read_text().replace("stem", json.dumps(HOSTILE)[1:-1]))
    return path


def measured(cli, path):
    """A profile of the sample in which the n-th node took n ms."""
    done = subprocess.run([cli, "inspect", SAMPLE, "--json"], check=True, capture_output=True)
    nodes = json.loads(done.stdout)["functions"][0]["nodes"]
    times = [{"parts": [{key: node[key] for key in ("id", "name", "op")}], "ms": {"median": place + 1}}
             for place, node in enumerate(nodes)]
    path.write_text(json.dumps({"schema": "cutaway.profile/1", "model": {"format": "onnx"}, "nodes": times}))
    return path


def verdict_of(command, page):
    done = subprocess.run([*command, OFFLINE, "--dump-dom", page.as_uri()], capture_output=True, text=True, timeout=120,
                          check=False)
    found = re.search(r'<pre id="verdict">(.*?)</pre>', done.stdout, re.DOTALL)
    return found[1] if found else f"the page did not come to its end:\n{done.stderr[-2000:]}"


def run_cases(cli, folder, command):
    failed = 0
    for case in sorted((HERE / "cases").glob("*.js")):
        text = case.read_text()
        model, *options = re.match(r"// (.*)\n", text)[1].split()
        options = [measured(cli, folder / "times.json") if word == "TIMES" else word for word in options]
        page = folder / f"{case.stem}.html"
        write_page(cli, page, SAMPLE if model == SAMPLE.stem else hostile_model(cli, folder), options)
        page.write_text(page.read_text().replace("<head>", f"<head>\n<script>{BEFORE}</script>", 1)
                        .replace("</body>", f"<script>\n{{ {text} }}\n{AFTER}</script>\n</body>"))
        verdict = verdict_of(command, page)
        print(f"{case.stem}: {verdict}")
        failed += verdict != "passed"
    return failed


def take_pictures(cli, folder, command, model):
    page = folder / "page.html"
    write_page(cli, page, model, [])
    wide, narrow = "--window-size=1280,800", "--window-size=400,800"
    for name, options in {"light": [wide], "dark": [wide, "--blink-settings=preferredColorScheme=0"], "phone": [narrow],
                          "none": [wide, "--blink-settings=scriptEnabled=false"]}.items():
        subprocess.run([*command, OFFLINE, *options, f"--screenshot={folder / name}.png", page.as_uri()], check=True,
                       capture_output=True)
    subprocess.run([*command, f"--print-to-pdf={folder / 'paper.pdf'}", "--no-pdf-header-footer", page.as_uri()], check=True,
                   capture_output=True)
    timed = folder / "timed.html"
    timed.write_text(page.read_text().replace("</body>", "<script>document.body.replaceChildren("
                     "Object.assign(document.createElement('pre'), { id: 'verdict',"
                     " textContent: `first picture after ${Math.round(performance.now())} ms` }));</script>\n</body>"))
    print(f"{page.stat().st_size / 1000:.0f} kB, {verdict_of(command, timed)}")


WAYS_TO_READ = {
    "as it is opened": ("", []),
    "coloured, dark": ("byId('figure').value = 0; byId('figure').dispatchEvent(new Event('change'));",
                       ["--blink-settings=preferredColorScheme=0"]),
    "a node on a phone": ("reveal(parts.find(isNode));", ["--window-size=400,800"]),
    "a search": ("byId('search').value = 'conv'; search();", []),
    "a step": ("if (data.states.length) setState(1);", []),
}
ASK_AXE = """
axe.run(document, { resultTypes: ["violations"] }).then(found => document.body.replaceChildren(Object.assign(
  document.createElement("pre"), { id: "verdict", textContent: JSON.stringify(found.violations.map(each =>
    ({ id: each.id, impact: each.impact, help: each.help, where: each.nodes.map(node => node.target.join(" ")) }))) })));
"""


def ask_axe(cli, folder, command, axe, model):
    page, library = folder / "page.html", axe.read_text().replace("</script", "<\\/script")
    write_page(cli, page, model, ["--pipeline", "optimize{contrib=true}"])
    serious = 0
    for name, (act, options) in WAYS_TO_READ.items():
        asked = folder / "asked.html"
        asked.write_text(page.read_text().replace("</body>", f"<script>{library}</script>\n<script>{act}{ASK_AXE}</script>\n</body>"))
        verdict = verdict_of([*command, "--virtual-time-budget=30000", *options], asked)
        found = json.loads(html.unescape(verdict)) if verdict.startswith("[") else [{"impact": "critical", "help": verdict}]
        serious += sum(each["impact"] in ("serious", "critical") for each in found)
        print(f"{name}: {len(found)} findings")
        for each in found:
            print(f"  {each['impact']}: {each['help']} ({', '.join(each.get('where', []))})")
    return 1 if serious else 0


def main():
    cli = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as made:
        wanted = (sys.argv[2:3] or [""])[0]
        folder = pathlib.Path(sys.argv[3]).resolve() if wanted == "--pictures" else pathlib.Path(made)
        command = browser(folder)
        if not command:
            print("there is no Chromium; packaging/browser makes a root with one")
            return 77
        model = sys.argv[4] if sys.argv[4:] else SAMPLE
        if wanted == "--pictures":
            return take_pictures(cli, folder, command, model)
        if wanted == "--axe":
            return ask_axe(cli, folder, command, pathlib.Path(sys.argv[3]), model)
        return 1 if run_cases(cli, folder, command) else 0


if __name__ == "__main__":
    sys.exit(main())
