// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/convert/convert.h"
#include "core/convert/needed_values.h"
#include "core/convert/pt2/program_graph.h"
#include "core/ops/calls.h"
#include "core/ops/torch/signatures.h"
#include "core/passes/left_nodes.h"

#include <map>
#include <unordered_map>

namespace cutaway::convert {

/// Translates one function, node by node, into the graph of a torch.export program.
class ProgramTranslation {
public:
    /// The arguments have to outlive the object.
    ProgramTranslation(const ir::Model &source, ir::FunctionId function, const analysis::Shapes &shapes,
                       const analysis::Given &given);

    /// Errors: those of inputOf(); Cancelled.
    Result<Converted> run(const Task &task);

    // For rules.
    /// An operand of the source as it is in the program; None, and the node is refused, if nothing was made of it.
    ir::Operand made(const ir::Operand &operand);
    /// An argument by its name in the schema, or by its position; None where nothing is given.
    ir::Operand argument(const ir::NodeRef &node, std::string_view parameter);
    ir::Operand argument(const ir::NodeRef &node, std::size_t position);
    /// The fact of an operand of the source, and whether an operand of the program is a tensor.
    ops::Fact fact(const ir::Operand &operand) const;
    bool isTensor(const ir::Operand &made) const;
    /// The kind of number that an operand of the program is; nothing if it is no number.
    std::optional<ir::NumberType::Kind> numberKind(const ir::Operand &made) const;
    std::optional<ir::DType> dtypeOf(const ir::Operand &made) const;
    /// The type of a value with this fact, if a program can hold it.
    std::optional<ir::Type> typeOf(const ops::Fact &fact);
    ProgramGraph &graph() { return m_graph; }
    /// Makes a node with one result, of the type and name of the source's.
    ir::Operand make(const ir::NodeRef &source, const ProgramNode &node);
    const ops::Signature *signatureOf(const ir::NodeRef &node) { return m_signatures.of(node->op); }
    /// Says that a program cannot express the node, and why.
    void refuse(std::string reason);
    bool isRefused() const { return !m_reason.empty() || m_isConsequence; }

private:
    const ir::Function &function() const { return m_source.at(m_function); }
    const ir::Graph &source() const { return function().graph; }

    // Values.
    std::optional<ir::Operand> valueOf(ir::ValueId value);
    std::optional<ir::Operand> resolved(const ops::Fact &fact);

    // The signature.
    /// Errors: those of inputOf().
    Result<void> addInputs();
    /// Errors: those of inputOf().
    Result<void> addInput(const ir::FunctionInput &input);
    /// Makes inputs for an input of the function, or a part of the input `whole`. Errors (Usage): a number, which a
    /// program has fixed; no tensor and no list of tensors; an unknown shape or dtype.
    Result<ir::Operand> inputOf(const ops::Fact &fact, std::string_view name, std::string_view whole);
    void addOutputs();
    void addOutput(const ir::FunctionOutput &output);
    void addUserOutput(const ir::Operand &made, std::string_view name);
    void nameSignature();
    std::vector<ir::Symbol> symbols();

    // Nodes.
    void lowerRegion(ir::RegionId region);
    void lowerNode(const ir::NodeRef &node);
    bool touchesWritten(const ir::NodeRef &node) const;
    bool resolveByFacts(const ir::NodeRef &node);
    bool lowerByRule(const ir::NodeRef &node);
    void lowerCall(const ir::NodeRef &node);
    bool addArguments(const ir::NodeRef &node, const ops::Schema &schema, ProgramNode &call);
    void addCall(const ir::NodeRef &node, const ProgramNode &call);
    void lowerOnce(const ir::NodeRef &node);
    void lowerIf(const ir::NodeRef &node);
    void takeBranch(const ir::NodeRef &node, std::size_t branch);
    /// A result of a region: the position of the node's, its type, and that of the tensor that the region gives.
    struct RegionResult {
        std::size_t position;
        ir::Type type;
        ir::TensorType tensor;
    };
    /// Numbers that a node's regions read of outside. torch gives a region tensors only.
    struct OuterNumbers {
        std::map<ir::ValueId, ir::Operand> values;  ///< values of the source that are such numbers or contain them
        std::map<ir::ValueId, ir::ValueId> tensors; ///< the tensor of the program that each number was put into
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
    std::optional<ir::Operand> tensorBehind(const ir::Operand &number, ir::DType dtype) const;
    std::string whyUnknown(const ir::NodeRef &node, const std::string &what) const;
    void keep(const ir::NodeRef &node);
    void noteOnce(std::string_view sentence);
    void noteWhatActs();

    const ir::Model &m_source;
    ir::FunctionId m_function;
    const analysis::Shapes &m_shapes;
    const analysis::Given &m_given;
    Converted m_converted;
    ProgramGraph m_graph;
    ops::Signatures m_signatures;
    passes::LeftNodes m_left;
    WrittenValues m_written;
    NeededValues m_needed;
    std::unordered_map<ir::ValueId, ir::Operand> m_values;
    std::unordered_set<ir::ValueId> m_failed; ///< nothing was made of them
    std::string m_reason;
    bool m_isConsequence = false; ///< the node reads a value that nothing was made of
    std::map<std::pair<std::string, std::string>, std::size_t> m_missing; ///< by operator and reason
    std::vector<ir::FunctionInput> m_inputs;
    std::vector<ir::FunctionOutput> m_outputs;
    std::vector<std::string> m_inSpecs, m_outSpecs; ///< of each input and result; see tree_spec.h
    int m_branches = 0, m_loops = 0;
};

/// The tensor that a number or tensor is between regions; nothing for other types.
std::optional<ir::TensorType> tensorTypeFor(const ir::Type &type);

} // namespace cutaway::convert
