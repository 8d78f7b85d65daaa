# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What `cutaway-cli survey` starts for clusters and URLs: the request stands on standard input, as JSON."""
import json
import logging
import signal
import sys
import time
import warnings

import cutaway

from cutaway_remote.survey import surveyed

EXIT_CODES = {"usage": 2, "unreadable": 3, "backend": 4, "cancelled": 5}


def grouped(count):
    return f"{count:,}"


def models(count):
    return grouped(count) + (" model" if count == 1 else " models")


def profile_lines(outcomes, profiles):
    """A line for each profile; there may be none to take any more."""
    lines = ["profiles:"] if profiles else []
    for profile in (each["backend"] for each in profiles):
        counts = [f"{state} {grouped(count)}" for state, count in outcomes.get(profile, {}).items()]
        lines.append(f"  {profile}  {', '.join(counts) or 'all known before'}")
    return lines


def summary(found, profiles):
    """As the command line has it."""
    lines = [f"{path}: {check}{' failed: ' if is_answer else ' has no answer: '}{why}"
             for path, check, is_answer, why in found["failed_checks"]]
    lines.append(f"{models(found['models'])}: {grouped(found['looked_at'])} looked at, {grouped(found['known'])} "
                 "known before")
    lines += [f"  {state}  {grouped(count)}" for state, count in found["states"].items()]
    if found["removed"]:
        lines.append(f"{models(found['removed'])} whose files are gone: removed")
    if found["others"]:
        lines.append(f"{grouped(found['others'])} other files in the folders")
    if found["bytes_read"]:
        lines.append(f"{grouped(found['bytes_read'])} bytes read of models at URLs")
    lines += [f"left out: {path}: {why}" for path, why in found["left_out"]]
    lines += profile_lines(found["profiles"], profiles)
    return "".join(line + "\n" for line in lines)


class Progress:
    """One line that moves on a terminal, a line every ten seconds elsewhere."""

    def __init__(self):
        self._start = self._shown = time.monotonic()
        self.done = 0
        self._is_stopped = False

    def stop(self, number, frame):
        """The handler of a signal. Python swallows its exception in the destructor of an object: the next model repeats it."""
        self._is_stopped = True
        raise KeyboardInterrupt

    def __call__(self, done, total):
        if self._is_stopped:
            raise KeyboardInterrupt
        self.done, now = done, time.monotonic()
        is_terminal = sys.stderr.isatty()
        if done < total and (now - self._start < 1 or now - self._shown < (0.2 if is_terminal else 10)):
            return
        self._shown = now
        rate = int(done / max(now - self._start, 1e-3))
        line = f"cutaway: {grouped(done)} of {grouped(total)} models, {grouped(rate)} per second"
        sys.stderr.write(("\r\x1b[K" if is_terminal else "") + line + ("" if is_terminal and done < total else "\n"))
        sys.stderr.flush()


def run(asked, progress):
    options = {"memory": asked["memory"] or None, "jobs": asked["jobs"], "again": asked["again"], "progress": progress,
               "profiles": asked["profiles"]}
    request = json.dumps(asked["request"])
    if not asked["dask"]:
        return surveyed(asked["paths"], asked["output"], request, **options)
    from cutaway_remote.cluster import Cluster, distributed_module
    distributed_module()
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what is wrong is one sentence
    warnings.simplefilter("ignore")
    with Cluster(asked["dask"], request, options.pop("memory"), asked["profiles"]) as cluster:
        options.pop("jobs")
        return surveyed(asked["paths"], asked["output"], request, cluster=cluster, **options)


def main():
    asked = json.load(sys.stdin)
    progress = Progress()
    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, progress.stop)
    try:
        found = run(asked, progress)
    except cutaway.Error as fault:
        print(f"cutaway: {fault}", file=sys.stderr)
        return EXIT_CODES[fault.kind]
    except KeyboardInterrupt:
        print(f"cutaway: stopped after {models(progress.done)}; the same command goes on from there", file=sys.stderr)
        return EXIT_CODES["cancelled"]
    sys.stdout.write(summary(found, asked["profiles"]))
    sys.stdout.flush()
    return 1 if found["failed_checks"] else 0


if __name__ == "__main__":
    sys.exit(main())
