// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"
#include "core/analysis/reading/reading.h"
#include "core/lint/lint.h"

namespace cutaway::lint {

/// The function that a rule examines, with everything derived of it. It also receives the rule's findings.
class Subject {
public:
    /// The arguments must outlive this.
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

    /// Answers questions about nodes: rows, arguments, facts, effects.
    analysis::Reading &reader() { return m_reader; }
    /// Returns the nodes in execution order, each before those of its regions, without code that is known not to run.
    const std::vector<ir::NodeRef> &nodes();
    /// Returns the tensor that a value is known to be; nothing for other values.
    std::optional<ops::TensorFact> tensor(const ir::Operand &operand);

    void setRule(const Rule &rule) { m_rule = &rule; } ///< sets the rule that reports from now on
    void report(std::string message);                  ///< reports a finding about the function, or the file
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
    analysis::Reading m_reader;
    std::optional<std::vector<ir::NodeRef>> m_nodes;
    const Rule *m_rule = nullptr;
    std::vector<Finding> m_findings;
};

/// Whether a tensor has more than one element, or may have.
bool hasElements(const ops::TensorFact &tensor);

} // namespace cutaway::lint
