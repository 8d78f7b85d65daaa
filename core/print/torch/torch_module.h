// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/ir/model.h"

#include <optional>
#include <string>
#include <vector>

namespace cutaway::print {

/// A tensor that the printed module loads.
struct ModuleWeight {
    std::string name;                   ///< the key in the module's state dict: "layer1.0.conv1.weight"
    std::optional<ir::TensorId> tensor; ///< a tensor of `model`; nothing: an int64 0, which the file leaves out
};

/// A model as a Python module that needs torch alone.
struct TorchModule {
    ir::Model model; ///< the printed model: calls inlined, decided branches taken
    std::string code;
    std::vector<ModuleWeight> weights; ///< the weights that are written beside the code
};

/// Prints a function of a TorchScript, torch.export or ONNX model: classes of torch.nn.Module as the file's modules,
/// load(), which reads the weights beside the code, and the block that runs when the file is run. Steps keep their
/// order; writes in place and views are kept; sizes that the file leaves open are read from tensors. Errors (Usage):
/// what Python and torch cannot express, with the node; weights that a .safetensors file cannot hold.
Result<TorchModule> torchModule(const ir::Model &model, ir::FunctionId function, const Task &task = {});

} // namespace cutaway::print
