// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/backend.h"

#include <onnxruntime_cxx_api.h>
#include <string>

namespace cutaway::plugins {

/// Returns a value that refers to the tensor's bytes, which must outlive it; texts are copied. Errors (Usage): ONNX
/// Runtime lacks the dtype.
Result<Ort::Value> valueOf(protocol::Tensor &tensor);

/// Appends a result to the outputs and its elements to the payload. Items of sequences and maps become outputs of their
/// own, "name.0", "name.key"; an optional is its value, or "None". Anything else is described by its type.
void send(const std::string &name, const Ort::Value &value, std::vector<protocol::ModelOutput> &outputs,
          std::string &payload);

} // namespace cutaway::plugins
