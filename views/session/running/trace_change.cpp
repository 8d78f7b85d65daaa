// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/session/running/trace_change.h"

#include "core/base/result.h"
#include "core/trace/times.h"
#include "views/session/running/opened_trace.h"

#include <filesystem>

namespace cutaway::views {

namespace {

/// Returns the name of `file`, "run.json". If `other` has the same name, the folders from the last different one on are
/// included: "second/run.json".
std::string nameBeside(std::filesystem::path file, std::filesystem::path other)
{
    std::filesystem::path name = file.filename();
    while (file.filename() == other.filename() && file.has_relative_path() && other.has_relative_path()) {
        file = file.parent_path();
        other = other.parent_path();
        name = file.filename() / name;
    }
    return name.string();
}

} // namespace

Result<std::shared_ptr<const TraceChange>> compareTrace(const OpenedTrace &before, const std::string &path,
                                                        std::shared_ptr<const ir::Model> model,
                                                        const analysis::Analysis &analysis, const Task &task)
{
    CUTAWAY_TRY(const trace::Trace second, readTrace(path, task));
    CUTAWAY_TRY(const trace::Linked linked, linkTrace(second, *model, analysis, task));
    auto change = std::make_shared<TraceChange>();
    change->path = path;
    change->before = nameBeside(before.path, path);
    change->after = nameBeside(path, before.path);
    change->model = std::move(model);
    change->function = analysis.function;
    const ir::Graph &graph = change->graph();
    const trace::Summary summary = trace::summaryOf(second, linked, graph);
    change->comparison =
        trace::compare({before.trace, before.linked, before.summary}, {second, linked, summary}, graph);
    change->columns = trace::columnsOf(change->comparison, graph);
    change->linkedShare = trace::linkedShare(linked);
    return change;
}

} // namespace cutaway::views
