# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
import conversation  # noqa: F401, finds the plugin
from cutaway_torch import machine


def test_the_machine_is_read_from_the_system(tmp_path):
    def write(name, text):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    write("proc/cpuinfo", "processor\t: 0\nmodel name\t: Fast 9\n")
    cpu = "sys/devices/system/cpu/"
    for i in range(4):
        write(f"{cpu}cpu{i}/topology/physical_package_id", "0\n")
        write(f"{cpu}cpu{i}/topology/core_id", f"{i // 2}\n")
    write(f"{cpu}cpu0/cache/index0/level", "1\n")
    write(f"{cpu}cpu0/cache/index0/type", "Data\n")
    write(f"{cpu}cpu0/cache/index0/size", "48K\n")
    write(f"{cpu}cpu0/cpufreq/cpuinfo_max_freq", "3000000\n")
    found = machine.this_machine(tmp_path)
    assert found["processor"] == "Fast 9" and (found["cores"], found["threads"]) == (2, 4)
    assert found["level1_bytes"] == 48 << 10 and found["fastest_clock_hertz"] == 3e9
