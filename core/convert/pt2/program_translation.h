// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/convert/needed_values.h"
#include "core/convert/pt2/program_calls.h"
#include "core/convert/pt2/program_signature.h"

namespace cutaway::convert {

/// Translates one function, node by node, into the graph of a torch.export program.
class ProgramTranslation {
public:
    /// The arguments have to outlive the object.
    ProgramTranslation(const ir::Model &source, ir::FunctionId function, const analysis::Shapes &shapes,
                       const analysis::Given &given);

    /// Errors: those of ProgramSignature::addInputs(); Cancelled.
    Result<Converted> run(const Task &task);

private:
    const ir::Graph &source() const { return m_values.source(); }
    void refuse(std::string reason) { m_values.refuse(std::move(reason)); }
    bool isRefused() const { return m_values.isRefused(); }

    void lowerRegion(ir::RegionId region);
    void lowerNode(const ir::NodeRef &node);
    bool resolveByFacts(const ir::NodeRef &node);
    bool lowerByRule(const ir::NodeRef &node);
    void lowerOnce(const ir::NodeRef &node);
    void lowerIf(const ir::NodeRef &node);
    void takeBranch(const ir::NodeRef &node, std::size_t branch);
    /// A result of a region: the index of the node's result that it becomes, the type of that result, and the type of
    /// the tensor that the region returns for it.
    struct RegionResult {
        std::size_t position;
        ir::Type type;
        ir::TensorType tensor;
    };
    /// The numbers from outside that a node's regions read. They are put into tensors, since torch gives a region
    /// tensors only.
    struct OuterNumbers {
        /// By value of the source that is such a number or contains one: its operand outside.
        std::map<ir::ValueId, ir::Operand> values;
        std::map<ir::ValueId, ir::ValueId> tensors; ///< by number in the program: the tensor into which it was put
    };
    OuterNumbers outerNumbersOf(const ir::NodeRef &node);
    void enter(const OuterNumbers &outer, ProgramGraph::Inside &inside);
    void leave(const OuterNumbers &outer);
    void lowerBranch(const ir::NodeRef &node, std::size_t branch, ir::RegionId region, const OuterNumbers &outer,
                     const std::vector<RegionResult> &results);
    ir::Operand regionOutput(const ir::Operand &made, const RegionResult &result, ir::RegionId region,
                             const std::vector<ir::Operand> &others);
    void addRegionResult(const ir::NodeRef &node, ir::NodeId made, const RegionResult &result);
    ir::Operand asRead(ir::ValueId tensor, const RegionResult &result, std::string_view name);
    void lowerLoop(const ir::NodeRef &node);
    struct Loop;
    bool addStates(Loop &loop, const ir::NodeRef &node);
    void addState(Loop &loop, const RegionResult &result, std::string_view name, const ir::Operand &initial);
    ir::Operand scalar(const ir::Operand &operand, const ir::TensorType &type);
    void lowerLoopCondition(const Loop &loop, ir::RegionId region);
    void lowerLoopBody(const Loop &loop, const ir::NodeRef &node, const OuterNumbers &outer, ir::RegionId region);
    std::vector<ir::ValueId> addStateInputs(const Loop &loop, ir::RegionId region);
    ir::Type resultType(const ir::Type &type);
    void keep(const ir::NodeRef &node);
    void missAutocasts();

    ir::Context &m_context;
    const analysis::Shapes &m_shapes;
    Converted m_converted;
    Losses m_losses;
    ProgramGraph m_graph;
    ProgramValues m_values;
    ProgramSignature m_signature;
    ProgramCalls m_calls;
    WrittenValues m_written;
    NeededValues m_needed;
    int m_branches = 0, m_loops = 0;
};

} // namespace cutaway::convert
