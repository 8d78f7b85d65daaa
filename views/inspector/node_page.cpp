// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/inspector/pages.h"

#include "core/ir/opsets.h"
#include "core/ops/category.h"
#include "core/ops/operator.h"
#include "core/ops/schemas/onnx_inputs.h"
#include "core/print/operators/operator_columns.h"
#include "core/run/timing.h"
#include "views/appearance/theme.h"
#include "views/inspector/links.h"
#include "views/parts/property_sheet.h"
#include "views/parts/text.h"
#include "views/session/analysing.h"
#include "views/session/annotations/activation_text.h"
#include "views/session/annotations/annotating.h"
#include "views/session/annotations/colouring.h"
#include "views/session/comparing.h"
#include "views/session/document.h"
#include "views/session/drawing.h"
#include "views/session/navigation.h"
#include "views/session/requests.h"
#include "views/session/running.h"
#include "views/session/session.h"
#include "views/session/stepping.h"
#include "views/session/times_text.h"

#include <algorithm>

namespace cutaway::views {
namespace {

constexpr int maxFrames = 40;

void fillMeaning(PropertySheet &sheet, const ir::NodeRef &node)
{
    QString meaning = shown(ops::meaningOf(node.dialect(), node.opName()));
    if (!meaning.isEmpty())
        sheet.muted(meaning.replace(0, 1, meaning.first(1).toUpper()) + '.');
}

/// Adds what Cutaway can do with the operator, as it stands in docs/operators.md.
void fillOperator(PropertySheet &sheet, const ir::NodeRef &node)
{
    bool isFirst = true;
    for (const print::OperatorColumn &column : print::operatorColumns(node.dialect(), node.opName())) {
        if (column.text.empty())
            continue;
        if (std::exchange(isFirst, false))
            sheet.section(QObject::tr("Operator"));
        sheet.row(shown(column.title), shown(column.text),
                  column.isCode ? PropertySheet::Look::Monospace : PropertySheet::Look::Plain, shown(column.text));
    }
}

void fillNodeOutputs(PropertySheet &sheet, Session &session, const ir::NodeRef &node)
{
    sheet.section(node.outputCount() == 1 ? QObject::tr("Output") : QObject::tr("Outputs"));
    for (const ir::ValueRef value : node.outputs()) {
        const QString type = session.analysing().typeText(value);
        sheet.row(shown(value.name()), type.isEmpty() ? QObject::tr("unknown type") : type,
                  PropertySheet::Look::Monospace,
                  QObject::tr("recorded: %1").arg(shown(session.document().model().context->print(value->type))));
        activationRow(sheet, session, value);
        userRows(sheet, session, value);
    }
}

/// Adds whether numbers cease to be finite at this node, and its cells of node data but for those of the run.
void fillAnnotations(PropertySheet &sheet, const Session &session, const ir::NodeRef &node)
{
    const Annotating &annotating = session.annotating();
    for (const run::NotFinite &each : annotating.notFinite())
        if (each.node == node.id())
            sheet.paragraph(notFiniteText(node.graph(), *annotating.activations(), each) + '.');
    const auto &data = annotating.data();
    if (!data)
        return;
    bool isFirst = true;
    for (const node_data::Column &column : data->columns) {
        if (column.name.starts_with(run::runPrefix) || node.id().index >= column.cells.size())
            continue;
        const std::string text = node_data::print(column.cells[node.id().index]);
        if (text.empty())
            continue;
        if (std::exchange(isFirst, false))
            sheet.section(QObject::tr("Node data"));
        const double *number = column.number(node.id());
        const bool isTime = number && column.unit == node_data::Unit::Seconds;
        sheet.row(columnTitle(column.name), shown(isTime ? node_data::shortText(*number, column.unit) : text));
    }
}

void costRow(PropertySheet &sheet, const Figures &figures, const QString &name, const Quantity &amount)
{
    const Quantity quantity = figures.atExample(amount);
    sheet.row(name, quantity.text(), PropertySheet::Look::Number, figures.exactText(quantity));
}

QString limitText(analysis::Attainable::Bound bound)
{
    switch (bound) {
    case analysis::Attainable::Bound::Compute:
        return QObject::tr("compute-bound");
    case analysis::Attainable::Bound::Memory:
        return QObject::tr("memory-bound");
    case analysis::Attainable::Bound::Nothing:
        break;
    }
    return QObject::tr("no cost");
}

void fillCost(PropertySheet &sheet, const Session &session, ir::NodeId id)
{
    const Figures *figures = session.analysing().figures().get();
    if (!figures)
        return;
    const ops::Cost &cost = figures->analysis().costOf(id), atLeast = figures->analysis().shapes.boundOf(id);
    using Unit = Quantity::Unit;
    sheet.section(QObject::tr("Cost"));
    const auto row = [&](const QString &name, const Quantity &quantity) { costRow(sheet, *figures, name, quantity); };
    row(QObject::tr("FLOPs"), figures->of(id, Measure::Flops));
    row(QObject::tr("other FLOPs"), {Unit::Flop, cost.otherFlops, atLeast.otherFlops});
    row(QObject::tr("bytes read"), {Unit::Byte, cost.bytesRead, atLeast.bytesRead});
    row(QObject::tr("bytes written"), {Unit::Byte, cost.bytesWritten, atLeast.bytesWritten});
    row(QObject::tr("live memory"), figures->of(id, Measure::Memory));
    const Quantity time = figures->of(id, Measure::Time);
    sheet.row(QObject::tr("predicted time"), time.text(), PropertySheet::Look::Number,
              shown(figures->device().name) + '\n' + figures->exactText(time));
    if (const auto &attainable = figures->rooflineAtExample().nodes[id.index])
        sheet.row(QObject::tr("roofline"), limitText(attainable->bound), PropertySheet::Look::Number,
                  QObject::tr("%1 FLOP per byte").arg(attainable->intensity, 0, 'g', 3));
    if (const analysis::Stop *stop = figures->stopAt(id))
        sheet.paragraph(stopText(*stop));
}

/// Adds the node's times in a profile, and how they compare with the predicted one.
void fillTimes(PropertySheet &sheet, Session &session, ir::NodeId id)
{
    const Figures *figures = session.analysing().figures().get();
    if (!figures || !figures->times().timing() || !figures->has(id))
        return;
    const run::NodeTimes &times = figures->times();
    sheet.section(QObject::tr("Measured"));
    const auto seconds = times.of(id);
    if (!seconds)
        return sheet.muted(QObject::tr("Not timed: the backend reports no time for this node."));
    const QString detail = timesText(*figures, id);
    if (*seconds > 0) {
        sheet.row(QObject::tr("time, median"), numberText(Quantity::Unit::Second, *seconds),
                  PropertySheet::Look::Number, detail);
        sheet.row(QObject::tr("share of node time"),
                  Quantity(Quantity::Unit::Share, figures->shareOfTime(*seconds)).text(), PropertySheet::Look::Number);
        const RunProfile *profile = session.running().profile().get();
        const bool isOther = profile && isOfAnotherDevice(profile->origin, *figures);
        if (const auto ratio = figures->measuredByPredicted(std::span(&id, 1)); ratio && !isOther)
            sheet.row(QObject::tr("measured / predicted"), numberText(Quantity::Unit::Ratio, *ratio),
                      PropertySheet::Look::Number, detail);
    }
    std::vector<ir::NodeId> linked;
    for (const std::size_t part : times.partsOf(id))
        for (const ir::NodeId other : times.timing()->nodes[part].nodes)
            if (other != id && figures->has(other) && !std::ranges::contains(linked, other)) {
                linked.push_back(other);
                sheet.link(linked.size() == 1 ? QObject::tr("fused with") : QString(),
                           nodeText({figures->function().graph, other}),
                           [&session, other] { session.navigation().reveal(other); });
            }
}

/// Returns a file name with the folder that contains it, since the end of a path is enough to recognize a file.
QString shortPath(const QString &path) { return path.section('/', -2); }

QString frameText(const ir::Context &context, const ir::Location &place, const QString &file)
{
    QString text = place.line == 0 ? file : QStringLiteral("%1:%2").arg(file).arg(place.line);
    if (place.function != ir::NameId{})
        text += QStringLiteral("  in %1").arg(shown(context.text(place.function)));
    return text;
}

/// Adds the stack of source positions, innermost first as in a debugger.
void fillSource(PropertySheet &sheet, const ir::Context &context, ir::LocationId id)
{
    if (id == ir::LocationId{})
        return;
    sheet.section(QObject::tr("Source"));
    QStringList lines, full;
    for (int n = 0; id != ir::LocationId{} && n < maxFrames; id = context.at(id).caller, ++n) {
        const ir::Location &place = context.at(id);
        const QString file = shown(context.text(place.file));
        lines << frameText(context, place, shortPath(file));
        full << frameText(context, place, file);
        if (place.text != ir::NameId{})
            lines << "    " + shown(context.text(place.text), true).trimmed();
    }
    sheet.code(lines.join('\n'), full.join('\n'));
}

void fillMetadata(PropertySheet &sheet, const ir::NodeRef &node)
{
    if (node->metadata.empty())
        return;
    const ir::Context &context = node.graph().context();
    sheet.section(QObject::tr("Metadata"));
    for (const auto &[key, value] : node->metadata)
        sheet.row(shown(context.text(key)), shown(context.text(value)), PropertySheet::Look::Plain,
                  shown(context.text(value), true));
}

void fillRegions(PropertySheet &sheet, Session &session, const ir::NodeRef &node)
{
    if (node->regions.empty())
        return;
    sheet.section(QObject::tr("Regions"));
    for (ir::RegionId id : node->regions) {
        const ir::Region &region = node.graph().at(id);
        const QString name = shown(session.document().model().context->text(region.name));
        sheet.link(name, counted(static_cast<long long>(region.nodes.size()), "node", "nodes"),
                   [&session, id] { session.navigation().reveal(id); });
    }
}

/// Describes the effect of the shown step on the node, or its difference from the compared model.
void fillMark(PropertySheet &sheet, Session &session, ir::NodeId id)
{
    const layout::NodeMarks *marks = session.drawing().nodeMarks().get();
    const layout::Mark mark = marks ? marks->of(id) : layout::Mark::None;
    if (mark == layout::Mark::None || mark == layout::Mark::Absent)
        return;
    const passes::Step *step = session.stepping().step();
    const QString verbs[] = {{}, QObject::tr("added"), QObject::tr("removed"), QObject::tr("changed")};
    const QString verb = verbs[std::size_t(mark)];
    sheet.chip(step ? QObject::tr("%1 by %2").arg(verb, shown(step->name())) : verb,
               toColor(diagramPalette(sheet.palette()).mark(mark)));
}

/// Adds the matching node of the compared model, and the differences.
void fillCounterpart(PropertySheet &sheet, Session &session, ir::NodeId id)
{
    Session *other = session.comparing().other();
    const auto &difference = session.comparing().difference();
    if (!other || !difference)
        return;
    sheet.section(QObject::tr("Matching node"));
    const auto pair = std::ranges::find(difference->pairs, id, &diff::Pair::a);
    if (const Comparing::Row *row = session.comparing().rowAround(id);
        row && (pair == difference->pairs.end() || row->isReplaced)) {
        if (row->b.empty())
            return sheet.muted(QObject::tr("Equivalent to no node: %1").arg(row->what));
        sheet.link(row->isReplaced ? QObject::tr("Replaced") : QObject::tr("Equivalent"),
                   counted(static_cast<long long>(row->b.size()), "node", "nodes"),
                   [other, node = row->b.front()] { other->navigation().reveal(node); });
        return sheet.muted(row->what);
    }
    if (pair == difference->pairs.end())
        return sheet.muted(QObject::tr("No matching node in the other model."));
    const ir::NodeRef same(other->document().function().graph, pair->b);
    sheet.link(shownName(same), shown(same.fullName()), [other, node = pair->b] { other->navigation().reveal(node); });
    for (const diff::Change &change : pair->changes)
        sheet.row(shown(change.what), shown(change.before) + QStringLiteral(" → ") + shown(change.after));
}

/// Adds links to the nodes that a pass made this node from.
void fillOrigins(PropertySheet &sheet, Session &session, const ir::NodeRef &node)
{
    if (node->origins.empty())
        return;
    sheet.section(QObject::tr("Created from"));
    for (const ir::NodeId id : node->origins)
        if (const ir::NodeRef origin(node.graph(), id); id.index < node.graph().nodeCount())
            sheet.link(shownName(origin), shown(origin.fullName()),
                       [&session, id] { session.navigation().reveal(id); });
}

/// Returns the name of an argument. An input of an ONNX operator has no name in the file, but one in the operator's
/// schema.
QString argumentName(const ir::Model &model, const ir::NodeRef &node, std::size_t position)
{
    std::string_view name = model.context->text(node->arguments[position].name);
    if (name.empty() && node.dialect() == "onnx")
        name = ops::onnxInputName(node.opName(), ir::opsetIn(model, node.graph(), "onnx"), position);
    return name.empty() ? QStringLiteral("#%1").arg(position) : shown(name);
}

} // namespace

void fillNode(PropertySheet &sheet, Session &session, const ir::NodeRef &node)
{
    const ir::Context &context = node.graph().context();
    const ops::Category category = ops::categoryOf(node);
    sheet.title(shown(node.opName()), shown(node.fullName()));
    fillMeaning(sheet, node);
    sheet.chip(shown(ops::name(category)), toColor(diagramPalette(sheet.palette()).category(category)));
    fillMark(sheet, session, node);
    if (!node.name().empty())
        sheet.row(QObject::tr("name"), shown(node.name()));
    moduleRow(sheet, session, node->scope, node->parent);
    fillNote(sheet, session);
    fillCounterpart(sheet, session, node);
    if (!node->arguments.empty())
        sheet.section(QObject::tr("Arguments"));
    for (std::size_t i = 0; i < node->arguments.size(); ++i)
        argumentRows(sheet, session, argumentName(session.document().model(), node, i), node->arguments[i].value);
    if (const auto weight = largestWeight(session.document().model(), node))
        sheet.button(QObject::tr("Statistics of the weights"),
                     [&session, weight = *weight] { session.requests().tensor(weight); });
    fillNodeOutputs(sheet, session, node);
    fillAnnotations(sheet, session, node);
    fillCost(sheet, session, node);
    fillTimes(sheet, session, node);
    fillRegions(sheet, session, node);
    fillOrigins(sheet, session, node);
    fillSource(sheet, context, node->location);
    fillMetadata(sheet, node);
    fillOperator(sheet, node);
}

} // namespace cutaway::views
