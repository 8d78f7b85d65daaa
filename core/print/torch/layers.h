// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/node_ref.h"
#include "core/ops/torch/signatures.h"
#include "core/print/torch/tensor_paths.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::print {

/// A node as a call of one of torch.nn's modules.
struct Layer {
    std::string path;                  ///< the module's path: that of its weights, or that of the call that the node is
    std::string code;                  ///< "nn.Linear(64, 10)", with holes
    ir::Operand data;                  ///< the operand that the module is called with
    std::vector<ir::TensorId> tensors; ///< its own
    bool countsBatches = false;        ///< it has the buffer num_batches_tracked
};

/// The module of torch.nn that computes what the node computes, if its weights are where that module has them. A module
/// without weights has the path of the node's scope. Nothing if no module computes the same.
std::optional<Layer> layerOf(const ir::Model &model, const ir::NodeRef &node, const TensorPaths &paths,
                             ops::Signatures &signatures);

/// Whether there is such a module for some calls of an operator.
bool hasLayer(std::string_view dialect, std::string_view name);

} // namespace cutaway::print
