// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/fx/lowering/operator_calls.h"

#include <memory>

namespace cutaway::formats::fx {

struct ParsedCode;

/// The state that is shared by all code that is lowered into one graph.
struct GraphLowering {
    GraphLowering(ir::Model &model, SavedModules &saved, Notes &notes)
        : model(model),
          saved(saved),
          notes(notes),
          types(model),
          builder(model, types),
          operators(model, types, builder)
    {
    }
    GraphLowering(const GraphLowering &) = delete;
    GraphLowering &operator=(const GraphLowering &) = delete;

    ir::Model &model;
    SavedModules &saved;
    Notes &notes;
    python::CallTypes types;
    GraphBuilder builder;
    OperatorCalls operators;
    std::unordered_map<SavedId, std::shared_ptr<const ParsedCode>> code; ///< the parsed code of nested GraphModules
    std::vector<SavedId> open;                                           ///< modules whose code is being lowered
    int depth = 0; ///< the present nesting depth of calls and expressions

    ir::Context &context() const { return *model.context; }

    /// Counts work that a file asks for: a few bytes may ask for a lot. Throws Unusable beyond the limit.
    void count(std::size_t steps);
    /// Counts the work of making or copying a term and the terms within it.
    void count(const Extent &extent);

    /// Counts a level of depth for as long as it lives. Throws Unusable beyond the limit.
    class Level {
    public:
        explicit Level(GraphLowering &graph);
        ~Level() { --m_depth; }
        Level(const Level &) = delete;
        Level &operator=(const Level &) = delete;

    private:
        int &m_depth;
    };

    /// Marks a module's code as being lowered during its lifetime.
    class Open {
    public:
        Open(GraphLowering &graph, SavedId module) : m_open(graph.open) { m_open.push_back(module); }
        ~Open() { m_open.pop_back(); }
        Open(const Open &) = delete;
        Open &operator=(const Open &) = delete;

    private:
        std::vector<SavedId> &m_open;
    };

private:
    std::size_t m_steps = 0;
};

} // namespace cutaway::formats::fx
