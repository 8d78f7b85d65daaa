// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/machine.h"
#include "core/protocol/methods.h"

#include <filesystem>
#include <optional>

namespace cutaway::plugins {

/// The machine that this program runs on. `root`: where /proc and /sys are. A sandbox may have no /proc.
protocol::Machine thisMachine(const std::filesystem::path &root = "/");

/// Its processor, as a backend's device "cpu".
protocol::Devices::Device processor();

/// The threads of this program; nothing where there is no /proc.
std::optional<std::uint64_t> threadCount();

/// The most memory that this program has had, in bytes; 0: not known.
std::uint64_t peakMemory();

/// "glibc 2.41"
std::string systemLibrary();

/// The time of day, as Conditions has it.
std::string timeNow();

} // namespace cutaway::plugins
