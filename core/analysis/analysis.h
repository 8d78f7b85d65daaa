// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/held_sizes.h"
#include "core/analysis/memory.h"
#include "core/analysis/sizes/needed_sizes.h"

namespace cutaway::analysis {

/// The sums over one execution of a function. An unknown figure is an UnknownDim; with free symbols the figures are
/// formulas.
struct Totals {
    std::int64_t nodes = 0;               ///< the number of nodes, those in regions included
    ops::Cost cost;                       ///< the cost of all nodes, those in regions as often as they run
    ops::Cost atLeast;                    ///< `cost`, with lower bounds in place of figures that are not known
    std::int64_t flopsUnknown = 0;        ///< nodes with unknown FLOPs; if there are any, `cost.flops` is not known
    std::int64_t costUnknown = 0;         ///< nodes with unknown operations; if there are any, `cost` is not known
    std::int64_t shapesUnknown = 0;       ///< results whose type, rank or some size is not known
    std::int64_t shapesRecorded = 0;      ///< results some part of which is known only because the file records it
    ir::Dim peakBytes = ir::UnknownDim{}; ///< the most bytes of activations that are alive at one time
    ir::Dim peakAtLeast = std::int64_t{0};
};

/// A value that cannot have the type that the file records for it.
struct Mismatch {
    ir::NodeId node;
    ir::ValueId value;
    enum class Kind : std::uint8_t {
        ElementType, ///< the element type of an ONNX value: runtimes refuse such a file
        Shape,
        ShapeOfOtherRun, ///< a size in a branch or loop of ONNX that may not run; the file may record the size of
                         ///< another run
    };
    Kind kind = Kind::Shape;
    std::string message; ///< "y: float32[1, 64] is derived and float32[1, 65] recorded"
};

/// Everything that is known of one function before it runs.
struct Analysis {
    ir::FunctionId function;
    Given given;
    Shapes shapes;
    Memory memory;
    Totals totals;
    std::vector<Mismatch> mismatches; ///< empty where the inputs differ from the file's
    std::vector<HeldSize> held;       ///< where the inputs differ from the file's: the nodes that keep the file's sizes
    NeededSizes needed;

    /// The cost of one execution of a node.
    const ops::Cost &costOf(ir::NodeId node) const { return shapes.costs[node.index]; }
};

/// The diagnostics of an analysis, in the order of the nodes: contradictions (shape.contradiction); nodes that keep a
/// size although the user gives another one, so that they are impossible or mix up elements (size.fixed); wrong records
/// of the file (type.mismatch, shape.mismatch; a note where the code may not run); why something is not known
/// (shapes.unknown; cost.unknown where only a cost is not) or is known from the file alone (shapes.recorded); the only
/// value of a size that works (size.needed); sizes that are taken to be equal (size.assumed). Code that does not run
/// has no diagnostics.
std::vector<ir::Diagnostic> findings(const Analysis &analysis);

/// Analyses a function for all values of the symbols that `given` does not bind. If cancelled, nodes that were not
/// reached have unknown results.
Analysis analyse(const ir::Model &model, ir::FunctionId function, Given given = {}, const Task &task = {});

/// Analyses the function of an earlier analysis anew, with another `given`; `model` may differ from the model of
/// `earlier` only in the types of inputs. Only nodes whose findings may change are visited (Trace::visited).
Analysis analyse(const ir::Model &model, const Analysis &earlier, Given given, const Task &task = {});

} // namespace cutaway::analysis
