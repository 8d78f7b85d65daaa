// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/backend.h"

namespace cutaway::run {

/// A backend that runs a function with nodes cutaway::lowered stage by stage: each of these by the backend that it
/// names, from its ONNX file beside the model's; what stands between them by `rest`, which runs all other functions
/// alone. `target` and `options`, but not the device, are those of the parts' backends, too. Profiles of stages are
/// taken one after the other; what is handed over between them is not in their times.
std::unique_ptr<Backend> withLoweredParts(std::unique_ptr<Backend> rest, std::string target, BackendOptions options);

} // namespace cutaway::run
