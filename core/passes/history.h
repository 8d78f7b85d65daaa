// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"
#include "core/diff/step_difference.h"
#include "core/passes/pipeline.h"

#include <functional>
#include <memory>

namespace cutaway::passes {

class NumberCheck;

/// One pass that ran.
struct Step {
    Entry entry;
    double seconds = 0; ///< of the pass alone
    diff::StepDifference nodes;
    bool isChange = false; ///< whether anything is other than before: nodes, their order, the signature
    std::shared_ptr<const ir::Model> model; ///< as the pass left it; shares what it left alone
    analysis::Totals totals;
    std::int64_t parameterBytes = 0; ///< of the tensors that the function has, shared storages once
    /// How far the results are from those of the file's state; nothing where they are not computed.
    std::optional<Result<double>> largestError = {};
};

/// Why the steps end before the pipeline does. The last step is the state before the pass.
struct Failure {
    Entry entry;
    Error error;
    std::string reproducer; ///< JSON (schema "cutaway.reproducer/1"): the model before, and what was left to run
};

/// A function of a model and what passes made of it, step by step. Nothing is lost: the model after any number of
/// steps can be had at once, and a step costs the memory of what it changed.
class History {
public:
    /// `given`: what is fixed of the inputs, for the totals; see analysis::Given.
    History(std::shared_ptr<const ir::Model> model, ir::FunctionId function, analysis::Given given = {});

    /// Makes the steps those of a pipeline. Steps at the beginning that are of the same passes with the same options
    /// stay; so another order, a pass switched off or other options cost what comes behind. Each step is verified: a
    /// graph that is not whole, or outputs of other types, are a failure of the pass. Cancelled: the steps so far.
    void run(const Pipeline &pipeline, const Task &task = {}, const std::function<void(const Step &)> &onStep = {});

    /// Has the results computed after each step, those that are there included; see Step::largestError.
    void checkNumbers(std::shared_ptr<const NumberCheck> check, const Task &task = {});
    bool checksNumbers() const { return m_check != nullptr; }

    ir::FunctionId function() const { return m_function; }
    const analysis::Given &given() const { return m_given; }
    const std::vector<Step> &steps() const { return m_steps; }
    const std::optional<Failure> &failure() const { return m_failure; }
    /// After so many steps; 0: the file's.
    const std::shared_ptr<const ir::Model> &modelAfter(std::size_t steps) const;
    const analysis::Totals &totalsAfter(std::size_t steps) const;
    std::int64_t parameterBytesAfter(std::size_t steps) const;

private:
    void runSteps(const Pipeline &pipeline, const Task &task, const std::function<void(const Step &)> &onStep);
    void findError(std::size_t step, const Task &task);
    bool runStep(const Entry &entry, const Task &task, std::span<const Entry> rest);
    Result<double> change(ir::Model &model, const Entry &entry, const Task &task);
    std::optional<std::string> fault(const ir::Model &after, const Task &task);
    void fail(const Entry &entry, Error error, std::span<const Entry> rest);
    const analysis::Analysis &analysisOfLast(const Task &task);

    std::shared_ptr<const ir::Model> m_original;
    ir::FunctionId m_function;
    analysis::Given m_given;
    Step m_start; ///< the file's state, as if a step had led to it
    std::vector<Step> m_steps;
    std::optional<Failure> m_failure;
    std::shared_ptr<const NumberCheck> m_check;
    std::shared_ptr<const analysis::Analysis> m_analysis; ///< of the last step; nullptr: not known now
};

} // namespace cutaway::passes
