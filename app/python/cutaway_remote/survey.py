# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""cutaway.survey(): here or on Dask's workers, of files and of models at URLs."""
import json
import os

import cutaway

from cutaway_remote import error, is_url, worker


def size_text(shape):
    return "x".join(str(size) for size in shape)


def input_text(value):
    """As the command line takes it: a text as it is; ((8, 3), 'float16') is a shape with its dtype."""
    if isinstance(value, str):
        return value
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], tuple):
        return f"{size_text(value[0])}:{value[1]}"
    if isinstance(value, tuple):
        raise error("usage", f"an input of a survey needs its dtype beside the shape: ({value}, 'float32')")
    return json.dumps(value)


def request_text(bind, inputs, device, checks, timeout):
    """A survey::Request for a survey::Look, as JSON."""
    return json.dumps({"bindings": [f"{name}={value}" for name, value in (bind or {}).items()],
                       "inputs": [f"{name}={input_text(value)}" for name, value in (inputs or {}).items()],
                       "device": device, "limit": timeout, "look": {"checks": list(checks)}})


def profile_request(request, profile):
    """The request of one profile, {"backend": "torch", "seconds": 1}."""
    return json.dumps({key: value for key, value in json.loads(request).items() if key != "look"} | {"profile": profile})


def has_checks(request):
    return bool(json.loads(request)["look"]["checks"])


def survey(paths, output, *, client=None, bind=None, inputs=None, device="", checks=(), profiles=(), profile_seconds=1,
           timeout=60, memory=None, jobs=None, again=False, progress=None):
    if isinstance(paths, (str, os.PathLike)):
        paths = [paths]
    request = request_text(bind, inputs, device, checks, timeout)
    profiles = [{"backend": backend, "seconds": profile_seconds} for backend in profiles]
    options = {"profiles": profiles, "again": again, "progress": progress}
    if client is None:
        return surveyed(paths, output, request, memory=memory, jobs=jobs, **options)
    from cutaway_remote import cluster
    with cluster.Cluster(client, request, memory, profiles) as workers:
        return surveyed(paths, output, request, cluster=workers, **options)


def surveyed(paths, output, request, *, cluster=None, profiles=(), memory=None, jobs=None, again=False, progress=None):
    """The summary of a survey, of which the request is JSON."""
    for profile in profiles:
        cutaway._check_profile(profile["backend"])
    paths = [os.fspath(path) for path in paths]
    state = cutaway._Survey([path for path in paths if not is_url(path)], os.fspath(output), request, again)
    for url in filter(is_url, paths):
        add_url(state, url)
    if cluster is None and (profiles or has_checks(request)):
        from cutaway_remote.cluster import expected_program
        expected_program()
    work = state.work()
    if cluster is not None:
        cluster.look(state, work, counted(progress, len(work)))
        if profiles:
            cluster.measure(state, progress)
    else:
        if work:
            state.look_here(worker.command(), jobs or os.cpu_count() or 1, memory, counted(progress, len(work)))
        for profile in profiles:
            of_profile = profile_request(request, profile)
            paths = state.unmeasured(of_profile, cutaway._host_name())
            state.measure_here(paths, of_profile, worker.command(), memory, counted(progress, len(paths)))
    return state.finish()


def counted(progress, total):
    """Calls `progress` with how many there are by then."""
    done = 0

    def one_more():
        nonlocal done
        done += 1
        if progress is not None:
            progress(done, total)
    return one_more


def add_url(state, url):
    from cutaway_remote import files
    try:
        rows = files.found(url)
    except cutaway.Error as fault:
        if fault.kind != "unreadable":
            raise
        state.leave_out(url, str(fault).removeprefix(f"{url}: "))
        return
    for each, size, modified in rows:
        state.add_url(each, size, modified)
