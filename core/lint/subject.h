// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"
#include "core/lint/lint.h"
#include "core/passes/rewriter.h"

namespace cutaway::lint {

/// What a rule looks at, a function of a model and all that is derived of it, and where it reports.
class Subject {
public:
    /// All of these have to outlive it.
    Subject(const ir::Model &model, const analysis::Analysis &analysis, const Options &options, const Task &task);
    Subject(const Subject &) = delete;
    Subject &operator=(const Subject &) = delete;

    const ir::Model &model() const { return m_model; }
    ir::FunctionId functionId() const { return m_analysis.function; }
    const ir::Function &function() const { return m_model.at(m_analysis.function); }
    const ir::Graph &graph() const { return function().graph; }
    const analysis::Analysis &analysis() const { return m_analysis; }
    const Options &options() const { return m_options; }
    const Task &task() const { return m_task; }

    /// Answers questions about nodes: rows, arguments, facts, effects. Rules only read through it.
    passes::Rewriter &reader() { return m_reader; }
    /// The nodes in execution order, each before those of its regions, without code that is known not to run.
    const std::vector<ir::NodeRef> &nodes();
    /// The tensor that a value is known to be; nothing for all else.
    std::optional<ops::TensorFact> tensor(const ir::Operand &operand);

    void setRule(const Rule &rule) { m_rule = &rule; } ///< that reports from now on
    void report(std::string message);                  ///< about the function, or the file
    void report(const ir::NodeRef &node, std::string message);
    void report(const ir::ValueRef &value, std::string message);
    std::vector<Finding> takeFindings() { return std::move(m_findings); }

private:
    void addNodes(ir::RegionId region);
    std::optional<std::size_t> onlyRegionOf(const ir::NodeRef &node);

    const ir::Model &m_model;
    const analysis::Analysis &m_analysis;
    const Options &m_options;
    const Task &m_task;
    ir::Model m_copy; ///< what the reader could change; it shares all with the model
    passes::Rewriter m_reader;
    std::optional<std::vector<ir::NodeRef>> m_nodes;
    const Rule *m_rule = nullptr;
    std::vector<Finding> m_findings;
};

/// Whether it has more than one element, or may have.
bool hasElements(const ops::TensorFact &tensor);

} // namespace cutaway::lint
