// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/machine.h"
#include "core/protocol/methods.h"

#include <filesystem>
#include <optional>

namespace cutaway::plugins {

/// Returns the machine that this program runs on. `root`: parent of /proc and /sys. A sandbox may have no /proc.
protocol::Machine thisMachine(const std::filesystem::path &root = "/");

/// Returns the machine's processor as the backend device "cpu".
protocol::Devices::Device processor();

/// Returns the number of this program's threads; nothing without /proc.
std::optional<std::uint64_t> threadCount();

/// Returns the peak memory of this program in bytes; 0 if it is unknown.
std::uint64_t peakMemory();

/// Returns the name and version of the C library: "glibc 2.41".
std::string systemLibrary();

/// Returns the current time in the format of Conditions.
std::string timeNow();

} // namespace cutaway::plugins
