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

inline constexpr double nanosecond = 1e-9; ///< in seconds; traces have times in nanoseconds

/// A run that was recorded elsewhere, linked with the nodes of the function that was run.
struct OpenedTrace {
    std::string path; ///< the trace's file
    std::shared_ptr<const trace::Trace> recorded;
    const trace::Trace &trace; ///< `recorded`
    trace::Linked linked;
    trace::Summary summary;
    std::vector<trace::MemoryUse> memory;
    run::Timing timing; ///< the times of the trace in the form of a profile
    std::vector<node_data::Column> columns;
    trace::Timeline timeline;

    OpenedTrace(std::string file, std::shared_ptr<const trace::Trace> read, trace::Linked links,
                const ir::Graph &graph);
    OpenedTrace(const OpenedTrace &) = delete; // the timeline refers to `trace`, so there are no copies
    OpenedTrace &operator=(const OpenedTrace &) = delete;

    /// Returns where the trace comes from: "torch.profiler, 3 iterations".
    QString origin() const;
    /// Returns how much of the time is linked to nodes: "97.4 % of 12.3 ms in 3 iterations is linked to nodes".
    QString linkedText() const;
    /// Returns sentences about events that do not fit the model, and about unreadable ones.
    QStringList remarks() const;
};

/// Reads a trace and reports how much of its file is read. Errors: those of trace::read().
Result<trace::Trace> readTrace(const std::string &path, const Task &task);

/// Links the events of a trace with the nodes of the analysed function. Errors: the task was stopped.
Result<trace::Linked> linkTrace(const trace::Trace &trace, const ir::Model &model, const analysis::Analysis &analysis,
                                const Task &task);

/// Reads a trace, links it with the analysed function, and arranges its timeline. `recorded` is the content of the file
/// at `path`; null if it has to be read. Errors: those of trace::read().
Result<std::shared_ptr<const OpenedTrace>> openTrace(const std::string &path,
                                                     std::shared_ptr<const trace::Trace> recorded,
                                                     const ir::Model &model, const analysis::Analysis &analysis,
                                                     const Task &task);

} // namespace cutaway::views
