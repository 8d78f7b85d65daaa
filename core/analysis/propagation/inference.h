// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/calls/known_calls.h"
#include "core/analysis/propagation/module_attributes.h"
#include "core/analysis/propagation/record.h"
#include "core/analysis/propagation/shared.h"
#include "core/analysis/propagation/storages.h"
#include "core/analysis/propagation/symbols.h"
#include "core/analysis/propagation/writes.h"
#include "core/ir/opsets.h"

namespace cutaway::analysis {

/// The limits of how far a model is followed: loops that are unrolled and functions that are called multiply the work
/// that a file can ask for.
class Budget {
public:
    /// Enters a region inside those that are being walked.
    void enterRegion() { ++m_depth; }
    void leaveRegion() { --m_depth; }
    /// Counts a node, and returns whether the limits allow to visit it.
    bool takeStep() { return m_depth <= maxDepth && ++m_steps <= maxSteps; }
    bool allowsCall() const { return m_depth < maxDepth; }
    /// Counts a call, and returns whether the limits allow to visit its function.
    bool takeCall() { return ++m_calls <= maxCalls; }
    int depth() const { return m_depth; }

private:
    static constexpr std::uint64_t maxSteps = 1'000'000;
    static constexpr std::uint64_t maxCalls = 10'000; ///< a call takes as long as tens of nodes
    static constexpr int maxDepth = 64;
    std::uint64_t m_steps = 0; ///< nodes, in all iterations
    std::uint64_t m_calls = 0;
    int m_depth = 0; ///< the depth to which functions and regions are entered inside each other
};

/// The state that the functions of one model share while facts are propagated through them.
struct Inference {
    Inference(const ir::Model &analysed, const Given &given, const Task &watched)
        : model(analysed),
          opsets(analysed),
          task(watched),
          fileSymbols(accesses, analysed, given.bindings),
          constants(analysed, fileSymbols.uncounted(), shapes),
          moduleAttributes(accesses, analysed, constants),
          record(accesses, analysed, given),
          writes(accesses)
    {
    }

    const ir::Model &model;
    ir::NodeOpsets opsets;
    const Task &task;
    Budget budget;
    std::uint64_t visited = 0; ///< nodes visited in all iterations, without those of known calls

    AccessCount accesses;
    Shared<const FileSymbols> fileSymbols;

    ops::ShapePool shapes;
    Constants constants;
    Storages storages;
    Symbols symbols;
    KnownCalls calls;
    Trace::Count count() const { return {storages.count(), symbols.count()}; }

    Shared<ModuleAttributes> moduleAttributes;
    Shared<const Record> record;
    Shared<Writes> writes;
};

} // namespace cutaway::analysis
