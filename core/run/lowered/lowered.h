// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/backend.h"

namespace cutaway::run {

/// Returns a backend that runs a function with nodes cutaway::lowered stage by stage. Each of these nodes is run by the
/// backend that it names, from its ONNX file beside the model's; the nodes between them are run by `rest`, which also
/// runs all functions without such nodes. `target` and `options`, except for the device, apply to the backends of the
/// parts, too. Profiles of stages are taken one after the other; passing values between them is not in their times.
std::unique_ptr<Backend> withLoweredParts(std::unique_ptr<Backend> rest, std::string target, BackendOptions options);

} // namespace cutaway::run
