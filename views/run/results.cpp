// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/run/results.h"

#include "core/analysis/known_devices.h"
#include "core/request/run_inputs.h"
#include "views/parts/property_sheet.h"
#include "views/parts/text.h"
#include "views/session/analysing.h"
#include "views/session/annotations/activation_text.h"
#include "views/session/annotations/annotating.h"
#include "views/session/document.h"
#include "views/session/navigation.h"
#include "views/session/requests.h"
#include "views/session/running.h"
#include "views/session/selection.h"
#include "views/session/session.h"
#include "views/session/times_text.h"

#include <QFileDialog>
#include <QFileInfo>
#include <algorithm>
#include <ranges>
#include <set>

namespace cutaway::views {
namespace {

using Look = PropertySheet::Look;
using Unit = Quantity::Unit;

constexpr std::size_t maxOutputs = 40, maxNotFinite = 12, mostSlow = 6;

QString plainNumber(double number) { return QString::number(number, 'g', 4); }

/// Describes how the model was run and with which sizes, which may differ from those of the shown function.
void fillOrigin(PropertySheet &sheet, const RunOrigin &origin)
{
    QStringList given;
    for (const std::string &text : origin.given)
        given << shown(text);
    if (!origin.note.isEmpty())
        given << origin.note;
    sheet.muted(given.isEmpty() ? origin.how : origin.how + "; " + given.join(QStringLiteral(", ")));
}

void fillWhole(PropertySheet &sheet, const run::Timing &timing)
{
    const protocol::Spread &whole = timing.whole;
    sheet.row(QObject::tr("run time, median of %1").arg(whole.count), secondsText(whole.median), Look::Number,
              QObject::tr("without timing each node"));
    if (whole.count > 1)
        sheet.row(QObject::tr("5th to 95th percentile"),
                  secondsText(whole.p5) + QStringLiteral(" … ") + secondsText(whole.p95), Look::Number);
    const auto nodes = timing.sum();
    if (!nodes)
        return sheet.muted(QObject::tr("The backend does not report times of single nodes"));
    const double timed = timing.instrumented.median - whole.median;
    if (timed != 0) // in a trace each run has times of nodes, so there is no second figure
        sheet.row(QObject::tr("with per-node timing"), secondsText(timing.instrumented.median), Look::Number,
                  QObject::tr("median of %1 in which each node is timed")
                      .arg(counted(static_cast<long long>(timing.instrumented.count), "run", "runs")));
    sheet.row(QObject::tr("all nodes"), secondsText(*nodes), Look::Number,
              QObject::tr("median of the sums of all runs; the medians of the nodes add up to %1")
                  .arg(secondsText(*timing.sumOfMedians())));
    if (timing.between.count > 0)
        sheet.row(QObject::tr("overhead outside nodes"), secondsText(timing.between.median), Look::Number,
                  QObject::tr("median time of a run before, between and after its nodes"));
    if (timed > 0)
        sheet.row(QObject::tr("timing overhead"),
                  QStringLiteral("%1 (%2)").arg(secondsText(timed), numberText(Unit::Share, timed / whole.median)),
                  Look::Number, QObject::tr("extra time of a run with per-node timing"));
}

void fillMemory(PropertySheet &sheet, const run::Timing &timing, const Figures *figures)
{
    if (timing.peakBytes)
        sheet.row(QObject::tr("peak process memory"), numberText(Unit::Byte, double(timing.peakBytes)), Look::Number,
                  QObject::tr("of the backend's process, including its libraries"));
    if (figures && figures->roofline().neededBytes)
        sheet.row(QObject::tr("predicted memory"), numberText(Unit::Byte, *figures->roofline().neededBytes),
                  Look::Number, QObject::tr("weights and peak memory"));
}

/// Adds the predicted time, and its ratio to the measured one. If the run was on a processor and the prediction is for
/// an accelerator, a button offers to measure this processor, which takes two seconds.
void fillPrediction(PropertySheet &sheet, Session &session, const RunProfile &profile, const Figures *figures)
{
    const auto predicted = figures ? figures->total(Measure::Time).number() : std::nullopt;
    if (!predicted || *predicted <= 0)
        return;
    sheet.section(QObject::tr("Prediction"));
    sheet.row(QObject::tr("device"), shown(figures->device().name), Look::Plain,
              QObject::tr("Choose another device in Roofline"));
    sheet.row(QObject::tr("predicted (lower bound)"), secondsText(*predicted), Look::Number);
    if (!isOfAnotherDevice(profile.origin, *figures))
        return sheet.row(QObject::tr("measured / predicted"),
                         numberText(Unit::Ratio, profile.timing->whole.median / *predicted), Look::Number);
    sheet.muted(QObject::tr("This machine has not been measured yet."));
    sheet.button(session.analysing().isMeasuring() ? QObject::tr("Measuring…")
                                                   : QObject::tr("Measure this machine (2 s)"),
                 [&session] { session.analysing().measureMachine(); });
}

/// Lists the slowest nodes, which a user would look at first; the table has all.
void fillSlowest(PropertySheet &sheet, Session &session, const Figures &figures)
{
    const ir::Graph &graph = figures.function().graph;
    std::vector<std::pair<double, ir::NodeId>> slowest;
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i)
        if (const auto seconds = figures.times().of({i}); seconds && *seconds > 0)
            slowest.emplace_back(-*seconds, ir::NodeId{i});
    std::ranges::sort(slowest);
    if (slowest.empty())
        return;
    sheet.section(QObject::tr("Slowest nodes"));
    for (const auto &[negative, node] : slowest | std::views::take(mostSlow)) {
        const double seconds = -negative;
        sheet.link(
            secondsText(seconds), nodeText({graph, node}), [&session, id = node] { session.navigation().reveal(id); },
            QObject::tr("%1 of node time").arg(numberText(Unit::Share, figures.shareOfTime(seconds).value_or(0))));
    }
}

QString rangeText(const tensor::Statistics &statistics)
{
    QString notFinite = QObject::tr("%1 not finite").arg(statistics.notFinite());
    if (statistics.finite == 0)
        return notFinite;
    const QString range =
        QObject::tr("%1 … %2, mean %3")
            .arg(plainNumber(statistics.min), plainNumber(statistics.max), plainNumber(statistics.mean));
    return statistics.notFinite() > 0 ? range + QStringLiteral(", ") + notFinite : range;
}

void chooseFile(PropertySheet &sheet, Session &session, ir::ValueId input)
{
    const QString path = QFileDialog::getOpenFileName(sheet.window(), QObject::tr("Choose a tensor for the input"), {},
                                                      QObject::tr("Tensors (*.npy *.pt *.json)"));
    if (!path.isEmpty())
        session.running().setInputFile(input, path);
}

void fillNextInput(PropertySheet &sheet, Session &session, ir::ValueId input)
{
    const QString name = shown(ir::ValueRef(session.document().function().graph, input).name());
    sheet.link(name, session.analysing().typeText(input),
               [&session, input] { session.navigation().reveal(layout::InputSubject{input}); });
    const auto &files = session.running().setup().inputFiles();
    const auto file = files.find(input);
    const QString what = file == files.end() ? QObject::tr("random numbers") : QFileInfo(file->second.path).fileName();
    sheet.link(
        {}, what, [&sheet, &session, input] { chooseFile(sheet, session, input); },
        QObject::tr("Tensor file: .npy, .pt or .json"));
    if (file != files.end())
        sheet.link({}, QObject::tr("use random numbers"),
                   [&session, input] { session.running().setup().setRandom(input); });
}

} // namespace

void fillProfile(PropertySheet &sheet, Session &session)
{
    const auto &profile = session.running().profile();
    if (!profile)
        return;
    const run::Timing &timing = *profile->timing;
    const bool isShown = session.running().timing() != nullptr;
    const Figures *figures = isShown ? session.analysing().figures().get() : nullptr;
    sheet.section(QObject::tr("Profile"));
    fillOrigin(sheet, profile->origin);
    for (const QString &note : profile->notes)
        sheet.muted(note);
    if (!isShown)
        sheet.muted(QObject::tr(
            "This profile is of other sizes or another function, so the graph and the tables show no times."));
    fillWhole(sheet, timing);
    fillMemory(sheet, timing, figures);
    fillPrediction(sheet, session, *profile, figures);
    if (figures && figures->times().timing())
        fillSlowest(sheet, session, *figures);
}

void fillNotFinite(PropertySheet &sheet, Session &session)
{
    const Annotating &annotating = session.annotating();
    const run::Activations *activations = annotating.activations();
    if (!activations)
        return;
    const ir::Graph &graph = session.document().function().graph;
    sheet.section(QObject::tr("NaN and infinity"));
    if (annotating.notFinite().empty())
        sheet.muted(QObject::tr(
            "No node produces any. The graph, its tool tips and the table Nodes show statistics of all values."));
    std::set<run::NotFinite::Kind> seen;
    for (const run::NotFinite &each : annotating.notFinite() | std::views::take(maxNotFinite)) {
        if (!isThere(session.document().function(), each.node))
            continue;
        const bool isFirst = seen.insert(each.kind).second;
        const QString kind = each.kind == run::NotFinite::Kind::NaN ? QObject::tr("NaN") : QObject::tr("infinity");
        sheet.link(isFirst ? QObject::tr("first %1").arg(kind) : kind, nodeText({graph, each.node}),
                   [&session, node = each.node] { session.navigation().reveal(node); });
        sheet.muted(notFiniteText(graph, *activations, each) + '.');
    }
    if (annotating.notFinite().size() > maxNotFinite)
        sheet.muted(QObject::tr("… %1 more").arg(annotating.notFinite().size() - maxNotFinite));
}

void fillOutputs(PropertySheet &sheet, Session &session)
{
    const auto &result = session.running().result();
    if (!result)
        return;
    sheet.section(QObject::tr("Results"));
    fillOrigin(sheet, result->origin);
    sheet.row(QObject::tr("run time with %1").arg(result->outputs.backend), secondsText(result->outputs.seconds),
              Look::Number);
    for (const ShownOutput &output : result->outputs.all | std::views::take(maxOutputs)) {
        const QString elements = output.first.join(QStringLiteral(", "));
        if (output.tensor)
            sheet.link(
                output.name, output.type, [&session, id = *output.tensor] { session.requests().output(id); },
                QObject::tr("Shows statistics and all values"));
        else
            sheet.row(output.name, output.type, Look::Monospace);
        if (output.statistics && output.statistics->count > 0)
            sheet.row({}, rangeText(*output.statistics), Look::Monospace, elements);
        if (!elements.isEmpty())
            sheet.row({}, elements, Look::Monospace);
    }
    if (!result->outputs.tensors)
        sheet.muted(QObject::tr("The statistics are of an earlier session; the results were not kept."));
    if (result->outputs.all.size() > maxOutputs)
        sheet.muted(QObject::tr("… %1 more").arg(result->outputs.all.size() - maxOutputs));
}

void fillInputs(PropertySheet &sheet, Session &session)
{
    const ir::Function &function = session.document().function();
    sheet.section(QObject::tr("Inputs of the next run"));
    for (const ir::ValueId value : function.graph.at(ir::Graph::body).inputs)
        if (!run::boundTo(function, value))
            fillNextInput(sheet, session, value);
    const Figures *figures = session.analysing().figures().get();
    const std::string chosen = figures
        ? request::openSizes(*figures->model(), session.document().functionId(), figures->analysis().shapes).note
        : std::string();
    if (!chosen.empty())
        sheet.muted(QObject::tr("Sizes not given: %1. Change them in Bindings.").arg(shown(chosen)));
}

} // namespace cutaway::views
