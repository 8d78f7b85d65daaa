// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <onnxruntime_cxx_api.h>

namespace cutaway::plugins {

/// Loads ONNX Runtime, of which nothing may be used before, and tells its version. Errors (Backend): what the system
/// says of the library.
Result<std::string> loadLibrary();

/// Of the whole process.
Ort::Env &environment();

} // namespace cutaway::plugins
