// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/machine.h"
#include "core/protocol/methods.h"

#include <filesystem>
#include <optional>

namespace cutaway::plugins {

/// The machine that this program runs on. `root`: parent of /proc and /sys. A sandbox may have no /proc.
protocol::Machine thisMachine(const std::filesystem::path &root = "/");

/// Its processor as the backend device "cpu".
protocol::Devices::Device processor();

/// Number of this program's threads; nothing without /proc.
std::optional<std::uint64_t> threadCount();

/// Peak memory of this program in bytes; 0: unknown.
std::uint64_t peakMemory();

/// "glibc 2.41"
std::string systemLibrary();

/// The current time in the format of Conditions.
std::string timeNow();

} // namespace cutaway::plugins
