// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/linked.h"

namespace cutaway::trace {

/// Links the work on devices with the operators that launched it, and so with their nodes; `linked` has the rows of the
/// host. An operator is found by its id, or else as the innermost one around the launch with the same correlation. An
/// id that equals the correlation is ignored: older profilers wrote that. The kernels of a CUDA graph have a single
/// launch, so their operators are not known.
std::vector<DeviceRow> linkDevices(const Trace &trace, const Nesting &nesting, const Linked &linked);

} // namespace cutaway::trace
