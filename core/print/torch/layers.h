// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/node_ref.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::ir {
struct Model;
}

namespace cutaway::ops {
class Signatures;
}

namespace cutaway::print {

class TensorPaths;

/// A node as a call of one of torch.nn's modules.
struct Layer {
    std::string path;                  ///< the path of the module: that of its weights, or that of the call
    std::string code;                  ///< "nn.Linear(64, 10)", with holes
    ir::Operand data;                  ///< the operand that the module is called with
    std::vector<ir::TensorId> tensors; ///< the module's own tensors
    bool countsBatches = false;        ///< whether the module has the buffer num_batches_tracked
};

/// Returns the module of torch.nn that computes what the node computes, if the node's weights are where that module has
/// them. A module without weights has the path of the node's scope. Nothing if no module computes the same.
std::optional<Layer> layerOf(const ir::Model &model, const ir::NodeRef &node, const TensorPaths &paths,
                             ops::Signatures &signatures);

/// Whether some calls of an operator can be calls of a module of torch.nn.
bool hasLayer(std::string_view dialect, std::string_view name);

} // namespace cutaway::print
