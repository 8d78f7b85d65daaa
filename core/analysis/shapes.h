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
    std::map<std::string, ops::Fact, std::less<>> inputs; ///< by name; they replace those of the file
    /// By name: the types that the file records for inputs that are given with other sizes or another dtype. While
    /// there are any, the recorded types of inner values have other sizes than the derived ones, and say nothing about
    /// these.
    std::map<std::string, ir::TypeId, std::less<>> replaced = {};
};

/// A node whose results or cost propagation does not know in full, and why.
struct Stop {
    ir::NodeId node;
    std::string reason;
    /// How much is known of the node's results: not all, all as the file records it, or as much as its rule says.
    enum class Results : std::uint8_t { Unknown, Recorded, Known } results = Results::Unknown;
    bool isContradiction = false; ///< the file asks for what cannot be
    bool hidesCost = true;        ///< whether the node's cost is unknown with it
    bool isReached = true;        ///< not in a branch that is known not to be taken
    /// The innermost function that the reason of a call is about, with what stops in it; "" for other nodes.
    std::string innermost = {};
};

/// Whether code runs, as far as is known: the targets of its writes are changed, may be changed, or are not changed.
enum class Reached : std::uint8_t { Certainly, Possibly, Never };

/// A node that certainly runs, and a condition on sizes that it needs.
struct NodeNeed {
    ir::NodeId node;
    ops::SizeNeed need;
};

/// A record of one propagation, from which a later one takes over what it would find again.
struct Trace {
    /// The numbers of storages and symbols that had been made.
    struct Count {
        std::uint32_t storages = 0, symbols = 0;
        bool operator==(const Count &) const = default;
    };
    /// The visit of propagation at one node. Repeatable: the node was looked at once, and the findings followed from
    /// its operands and the count alone.
    struct Visit {
        Count before, after;
        enum class Kind : std::uint8_t { None, Repeatable, Entangled } kind = Kind::None;
    };
    std::vector<Visit> visits;         ///< by NodeId
    std::vector<std::uint8_t> changes; ///< by ValueId: changes of its fact; two stands for more
    std::uint64_t visited = 0;         ///< nodes looked at, in all iterations, without those that were taken over
};

/// A symbol that propagation made up for a size that only data decides.
struct DataSize {
    std::string name;
    ir::Dim most = ir::UnknownDim{}; ///< the size is not larger; in numbers and symbols of the file where that is known
    bool operator==(const DataSize &) const = default;
};

/// The facts and costs of one function, as they are known before it runs.
struct Shapes {
    std::vector<ops::Fact> facts;              ///< by ValueId: its fact where it was made
    std::vector<bool> isRecorded;              ///< by ValueId: some of its fact is recorded by the file, as no rule
                                               ///< gives it
    std::map<ir::ValueId, ops::Fact> reshaped; ///< tensors that code gives another shape in place: as they are then
    ops::NodeCosts costs; ///< by NodeId, of one execution; of a node with regions: what its regions cost
    ops::Cost total;      ///< the function's cost; it may be known where a node's is not: either branch costs the same
    std::map<ir::NodeId, ops::Cost> bounds; ///< the least that a node with regions costs
    ops::Cost totalAtLeast;                 ///< `total` where that is known, else what is known of it
    std::vector<Stop> stops;                ///< at most one per node
    std::vector<NodeNeed> needs;            ///< in no order
    std::vector<Reached> reached;           ///< by RegionId; Certainly: in some iteration, or call
    std::map<ir::NodeId, ir::Dim> inside;   ///< by call: the most bytes that live only in the called function
    std::vector<ir::Dim> storages;          ///< bytes of the storages of tensors, by StorageNumber
    std::vector<DataSize> dataSizes; ///< by the number in their names; choices of branches are among them, unnamed
    Trace trace;

    const ops::Fact &of(ir::ValueId id) const { return facts[id.index]; }
    /// The fact of the value when the function ends.
    const ops::Fact &atEnd(ir::ValueId id) const
    {
        const auto found = reshaped.find(id);
        return found == reshaped.end() ? of(id) : found->second;
    }
    /// The lower bound of a node's cost: 0 for figures of which nothing is known.
    ops::Cost boundOf(ir::NodeId id) const;
};

/// Returns the dtypes and sizes of the weights that callers may replace, which hold whatever they give.
Given whateverOverrides(const ir::Model &model, ir::FunctionId function);

/// Propagates types, shapes, and the values of sizes forward, from the inputs to every value. A type that the file
/// records for an inner value counts only where no rule gives an answer. Branches that are not taken are propagated
/// too, without an effect on the code after them. O(nodes), and the iterations of loops whose number is known up to a
/// limit. Cancelled: returns what was reached so far. `earlier`: of the same function with another `given`, the model
/// the same but for the types of inputs. Its findings are taken over where they would be found again; the answer is the
/// same with it and without.
Shapes inferShapes(const ir::Model &model, ir::FunctionId function, const Given &given = {}, const Task &task = {},
                   const Shapes *earlier = nullptr);

} // namespace cutaway::analysis
