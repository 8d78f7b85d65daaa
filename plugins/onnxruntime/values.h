// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/tensor.h"

#include <onnxruntime_cxx_api.h>
#include <string>
#include <variant>

namespace cutaway::plugins {

/// A value that reads the tensor's bytes where they are, so that these must outlive it; texts are copied. Errors
/// (Usage): a dtype that ONNX Runtime does not have.
Result<Ort::Value> valueOf(protocol::Tensor &tensor);

/// A result: a tensor, or the type of what is none.
std::variant<protocol::Tensor, std::string> contentOf(const Ort::Value &value);

} // namespace cutaway::plugins
