// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/machine.h"
#include "core/protocol/methods.h"

namespace cutaway::plugins {

/// Returns the graphics processors that NVIDIA's driver lists, in CUDA's order; none without a driver. The driver is
/// loaded by this call, so nothing of CUDA is needed to build this. Clocks and the driver's version come from the
/// driver's management library (NVML), and are unknown without it.
std::vector<protocol::Accelerator> cudaDevices(const char *driver = "libcuda.so.1",
                                               const char *management = "libnvidia-ml.so.1");

/// Returns these graphics processors as backend devices "cuda:0", "cuda:1", …
std::vector<protocol::Devices::Device> asBackendDevices(const std::vector<protocol::Accelerator> &devices);

/// Returns the device of an id such as "cuda:0", "cuda" for the first one, or "tensorrt:0" of another program that uses
/// these devices; nothing for any other id. Asks the driver.
std::optional<protocol::Accelerator> acceleratorOf(std::string_view id);

} // namespace cutaway::plugins
