// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/formats/graph_text/read/annotation.h"
#include "core/formats/graph_text/read/signature.h"
#include "core/formats/graph_text/read/syntax.h"
#include "core/formats/notes/notes.h"
#include "core/formats/python/call_types.h"

namespace cutaway::formats::graph_text {

/// The state that the parts of the reader share. The parts throw Unusable.
struct Reading {
    Reading(ir::Model &model, const Task &task)
        : model(model),
          task(task),
          notes(model),
          types(model),
          annotations(*model.context, notes)
    {
    }
    Reading(const Reading &) = delete;
    Reading &operator=(const Reading &) = delete;

    ir::Model &model;
    const Task &task;
    Notes notes;
    python::CallTypes types;
    AnnotationReader annotations;
    Signature signature;
    std::vector<ir::Symbol> ranges; ///< the symbols of the text, with their ranges

    ir::Context &context() const { return *model.context; }
    ir::NameId name(std::string_view text) const { return context().name(text); }
    /// Counts the items of a list that a name in the text stands for, because each use of the name copies them.
    void countItems(std::size_t items);
    /// Counts the code of a subgraph, without the classes in it, because each use of the subgraph copies it.
    void countSubgraph(const PrintedGraph &graph);
    /// Throws Unusable if the counts exceed limits.h. countItems() and countSubgraph() call it.
    void checkCounts() const;

private:
    std::size_t m_items = 0;
    std::size_t m_subgraphCode = 0; ///< the size of the code of subgraphs, in bytes
};

} // namespace cutaway::formats::graph_text
