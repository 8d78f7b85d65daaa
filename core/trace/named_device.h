// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/device.h"

namespace cutaway::trace {

/// Returns the device that a trace names `name`, such as "NVIDIA A100-SXM4-80GB": the one whose own name contains each
/// word of `name` but for the kind of memory; nullptr if there is no such device, or several.
const analysis::Device *deviceNamed(const std::vector<analysis::Device> &devices, std::string_view name);

} // namespace cutaway::trace
