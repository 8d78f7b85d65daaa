#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ends surveys, their workers and their disk at random moments; what is in the database at last has to be as if nothing had.

usage: survey_kills.py CUTAWAY_CLI FOLDER [--rounds 10] [--copies 1] [--seed N]

The models of FOLDER are linked --copies times. For each of the survey itself, its workers, a limit of the size of files and,
as root, a full disk (a small tmpfs that grows), a survey is started and disturbed --rounds times, the last start is left alone,
and its rows are compared with those of a survey that was never disturbed. Prints what it did; exit code 1 if a row is missing,
doubled or another. Schedulers of clusters are ended by tests/python/tst_cluster.py.
"""
import argparse
import contextlib
import os
import pathlib
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

SUFFIXES = {".onnx", ".pt", ".pt2", ".ptl"}
MARK = "CUTAWAY_SURVEY_KILLS"
OWN_MOUNTS = "CUTAWAY_SURVEY_KILLS_MOUNTS"
ROWS = {  # of a model's rows everything but how long it took
    "models": "SELECT path, state, message, graph, format, producer, inputs, outputs, nodes, parameters, weight_bytes FROM models",
    "costs": "SELECT path, request, flops, flops_formula, other_flops, peak_bytes FROM costs JOIN models ON id = model",
    "operators": "SELECT path, dialect, operators.name, overload, count, flops FROM operators JOIN models ON id = model",
    "modules": "SELECT models.path, position, modules.path, class FROM modules JOIN models ON id = model",
    "findings": "SELECT path, severity, code, count FROM diagnostics JOIN models ON id = model",
}


def linked(folder, copies, place):
    models = sorted(path for path in folder.rglob("*") if path.suffix in SUFFIXES and path.is_file())
    for copy in range(copies):
        (place / str(copy)).mkdir(parents=True)
        for number, model in enumerate(models):
            (place / str(copy) / f"{number}{model.suffix}").symlink_to(model.resolve())
    return len(models) * copies


def rows_of(database):
    with contextlib.closing(sqlite3.connect(database)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",), "the database is damaged"
        return {name: sorted(map(repr, connection.execute(sql))) for name, sql in ROWS.items()}


class Surveys:
    def __init__(self, cli, models, database):
        self.command = [cli, "survey", str(models), "-o", str(database), "--timeout", "300"]
        self.mark = str(database)

    def start(self, limit=None):
        def limited():
            if limit is not None:
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        return subprocess.Popen(self.command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, preexec_fn=limited,
                                restore_signals=False, env={**os.environ, MARK: self.mark})

    def workers(self):
        found = []
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                command = pathlib.Path("/proc", name, "cmdline").read_bytes()
                if command.endswith(b"survey\0--worker\0") and f"{MARK}={self.mark}".encode() in pathlib.Path("/proc", name, "environ").read_bytes():
                    found.append(int(name))
            except OSError:
                pass  # it has ended
        return found

    def finish(self):
        last = subprocess.run(self.command, capture_output=True, text=True, check=False)
        assert last.returncode == 0, last.stderr


def kill_survey(surveys, moment):
    survey = surveys.start()
    time.sleep(moment)
    survey.kill()
    survey.communicate()
    return survey.returncode == -signal.SIGKILL


def kill_worker(surveys, moment):
    survey = surveys.start()
    time.sleep(moment)
    workers = surveys.workers()
    killed = False
    for worker in workers[:1]:
        try:
            os.kill(worker, signal.SIGKILL)
            killed = True
        except ProcessLookupError:
            pass
    time.sleep(0.05)
    survey.kill()  # else there is nothing left for the next round
    survey.communicate()
    return killed


def fill_disk(surveys, share, whole):
    survey = surveys.start(limit=max(8192, int(whole * share)))
    message = survey.communicate()[1]
    assert survey.returncode in (0, 3, 4), f"exit code {survey.returncode}: {message}"
    return survey.returncode != 0


def has_own_mounts():
    """Whether this process may mount; as root it starts anew where its mounts are its own."""
    if os.geteuid() != 0:
        return False
    if os.environ.get(OWN_MOUNTS) is None:
        os.environ[OWN_MOUNTS] = "no"
        if subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False).returncode == 0:
            os.environ[OWN_MOUNTS] = "yes"
            os.execvp("unshare", ["unshare", "--mount", sys.executable, "-B", *sys.argv])
    return os.environ[OWN_MOUNTS] == "yes"


class SmallDisk:
    """A tmpfs in a folder."""

    def __init__(self, folder):
        folder.mkdir()
        self.folder = folder

    def __enter__(self):
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", self.folder], check=True)
        return self

    def __exit__(self, *_):
        subprocess.run(["umount", self.folder], check=True)

    def resize(self, size):
        subprocess.run(["mount", "-o", f"remount,size={max(size, 65536)}", self.folder], check=True)


def fill_tmpfs(surveys, disk, size):
    disk.resize(size)
    survey = surveys.start()
    message = survey.communicate()[1]
    assert survey.returncode in (0, 3, 4), f"exit code {survey.returncode}: {message}"
    assert survey.returncode == 0 or "full" in message or "disk" in message, message
    return survey.returncode != 0


def differences(reference, rows):
    for name in ROWS:
        missing, more = set(reference[name]) - set(rows[name]), set(rows[name]) - set(reference[name])
        if missing or more or len(reference[name]) != len(rows[name]):
            yield f"{name}: {len(reference[name])} rows, now {len(rows[name])}; " + "; ".join(
                [f"missing {row}" for row in sorted(missing)[:3]] + [f"more {row}" for row in sorted(more)[:3]])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cli")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--copies", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    may_mount = has_own_mounts()
    chance, faults = random.Random(options.seed), 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        count = linked(options.folder, options.copies, folder / "zoo")
        begun = time.monotonic()
        Surveys(options.cli, folder / "zoo", folder / "whole.db").finish()
        seconds = time.monotonic() - begun
        reference = rows_of(folder / "whole.db")
        whole = (folder / "whole.db").stat().st_size
        print(f"{count} models, {seconds:.1f} s", flush=True)
        assert len(reference["models"]) == count
        for kind in ("survey", "worker", "disk"):
            surveys, hits = Surveys(options.cli, folder / "zoo", folder / f"{kind}.db"), 0
            for _ in range(options.rounds):
                moment = chance.uniform(0.02, max(0.05, seconds / options.rounds))
                hits += (kill_survey(surveys, moment) if kind == "survey" else kill_worker(surveys, moment) if kind == "worker"
                         else fill_disk(surveys, chance.uniform(0.02, 0.9), whole))
            surveys.finish()
            faults += tell(kind, hits, options.rounds, reference, rows_of(folder / f"{kind}.db"))
        if may_mount:
            with SmallDisk(folder / "small") as disk:
                surveys = Surveys(options.cli, folder / "zoo", disk.folder / "tmpfs.db")
                hits = sum(fill_tmpfs(surveys, disk, int(whole * share))
                           for share in sorted(chance.uniform(0.05, 0.9) for _ in range(options.rounds)))
                disk.resize(1 << 30)
                surveys.finish()
                faults += tell("tmpfs", hits, options.rounds, reference, rows_of(disk.folder / "tmpfs.db"))
        else:
            print("tmpfs: nothing may be mounted here")
    return 1 if faults else 0


def tell(kind, hits, rounds, reference, rows):
    """How many of the rows are not as they were."""
    found = list(differences(reference, rows))
    print(f"{kind}: disturbed {hits} of {rounds} times; " + ("\n  ".join(found) or "every row is as it was"), flush=True)
    assert hits > 0, "nothing was disturbed"
    return len(found)


if __name__ == "__main__":
    sys.exit(main())
