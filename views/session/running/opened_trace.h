// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"
#include "core/trace/timeline.h"
#include "core/trace/times.h"

#include <QStringList>
#include <memory>
#include <string>

namespace cutaway::views {

inline constexpr double nanosecond = 1e-9; ///< in seconds; times of a trace are nanoseconds

/// A run that was recorded elsewhere, beside the function that it is a run of.
struct OpenedTrace {
    std::string path; ///< the trace's file
    std::shared_ptr<const trace::Trace> recorded;
    const trace::Trace &trace; ///< `recorded`
    trace::Linked linked;
    trace::Summary summary;
    std::vector<trace::MemoryUse> memory;
    run::Timing timing; ///< the trace as a profile
    std::vector<node_data::Column> columns;
    trace::Timeline timeline;

    OpenedTrace(std::string file, std::shared_ptr<const trace::Trace> read, trace::Linked links,
                const ir::Graph &graph);
    OpenedTrace(const OpenedTrace &) = delete; // the timeline refers to the trace
    OpenedTrace &operator=(const OpenedTrace &) = delete;

    /// "torch.profiler, 3 iterations"
    QString origin() const;
    /// "97.4 % of 12.3 ms in 3 iterations is linked to nodes"
    QString linkedText() const;
    /// Sentences on what does not fit the model, and on what cannot be read.
    QStringList remarks() const;
};

/// Reads a trace; progress is that of its file. Errors: those of trace::read().
Result<trace::Trace> readTrace(const std::string &path, const Task &task);

/// Links a trace with the nodes of the analysed function. Errors: it was stopped.
Result<trace::Linked> linkTrace(const trace::Trace &trace, const ir::Model &model, const analysis::Analysis &analysis,
                                const Task &task);

/// Links a trace, and arranges it to be shown. `recorded`: what the file at `path` has; null: it is read. Errors: those
/// of trace::read().
Result<std::shared_ptr<const OpenedTrace>> openTrace(const std::string &path,
                                                     std::shared_ptr<const trace::Trace> recorded,
                                                     const ir::Model &model, const analysis::Analysis &analysis,
                                                     const Task &task);

} // namespace cutaway::views
