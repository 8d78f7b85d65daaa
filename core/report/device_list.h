// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/device.h"

#include <span>
#include <string>

namespace cutaway::report {

/// The document of `devices --json`, schema "cutaway.devices/1": the devices as their files have them.
std::string devicesJson(std::span<const analysis::Device> devices);

/// The same for a person at a terminal, a row each.
std::string devicesText(std::span<const analysis::Device> devices);

} // namespace cutaway::report
