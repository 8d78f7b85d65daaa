// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/device.h"

#include <span>
#include <string>
#include <vector>

namespace cutaway::report {

/// The devices that a backend reports on a target, or why it reports none.
struct BackendDevices {
    struct Device {
        std::string id;    ///< "cuda:0"
        std::string name;  ///< "NVIDIA H100 80GB HBM3"
        double memory = 0; ///< bytes; 0: unknown
    };
    std::string plugin;
    std::string target;
    /// The devices. Errors: those of run::devicesOf().
    Result<std::vector<Device>> devices;
};

/// Returns the document of `devices --json`, schema "cutaway.devices/1", with the devices as their files record them.
std::string devicesJson(std::span<const analysis::Device> devices, std::span<const BackendDevices> backends = {});

/// Returns the devices for a terminal, a row each.
std::string devicesText(std::span<const analysis::Device> devices, std::span<const BackendDevices> backends = {});

} // namespace cutaway::report
