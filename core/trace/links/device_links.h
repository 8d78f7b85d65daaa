// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/linked.h"

namespace cutaway::trace {

/// Links the work on devices with the operators that launched it, and so with their nodes; `linked` has the rows of the
/// host. An operator is found by its id; else it is the innermost one around the launch with the same correlation. An
/// id that is the correlation is none: older profilers wrote that. The kernels of a CUDA graph have one launch, which
/// tells of no operator.
std::vector<DeviceRow> linkDevices(const Trace &trace, const Nesting &nesting, const Linked &linked);

} // namespace cutaway::trace
