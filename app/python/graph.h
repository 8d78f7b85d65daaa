// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/python/raised.h"
#include "app/python/shared_model.h"
#include "core/analysis/analysis.h"
#include "core/analysis/recorded_sizes.h"

namespace cutaway::python {

/// A function of a model, with its analysis if it was analysed.
struct FunctionState {
    SharedModel shared;
    ir::FunctionId id;
    std::shared_ptr<const analysis::Analysis> analysis; ///< nullptr if types are as the file records them
    std::shared_ptr<const analysis::RecordedSizes> sizes;

    const ir::Function &function() const { return shared->at(id); }
    const ir::Graph &graph() const { return function().graph; }
};
using SharedFunction = std::shared_ptr<const FunctionState>;

/// Returns the functions of a model, with types as the file records them.
std::vector<SharedFunction> recordedFunctions(const SharedModel &model);
SharedFunction analysedFunction(const SharedModel &model, std::shared_ptr<const analysis::Analysis> analysis);

/// These handles are what Python objects hold: ids, and the model that they keep alive.
struct FunctionHandle {
    SharedFunction state;
};
struct GraphHandle {
    SharedFunction state;
    ir::RegionId region;
    bool operator==(const GraphHandle &) const = default;
};
struct NodeHandle {
    SharedFunction state;
    ir::NodeId id;
    bool operator==(const NodeHandle &) const = default;
};
struct ValueHandle {
    SharedFunction state;
    ir::ValueId id;
    bool operator==(const ValueHandle &) const = default;
};

/// Declares the classes Function, Graph, Node, Value, Input and Output.
void bindGraph(nb::module_ &module);

} // namespace cutaway::python
