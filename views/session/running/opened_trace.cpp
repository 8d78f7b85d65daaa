// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/session/running/opened_trace.h"

#include "core/base/result.h"
#include "core/sequence/address.h"
#include "core/trace/times.h"
#include "views/parts/quantity.h"
#include "views/parts/text.h"

#include <QObject>
#include <filesystem>

namespace cutaway::views {

namespace {

QString countedIterations(const trace::Linked &linked)
{
    return counted(std::ssize(linked.iterations), "iteration", "iterations");
}

/// Returns a task that reports progress against the size of the file, unless the file is packed.
Task reading(const std::string &path, const Task &task)
{
    std::error_code error;
    const std::uintmax_t bytes = path.ends_with(".gz") ? 0 : std::filesystem::file_size(path, error);
    return {task.stop, [&task, size = error ? 0 : bytes](std::string_view what, std::uint64_t done, std::uint64_t) {
                task.report(what, done, done <= size ? size : 0);
            }};
}

} // namespace

OpenedTrace::OpenedTrace(std::string file, std::shared_ptr<const trace::Trace> read, trace::Linked links,
                         const ir::Graph &graph)
    : path(std::move(file)),
      recorded(std::move(read)),
      trace(*recorded),
      linked(std::move(links)),
      summary(trace::summaryOf(trace, linked, graph)),
      memory(trace::memoryUse(trace, linked)),
      timing(trace::timesOf(trace, linked, memory)),
      columns(trace::columnsOf(summary, graph)),
      timeline(trace, linked)
{
}

QString OpenedTrace::origin() const
{
    const QString writer = trace.kind == trace::Kind::Kineto ? QStringLiteral("torch.profiler")
        : trace.kind == trace::Kind::OnnxRuntime             ? QStringLiteral("ONNX Runtime")
                                                             : QObject::tr("trace in Chrome's format");
    return QStringLiteral("%1, %2").arg(writer, countedIterations(linked));
}

QString OpenedTrace::linkedText() const
{
    const trace::LaneTime &all = summary.all;
    return QObject::tr("%1 of %2 in %3 is linked to nodes")
        .arg(numberText(Quantity::Unit::Share, all.total > 0 ? all.linked / all.total : 0),
             numberText(Quantity::Unit::Second, all.total * nanosecond), countedIterations(linked));
}

QStringList OpenedTrace::remarks() const
{
    QStringList remarks;
    for (const ir::Diagnostic &diagnostic : linked.diagnostics)
        remarks << sentence(shown(diagnostic.message));
    return remarks;
}

Result<trace::Trace> readTrace(const std::string &path, const Task &task)
{
    return trace::read(path, reading(path, task));
}

Result<trace::Linked> linkTrace(const trace::Trace &trace, const ir::Model &model, const analysis::Analysis &analysis,
                                const Task &task)
{
    task.report("finding the nodes of its events");
    const auto step = sequence::stepOfLog(model.path, task);
    auto linked = trace::link(trace, model, analysis, step ? &*step : nullptr, task);
    if (task.stopRequested())
        return cancelled();
    return linked;
}

Result<std::shared_ptr<const OpenedTrace>> openTrace(const std::string &path,
                                                     std::shared_ptr<const trace::Trace> recorded,
                                                     const ir::Model &model, const analysis::Analysis &analysis,
                                                     const Task &task)
{
    if (!recorded) {
        CUTAWAY_TRY(auto read, readTrace(path, task));
        recorded = std::make_shared<const trace::Trace>(std::move(read));
    }
    CUTAWAY_TRY(auto linked, linkTrace(*recorded, model, analysis, task));
    return std::make_shared<const OpenedTrace>(path, std::move(recorded), std::move(linked),
                                               model.at(analysis.function).graph);
}

} // namespace cutaway::views
