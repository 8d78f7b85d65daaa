// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/device.h"

#include <filesystem>

namespace cutaway::analysis {

/// The id under which the machine that Cutaway runs on is kept once it has been measured.
inline constexpr std::string_view thisMachine = "this-machine";

/// Where the user's own device files are: $XDG_CONFIG_HOME/cutaway/devices or ~/.config/cutaway/devices; "" where the
/// environment names neither.
std::filesystem::path userDeviceFolder();

/// The built-in devices and the user's own, by id; one of the user's replaces a built-in one. Errors: a file
/// of the user's cannot be read.
Result<std::vector<Device>> knownDevices();

/// The device with this id. Errors: those of knownDevices(); Usage: there is none, with a list of those that there are.
Result<Device> findDevice(std::string_view id);

/// The device that is taken where none is named: this machine if it has been measured, else an H100. Errors: those of
/// knownDevices().
Result<Device> defaultDevice();

} // namespace cutaway::analysis
