// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <onnxruntime_cxx_api.h>

namespace cutaway::plugins {

/// Loads ONNX Runtime and returns its version; must be called before any other use of the library. Errors (Backend):
/// the loader's message.
Result<std::string> loadLibrary(const char *file = CUTAWAY_ONNXRUNTIME_LIBRARY);

/// Returns the process's only environment.
Ort::Env &environment();

} // namespace cutaway::plugins
