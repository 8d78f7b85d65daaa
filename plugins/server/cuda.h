// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/machine.h"
#include "core/protocol/methods.h"

namespace cutaway::plugins {

/// The graphics processors that NVIDIA's driver lists, in CUDA's order; none without a driver. The driver is loaded
/// when it is asked, so nothing of CUDA is needed to build this. Clocks and the driver's version are those that its
/// management library (NVML) has, unknown without it.
std::vector<protocol::Accelerator> cudaDevices(const char *driver = "libcuda.so.1",
                                               const char *management = "libnvidia-ml.so.1");

/// The same as backend devices "cuda:0", "cuda:1", …
std::vector<protocol::Devices::Device> asBackendDevices(const std::vector<protocol::Accelerator> &devices);

/// The device of an id "cuda:0", or "cuda" for the first, or of another program that uses them, as "tensorrt:0";
/// nothing for any other one. Asks the driver.
std::optional<protocol::Accelerator> acceleratorOf(std::string_view id);

} // namespace cutaway::plugins
