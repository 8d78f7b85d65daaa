// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/model.h"

#include <ATen/core/ivalue.h>
#include <optional>
#include <torch/csrc/jit/api/module.h>

namespace cutaway::plugins {

/// The values of a TorchScript file that only torch can make: objects of its own classes, such as packed weights, and
/// quantized tensors. torch loads the file when the first value is requested.
class FileObjects {
public:
    FileObjects(const ir::Model &model, c10::Device device) : m_model(model), m_device(device) { }

    /// Returns the value at a path. `path` is a name that objects and tensors of the model have, "conv._packed_params".
    /// Errors (Backend): the file is not TorchScript, or torch cannot load it; the root module leads to no such value.
    Result<c10::IValue> at(std::string_view path);

private:
    /// Loads the file. Errors (Backend): it is not TorchScript, or torch cannot load it.
    Result<void> load();

    const ir::Model &m_model;
    c10::Device m_device;
    std::optional<torch::jit::Module> m_root;
};

} // namespace cutaway::plugins
