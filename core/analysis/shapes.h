// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/ir/model.h"
#include "core/ops/facts/size_need.h"
#include "core/ops/node_costs.h"
#include "core/symbolic/evaluate.h"

#include <map>
#include <string>
#include <vector>

namespace cutaway::analysis {

/// The values that are fixed before propagation.
struct Given {
    symbolic::Bindings bindings;                          ///< values of size symbols
    std::map<std::string, ops::Fact, std::less<>> inputs; ///< facts of inputs by name; they replace those of the file
    /// By name: the types that the file records for inputs that are given with other sizes or another dtype. If there
    /// are any, the recorded types of inner values do not apply.
    std::map<std::string, ir::TypeId, std::less<>> replaced = {};
};

/// A node whose results or cost propagation does not know in full, and why.
struct Stop {
    ir::NodeId node;
    std::string reason;
    /// How much of the node's results is known: a part, all because the file records it, or as much as its rule
    /// derives.
    enum class Results : std::uint8_t { Unknown, Recorded, Known } results = Results::Unknown;
    bool isContradiction = false; ///< whether the file asks for something impossible
    bool hidesCost = true;        ///< whether the node's cost is unknown, too
    bool isReached = true;        ///< whether the node may run: it is in no branch that is known not to be taken
    /// For a call, the innermost function with the cause, and the stop in it; "" for other nodes.
    std::string innermost = {};
};

/// Whether code runs, as far as is known: the targets of its writes are changed, may be changed, or are not changed.
enum class Reached : std::uint8_t { Certainly, Possibly, Never };

/// A node that certainly runs, and a condition on sizes that it needs.
struct NodeNeed {
    ir::NodeId node;
    ops::SizeNeed need;
};

/// A record of one propagation, whose facts a later one may reuse.
struct Trace {
    /// How many storages and symbols had been made at some moment.
    struct Count {
        std::uint32_t storages = 0, symbols = 0;
        bool operator==(const Count &) const = default;
    };
    /// The visit of a node. Repeatable: the node was visited once, and its findings followed only from its operands and
    /// from the count `before`.
    struct Visit {
        Count before, after;
        enum class Kind : std::uint8_t { None, Repeatable, Entangled } kind = Kind::None;
    };
    std::vector<Visit> visits;         ///< by NodeId
    std::vector<std::uint8_t> changes; ///< by ValueId: how often the value's fact has changed; 2 stands for 2 and more
    std::uint64_t visited = 0;         ///< nodes visited in all iterations, without those of known calls
};

/// A symbol that propagation made up for a size that only data decides.
struct DataSize {
    std::string name;
    ir::Dim most = ir::UnknownDim{}; ///< an upper limit, in numbers and symbols of the file where that is known
    bool operator==(const DataSize &) const = default;
};

/// The facts and costs of one function, as they are known before it runs.
struct Shapes {
    std::vector<ops::Fact> facts; ///< by ValueId: the fact at its definition
    std::vector<bool> isRecorded; ///< by ValueId: whether the file records a part of its fact that no rule derives
    std::map<ir::ValueId, ops::Fact> reshaped; ///< tensors that code reshapes in place, each with its fact at the end
    ops::NodeCosts costs; ///< by NodeId, for one execution; the cost of a node with regions includes them
    ops::Cost total;      ///< the function's cost; it may be known although that of a node is not, if both branches
                          ///< cost the same
    std::map<ir::NodeId, ops::Cost> bounds; ///< the least that a node with regions costs
    ops::Cost totalAtLeast;                 ///< `total` if it is known, else a lower bound
    std::vector<Stop> stops;                ///< at most one per node
    std::vector<NodeNeed> needs;            ///< in no order
    std::vector<Reached> reached;           ///< by RegionId: whether the region runs; Certainly if it does so in some
                                            ///< iteration or call
    std::map<ir::NodeId, ir::Dim> inside;   ///< by call: the most bytes that are alive only in the called function
    std::vector<ir::Dim> storages;          ///< bytes of the storages of tensors, by StorageNumber
    /// The symbols that propagation made up, by the number in their names; the choices of branches are among them,
    /// without a name.
    std::vector<DataSize> dataSizes;
    Trace trace;

    const ops::Fact &of(ir::ValueId id) const { return facts[id.index]; }
    /// Returns the fact that the value has when the function ends.
    const ops::Fact &atEnd(ir::ValueId id) const
    {
        const auto found = reshaped.find(id);
        return found == reshaped.end() ? of(id) : found->second;
    }
    /// Returns the lower bound of a node's cost, which is 0 for figures of which nothing is known.
    ops::Cost boundOf(ir::NodeId id) const;
};

/// Returns the dtypes and sizes of the weights that callers may replace; their elements are left open, so that the
/// facts hold whatever a caller gives.
Given whateverOverrides(const ir::Model &model, ir::FunctionId function);

/// Propagates types, shapes, and the values of sizes forward, from the inputs to every value. A type that the file
/// records for an inner value counts only where no rule gives an answer. Branches that are not taken are propagated
/// too, without an effect on the code after them. O(nodes), and the iterations of loops whose number is known up to a
/// limit. If cancelled, returns what was reached so far. `earlier`: the result for the same function with another
/// `given`; only types of inputs may have changed in the model since. Its findings are reused where propagation would
/// find them again; they change the time, not the result.
Shapes inferShapes(const ir::Model &model, ir::FunctionId function, const Given &given = {}, const Task &task = {},
                   const Shapes *earlier = nullptr);

} // namespace cutaway::analysis
