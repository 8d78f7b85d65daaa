// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/tensor.h"

#include <onnxruntime_cxx_api.h>
#include <string>
#include <variant>

namespace cutaway::plugins {

/// A value that refers to the tensor's bytes, which must outlive it; texts are copied. Errors (Usage): a dtype that
/// ONNX Runtime lacks.
Result<Ort::Value> valueOf(protocol::Tensor &tensor);

/// A result: a tensor, or the type's name for anything else.
std::variant<protocol::Tensor, std::string> contentOf(const Ort::Value &value);

} // namespace cutaway::plugins
