// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"
#include "core/node_data/node_data.h"
#include "core/trace/comparison.h"

#include <memory>
#include <string>

namespace cutaway::views {

struct OpenedTrace;

/// The differences of a second trace from the opened one, which are all that is kept of the second one.
struct TraceChange {
    std::string path;          ///< the file of the second trace
    std::string before, after; ///< the names of the two files, with folders if the names are equal
    std::shared_ptr<const ir::Model> model;
    ir::FunctionId function; ///< the function that both traces are runs of
    trace::Comparison comparison;
    std::vector<node_data::Column> columns;
    double linkedShare = 0; ///< the share of the second trace's time that is linked to nodes

    const ir::Graph &graph() const { return model->at(function).graph; }
};

/// Reads a second trace of the analysed function. Errors: those of trace::read().
Result<std::shared_ptr<const TraceChange>> compareTrace(const OpenedTrace &before, const std::string &path,
                                                        std::shared_ptr<const ir::Model> model,
                                                        const analysis::Analysis &analysis, const Task &task);

} // namespace cutaway::views
