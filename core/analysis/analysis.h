// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/memory.h"

namespace cutaway::analysis {

/// Of one execution of a function. What is not known is an UnknownDim; with free symbols the figures are formulas.
struct Totals {
    std::int64_t nodes = 0;               ///< regions included
    ops::Cost cost;                       ///< regions as often as they run
    std::int64_t costUnknown = 0;         ///< nodes whose FLOPs are not known; then those of `cost` are not either
    std::int64_t shapesUnknown = 0;       ///< results whose type, rank or some size is not known
    ir::Dim peakBytes = ir::UnknownDim{}; ///< of activations
};

/// A value of which the file records what it cannot be.
struct Mismatch {
    ir::NodeId node;
    ir::ValueId value;
    std::string message; ///< "y: float32[1, 64] is derived and float32[1, 65] recorded"
};

/// Everything that is known of one function before it runs.
struct Analysis {
    ir::FunctionId function;
    Given given;
    Shapes shapes;
    Memory memory;
    Totals totals;
    std::vector<Mismatch> mismatches; ///< none looked for where inputs are given other than the file's

    /// Of one node; its FLOPs unknown where propagation stopped there.
    ops::Cost costOf(ir::NodeId node) const;

    std::vector<bool> hiddenCosts; ///< by NodeId
};

/// Its diagnostics, in the order of the nodes: what cannot be (shape.contradiction), what the file records wrongly
/// (shape.mismatch), why something is not known (shapes.unknown). None are of code that does not run.
std::vector<ir::Diagnostic> findings(const Analysis &analysis);

Analysis analyse(const ir::Model &model, ir::FunctionId function, Given given = {}, const Task &task = {});

/// The same of the function of an earlier analysis with something else given; the model may differ from the earlier one
/// in the types of inputs. Only nodes that may find something else are looked at (Trace::visited).
Analysis analyse(const ir::Model &model, const Analysis &earlier, Given given, const Task &task = {});

} // namespace cutaway::analysis
