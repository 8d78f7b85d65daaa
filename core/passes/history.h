// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"
#include "core/diff/step_difference.h"
#include "core/passes/pipeline.h"

#include <functional>
#include <memory>
#include <span>
#include <variant>

namespace cutaway::passes {

class NumberCheck;

/// A step that another program made and recorded, with the name that the program gives it: "AFTER POST GRAD".
struct Recorded {
    std::string name;
    std::string description; ///< sentences; "" if there are none
    /// Whether the step only moves the nodes of the previous state to other modules; it then has a picture of its own.
    bool isDivision = false;
    enum class Text : std::uint8_t {
        Other,      ///< another text than that of the step before; the graph may be the same
        Repeated,   ///< the same text as that of the step before
        Unreadable, ///< not readable: the state is that of the step before
    };
    Text text = Text::Other;
};

class History;

/// The recorded steps of a file before their graphs are read: their names, and a function that reads them.
struct Recording {
    std::vector<Recorded> steps; ///< the steps after the first state
    /// Reads the graph of the first step that the history does not have yet, and records the step.
    std::function<void(History &history, const Task &task)> readNext;
};

/// A pass that ran, or a recorded step, and its result.
struct Step {
    std::variant<Entry, Recorded> made;
    double seconds = 0;                    ///< the time of the pass itself; 0: not known
    std::vector<std::string> remarks = {}; ///< places that the pass could not change, with reasons
    diff::StepDifference nodes;
    bool isChange = false;                  ///< whether nodes, their order or the signature differ from before
    std::shared_ptr<const ir::Model> model; ///< the state after the pass; shares everything unchanged
    analysis::Totals totals;
    std::int64_t parameterBytes = 0; ///< bytes of the function's tensors; shared storages count once
    /// The largest error of the results against those of the file's state; nothing if results are not computed.
    std::optional<Result<double>> largestError = {};

    /// Whether the results, if they are compared, can be computed, have the shapes and dtypes of the file's, and a
    /// finite largestError. The graph of every step is valid.
    bool isVerified() const;
    const Entry *entry() const { return std::get_if<Entry>(&made); } ///< nullptr if the step was recorded
    bool isDivision() const;                                         ///< see Recorded
    std::string_view name() const;                                   ///< "constant-folding", "AFTER POST GRAD"
    /// Returns what the pass does, or the description that was recorded with the step.
    std::string_view description() const;
    std::string title() const; ///< the name, with the options of a pass: "constant-folding{elements=64}"
};

/// The reason why the steps end before the pipeline does. The last step is the state before the failing pass.
struct Failure {
    Entry entry;
    Error error;
    /// JSON (schema "cutaway.reproducer/1"): the model before the pass, with the rest of the pipeline.
    std::string reproducer;
};

/// A function of a model and its states after each pass. Every state is available at once; a step costs the memory of
/// its changes.
class History {
public:
    /// `given` are fixed inputs, for the totals; see analysis::Given.
    History(std::shared_ptr<const ir::Model> model, ir::FunctionId function, analysis::Given given = {});

    /// Makes the steps those of a pipeline. Leading steps with the same passes and options stay, so reordering,
    /// switching off or reconfiguring a pass only reruns what follows. Each step is verified: an invalid graph or
    /// outputs of other types are a failure of the pass. If cancelled, the steps so far stay.
    void run(const Pipeline &pipeline, const Task &task = {}, const std::function<void(const Step &)> &onStep = {});

    /// Sets the origin of the first state, if that is not the whole of a file.
    void setStart(Recorded start) { m_start.made = std::move(start); }
    /// Returns the name of the first state: "input file", or that of setStart().
    std::string startTitle() const { return m_start.entry() ? "input file" : m_start.title(); }
    /// Adds a step that another program made. `next` is its state; nodes and values that it has in common with the
    /// state before have the same ids (diff::continued).
    void record(Recorded step, double seconds, std::shared_ptr<const ir::Model> next, const Task &task = {});
    /// Sets which steps will be recorded, and how they are read.
    void expect(std::shared_ptr<const Recording> recording) { m_recording = std::move(recording); }
    /// Returns the recorded steps that are not read yet, in order.
    std::span<const Recorded> unread() const;
    /// Reads the first of unread() and records it; there must be one. Nothing happens if it is cancelled.
    void readNext(const Task &task = {});

    /// Compares the results after each step, those already there included; see Step::largestError.
    void checkNumbers(std::shared_ptr<const NumberCheck> check, const Task &task = {});
    bool checksNumbers() const { return m_check != nullptr; }
    /// Returns the index of the first step that is not verified; nothing if all are.
    std::optional<std::size_t> firstUnverified() const;

    ir::FunctionId function() const { return m_function; }
    const analysis::Given &given() const { return m_given; }
    const std::vector<Step> &steps() const { return m_steps; }
    const std::optional<Failure> &failure() const { return m_failure; }
    /// Returns the state after so many steps; after 0 steps, the file's.
    const std::shared_ptr<const ir::Model> &modelAfter(std::size_t steps) const;
    const analysis::Totals &totalsAfter(std::size_t steps) const;
    std::int64_t parameterBytesAfter(std::size_t steps) const;

private:
    void runSteps(const Pipeline &pipeline, const Task &task, const std::function<void(const Step &)> &onStep);
    void findError(std::size_t step, const Task &task);
    bool runStep(const Entry &entry, const Task &task, std::span<const Entry> rest);
    void compareWithLast(Step &step, std::shared_ptr<const ir::Model> next) const;
    void add(Step step, const Task &task);
    Result<Step> change(ir::Model &model, const Entry &entry, const Task &task);
    std::optional<std::string> fault(const ir::Model &after, const Task &task);
    void fail(const Entry &entry, Error error, std::span<const Entry> rest);
    const analysis::Analysis &analysisOfLast(const Task &task);
    const analysis::Shapes &shapesForAllInputs(const Task &task);

    std::shared_ptr<const ir::Model> m_original;
    ir::FunctionId m_function;
    analysis::Given m_given;
    Step m_start; ///< the file's state, in the form of a step
    std::vector<Step> m_steps;
    std::optional<Failure> m_failure;
    std::shared_ptr<const Recording> m_recording; ///< nullptr if nothing is to be read
    std::shared_ptr<const NumberCheck> m_check;
    std::shared_ptr<const analysis::Analysis> m_analysis; ///< the analysis of the last state; nullptr if not computed
    struct StateShapes {
        std::shared_ptr<const ir::Model> model;
        analysis::Shapes shapes;
    };
    std::optional<StateShapes> m_shapes; ///< shapes that passes asked for last, without given inputs
};

} // namespace cutaway::passes
