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

/// What is fixed before propagation.
struct Given {
    symbolic::Bindings bindings;                          ///< values of size symbols
    std::map<std::string, ops::Fact, std::less<>> inputs; ///< by name; they replace what the file says
    /// By name: what the file records of inputs that are given with other sizes or another dtype. While there are any,
    /// what it records of values inside is of other sizes than those that are derived, and witnesses nothing.
    std::map<std::string, ir::TypeId, std::less<>> replaced = {};
};

/// A node of which propagation does not know everything, and why.
struct Stop {
    ir::NodeId node;
    std::string reason;
    /// What is known of the node's results: not all, all as the file records it, or as much as its rule says.
    enum class Results : std::uint8_t { Unknown, Recorded, Known } results = Results::Unknown;
    bool isContradiction = false; ///< the file asks for what cannot be
    bool hidesCost = true;        ///< whether the node's cost is unknown with it
    bool isReached = true;        ///< not in a branch that is known not to be taken
    /// The innermost function that the reason of a call is about, with what stops in it; "" for other nodes.
    std::string innermost = {};
};

/// Whether code runs, as far as is known: what it writes to is changed, may be changed, or is not.
enum class Reached : std::uint8_t { Certainly, Possibly, Never };

/// A node that certainly runs, and a condition on sizes that it needs.
struct NodeNeed {
    ir::NodeId node;
    ops::SizeNeed need;
};

/// A record of one propagation, by which a later one knows what it would find again.
struct Trace {
    /// How many storages and symbols had been made.
    struct Count {
        std::uint32_t storages = 0, symbols = 0;
        bool operator==(const Count &) const = default;
    };
    /// What it did at one node. Repeatable: it looked at it once, and what it found followed from the operands and the
    /// count alone.
    struct Visit {
        Count before, after;
        enum class Kind : std::uint8_t { None, Repeatable, Entangled } kind = Kind::None;
    };
    std::vector<Visit> visits;         ///< by NodeId
    std::vector<std::uint8_t> changes; ///< of each value's fact, by ValueId; two stands for more
    std::uint64_t visited = 0;         ///< nodes looked at, in all iterations, without those that were taken over
};

/// A symbol that propagation made up for a size that only data decides.
struct DataSize {
    std::string name;
    ir::Dim most = ir::UnknownDim{}; ///< it is not larger; in numbers and symbols of the file where that is known
    bool operator==(const DataSize &) const = default;
};

/// What is known of one function before it runs.
struct Shapes {
    std::vector<ops::Fact> facts;              ///< by ValueId: what each was where it was made
    std::vector<bool> isRecorded;              ///< by ValueId: some of it is what the file records, as no rule says it
    std::map<ir::ValueId, ops::Fact> reshaped; ///< tensors that code gives another shape in place: as they are then
    ops::NodeCosts costs; ///< by NodeId, of one execution; of a node with regions: what its regions cost
    ops::Cost total;      ///< of the function; may be known where a node's is not: either branch costs the same
    std::map<ir::NodeId, ops::Cost> bounds; ///< what is known of the costs of nodes with regions: at least so much
    ops::Cost totalAtLeast;                 ///< `total` where that is known, else what is known of it
    std::vector<Stop> stops;                ///< at most one per node
    std::vector<NodeNeed> needs;            ///< in no order
    std::vector<Reached> reached;           ///< by RegionId; Certainly: in some iteration, or call
    std::map<ir::NodeId, ir::Dim> inside;   ///< of calls: the most bytes that live in the called function alone
    std::vector<ir::Dim> storages;          ///< bytes of what tensors lie in, by StorageNumber
    std::vector<DataSize> dataSizes; ///< by the number in their names; choices of branches are among them, unnamed
    Trace trace;

    const ops::Fact &of(ir::ValueId id) const { return facts[id.index]; }
    /// What the value is when the function ends.
    const ops::Fact &atEnd(ir::ValueId id) const
    {
        const auto found = reshaped.find(id);
        return found == reshaped.end() ? of(id) : found->second;
    }
    /// What a node costs at least: 0 where nothing is known of a figure.
    ops::Cost boundOf(ir::NodeId id) const;
};

/// What holds of the weights that callers may replace, whichever they give: their dtypes and sizes.
Given whateverOverrides(const ir::Model &model, ir::FunctionId function);

/// Forward propagation of types, shapes, and the values of sizes, from the inputs to every value; what the file records
/// of values inside is not looked at. Branches that are not taken are propagated too, without an effect behind them.
/// O(nodes), and the iterations of loops whose number is known up to a limit. Cancelled: what was reached so far.
/// `earlier`: of the same function with another `given`, the model the same but for the types of inputs. What it found
/// is taken over where it would be found again; the answer is the same with it and without.
Shapes inferShapes(const ir::Model &model, ir::FunctionId function, const Given &given = {}, const Task &task = {},
                   const Shapes *earlier = nullptr);

} // namespace cutaway::analysis
