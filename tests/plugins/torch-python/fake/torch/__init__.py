# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the plugin reads of torch's devices, of a machine with two that compute with CUDA and one of Apple's."""
import types

__version__ = "2.7.1+fake"


class device:
    def __init__(self, name):
        self.type, _, index = name.partition(":")
        if self.type not in ("cpu", "cuda", "mps", "xpu"):
            raise RuntimeError(f"Expected one of cpu, cuda device type at start of device string: {name}")
        self.index = int(index) if index else None

    def __str__(self):
        return self.type if self.index is None else f"{self.type}:{self.index}"


cuda = types.SimpleNamespace(
    is_available=lambda: True, device_count=lambda: 2,
    get_device_properties=lambda index: types.SimpleNamespace(name=f"Fake {index}", total_memory=1000 + index))
mps = types.SimpleNamespace(is_available=lambda: True, device_count=lambda: 1)
xpu = types.SimpleNamespace(is_available=lambda: False)
