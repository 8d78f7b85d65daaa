# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The conditions of a measurement: the machine and the libraries."""
from __future__ import annotations

import datetime
import os
import platform
import re
import socket
import sys
from pathlib import Path
from typing import Any

Json = dict[str, Any]


def _first_line(path: Path) -> str:
    try:
        return path.read_text(errors="replace").partition("\n")[0].strip()
    except OSError:
        return ""


def _number(text: str) -> int:
    found = re.match(r"\d+", text)
    return int(found[0]) if found else 0


def _processor(root: Path) -> str:
    try:
        found = re.search(r"^model name\s*: (.*)", (root / "proc/cpuinfo").read_text(errors="replace"), re.MULTILINE)
    except OSError:
        found = None
    return found[1].strip() if found else platform.processor()


def _topology(processors: Path) -> Json:
    sockets, cores, threads = set(), set(), 0
    for topology in processors.glob("cpu*/topology"):
        package = _first_line(topology / "physical_package_id")
        threads += 1
        sockets.add(package)
        cores.add((package, _first_line(topology / "core_id")))
    return {"sockets": len(sockets), "cores": len(cores), "threads": threads}


def _caches(caches: Path) -> Json:
    sizes = {}
    for cache in caches.glob("index*"):
        size, level = _first_line(cache / "size"), _number(_first_line(cache / "level"))
        if level in (1, 2, 3) and _first_line(cache / "type") != "Instruction":
            sizes[f"level{level}_bytes"] = _number(size) * {"K": 1 << 10, "M": 1 << 20}.get(size[-1:], 1)
    return sizes


def _clocks(frequency: Path) -> Json:
    return {"clock_hertz": 1e3 * _number(_first_line(frequency / "scaling_cur_freq")),
            "fastest_clock_hertz": 1e3 * _number(_first_line(frequency / "cpuinfo_max_freq")),
            "governor": _first_line(frequency / "scaling_governor")}


def _memory() -> int:
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError):
        return 0


def _usable() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def this_machine(root: Path = Path("/")) -> Json:
    """Returns the conditions in the members of the protocol; those that cannot be found out are left out."""
    processors = root / "sys/devices/system/cpu"
    return {"host": socket.gethostname(), "processor": _processor(root), "usable_threads": _usable(),
            "memory_bytes": _memory(), "system": f"{platform.system()} {platform.release()}", **_topology(processors),
            **_caches(processors / "cpu0/cache"), **_clocks(processors / "cpu0/cpufreq")}


def peak_memory() -> int:
    """Returns the peak memory of this process in bytes."""
    import resource
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak


def devices(torch: Any) -> list[Json]:
    machine = this_machine()
    threads = f"{machine['usable_threads']} thread{'' if machine['usable_threads'] == 1 else 's'}"
    name = f"{machine['processor']}, {threads}" if machine["processor"] else threads
    found = [{"id": "cpu", "name": name, "memory_bytes": machine["memory_bytes"]}]
    for kind in _device_kinds(torch):
        module = getattr(torch, kind, None)
        if module is None or not module.is_available():
            continue
        for i in range(module.device_count() if hasattr(module, "device_count") else 1):
            name, memory = described(module, i)
            found.append({"id": f"{kind}:{i}", "name": name or kind, "memory_bytes": memory})
    return found


def _device_kinds(torch: Any) -> list[str]:
    kinds = ["cuda", "xpu", "mps"]
    accelerator = getattr(torch, "accelerator", None)  # available since torch 2.6
    if accelerator is None or not accelerator.is_available():
        return kinds
    current = accelerator.current_accelerator().type
    return kinds if current in kinds else [*kinds, current]


def described(module: Any, index: int) -> tuple[str, int]:
    """Returns the name and memory of a device; "" and 0 if this torch does not report them."""
    if not hasattr(module, "get_device_properties"):
        return "", 0
    properties = module.get_device_properties(index)
    return str(getattr(properties, "name", "")), int(getattr(properties, "total_memory", 0))


def conditions(torch: Any, device: Any, optimization: str) -> Json:
    known = {**this_machine(), "libraries": [f"torch {torch.__version__}", f"Python {platform.python_version()}"],
             "threads_used": torch.get_num_threads(), "optimization": optimization, "device": str(device),
             "time": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")}
    if device.type not in ("cpu", "meta"):
        name, memory = described(getattr(torch, device.type), device.index or 0)
        known["accelerator"] = {"name": name or device.type, "memory_bytes": memory}
    return known
