// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/device.h"

namespace cutaway::trace {

/// The device that a trace names, "NVIDIA A100-SXM4-80GB": the one in whose name each word of it is, the kind of memory
/// aside. nullptr if there is none, or several.
const analysis::Device *deviceNamed(const std::vector<analysis::Device> &devices, std::string_view name);

} // namespace cutaway::trace
