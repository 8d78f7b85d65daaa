// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/print/control_flow.h"
#include "core/print/python_operands.h"
#include "core/print/torch/call_forms.h"
#include "core/print/torch/integer_tensors.h"
#include "core/print/torch/module_tree.h"
#include "core/print/torch/statement_lines.h"
#include "core/print/torch/value_names.h"
#include "core/print/torch/value_reads.h"

namespace cutaway::print {

class ModulePaths;

/// The model, function and tables that the code of all forward()s is made from.
struct CodeSource {
    const ir::Model &model;
    const ir::Function &function;
    const TensorPaths &paths;
    const ModulePlan &plan;
    const ModuleTree &tree;
    const ModulePaths &objects; ///< paths of objects that a file fetches from the model's modules
    CallForms &forms;
};

/// The lines of one forward(), from "def forward(self, x):" on, with holes and with their indentation.
struct Forward {
    std::vector<std::string> lines;
};

/// Writes the forward() of one call of a module. A value that only the next statement reads is written as a part of
/// that statement.
class ForwardCode {
public:
    ForwardCode(const CodeSource &source, const ModuleCall &call);

    /// Prints the forward() of a submodule. Errors (Usage): what Python and torch cannot express, with the node.
    Result<Forward> print();
    /// Prints the forward() of the model, with the parameters and results of the function. Errors: those of print().
    Result<Forward> printMain();

private:
    using Values = std::span<const ir::ValueId>;

    void alias(ir::ValueId value, Expression expression);

    Expression code(const ir::Operand &operand, std::string_view parameter);
    Expression itemsCode(std::span<const ir::Operand> items, std::string_view parameter,
                         const std::array<std::string_view, 3> &brackets);
    Expression callCode(const ir::NodeRef &node);
    Expression valueCode(ir::ValueId value);
    Expression tensorCode(ir::TensorId tensor);
    std::string text(const ir::Operand &operand) { return code(operand, "n").text; }
    std::vector<std::string> texts(std::span<const ir::Operand> operands);

    // The functions below add statements.
    void assign(std::span<const std::string> targets, Values values, const std::function<Expression()> &expression,
                bool unpacks = false);
    void addReturn(const std::function<std::string()> &results);

    // The functions below add steps of the plan.
    void addItems(const std::vector<PlanItem> &items);
    void addCall(const ModuleCall &call);
    void addNodes(ir::RegionId region);
    void addNode(const ir::NodeRef &node);
    bool addSpecialNode(const ir::NodeRef &node);
    void addPlainNode(const ir::NodeRef &node);
    bool addInPlace(const ir::NodeRef &node);
    bool addEffect(const ir::NodeRef &node);
    bool addSize(const ir::NodeRef &node);
    bool addInteger(const ir::NodeRef &node);
    void fail(const ir::NodeRef &node, std::string reason);

    // The functions below add control flow.
    void addIf(const ir::NodeRef &node);
    void addLoop(const ir::NodeRef &node);
    void addOnnxLoop(const ir::NodeRef &node);
    void addCond(const ir::NodeRef &node);
    void addBranch(const ir::NodeRef &node, ir::RegionId region);
    void addWhile(const ir::NodeRef &node);
    void addScan(const ir::NodeRef &node);
    void addWith(const ir::NodeRef &node);
    void addFork(const ir::NodeRef &node);
    void addRaise(const ir::NodeRef &node);
    void bindRegion(ir::RegionId region, std::span<const ir::Operand> operands);
    void addObject(const ir::NodeRef &node);
    void addContext(const ir::NodeRef &node, StatementForm form, std::string_view className);
    bool addModuleAttribute(const ir::NodeRef &node, StatementForm form, const std::string &name);

    void addMutations();

    CodeSource m_source;
    const ir::Graph &m_graph;
    const ModuleCall &m_call;
    PythonOperands m_literals;
    IntegerTensors m_integers;
    ValueNames m_names;
    ValueReads m_reads;
    StatementLines m_lines;
    /// By value that has no variable: the expression that is written in its place.
    std::unordered_map<ir::ValueId, Expression> m_aliases;
    std::unordered_map<ir::TensorId, std::string> m_parameters; ///< names of parameters for tensors of other modules
    std::unordered_set<std::string> m_setAttributes;
    bool m_reshapesInPlace = false; ///< whether some node changes a tensor's shape in place
    std::optional<Error> m_error;
};

} // namespace cutaway::print
