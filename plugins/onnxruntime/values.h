// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/backend.h"

#include <onnxruntime_cxx_api.h>
#include <string>

namespace cutaway::plugins {

/// A value that refers to the tensor's bytes, which must outlive it; texts are copied. Errors (Usage): a dtype that
/// ONNX Runtime lacks.
Result<Ort::Value> valueOf(protocol::Tensor &tensor);

/// Appends a result to the outputs and its elements to the payload. What is in sequences and maps becomes outputs of
/// its own, "name.0", "name.key"; an optional is what it has, or "None". Anything else is described by its type.
void send(const std::string &name, const Ort::Value &value, std::vector<protocol::ModelOutput> &outputs,
          std::string &payload);

} // namespace cutaway::plugins
