// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/device.h"

#include <filesystem>

namespace cutaway::analysis {

/// The id under which the machine that Cutaway runs on is kept once it has been measured.
inline constexpr std::string_view thisMachine = "this-machine";

/// Returns the folder of the user's device files: $XDG_CONFIG_HOME/cutaway/devices or ~/.config/cutaway/devices; "" if
/// the environment names neither.
std::filesystem::path userDeviceFolder();

/// The built-in devices and the user's own, by id; one of the user's replaces a built-in one. Errors: a file
/// of the user's cannot be read.
Result<std::vector<Device>> knownDevices();

/// Returns the device with this id. Errors: those of knownDevices(); there is no such device (Usage), with a list of
/// the known ids.
Result<Device> findDevice(std::string_view id);

/// Returns the default device: this machine if it has been measured, else an H100. Errors: those of knownDevices().
Result<Device> defaultDevice();

} // namespace cutaway::analysis
