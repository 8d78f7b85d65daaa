// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/inspector/pages.h"

#include "core/ir/context.h"
#include "views/inspector/links.h"
#include "views/inspector/operand_text.h"
#include "views/parts/property_sheet.h"
#include "views/parts/text.h"
#include "views/session/analysing.h"
#include "views/session/annotations/activation_text.h"
#include "views/session/annotations/annotating.h"
#include "views/session/document.h"
#include "views/session/navigation.h"
#include "views/session/session.h"

#include <algorithm>
#include <utility>

namespace cutaway::views {
namespace {

QString kindText(ir::FunctionInput::Kind kind)
{
    switch (kind) {
    case ir::FunctionInput::Kind::User:
        return QObject::tr("input");
    case ir::FunctionInput::Kind::Parameter:
        return QObject::tr("parameter");
    case ir::FunctionInput::Kind::Buffer:
        return QObject::tr("buffer");
    case ir::FunctionInput::Kind::Constant:
        return QObject::tr("constant");
    case ir::FunctionInput::Kind::CustomObject:
        return QObject::tr("custom object");
    case ir::FunctionInput::Kind::Token:
        return QObject::tr("token");
    case ir::FunctionInput::Kind::ConstantInput:
        return QObject::tr("constant input");
    case ir::FunctionInput::Kind::Overridable:
        return QObject::tr("input with a default");
    }
    return {};
}

QString kindText(ir::FunctionOutput::Kind kind)
{
    switch (kind) {
    case ir::FunctionOutput::Kind::User:
        return QObject::tr("output");
    case ir::FunctionOutput::Kind::Loss:
        return QObject::tr("loss");
    case ir::FunctionOutput::Kind::BufferMutation:
        return QObject::tr("buffer mutation");
    case ir::FunctionOutput::Kind::ParameterMutation:
        return QObject::tr("parameter mutation");
    case ir::FunctionOutput::Kind::UserInputMutation:
        return QObject::tr("input mutation");
    case ir::FunctionOutput::Kind::GradientToParameter:
        return QObject::tr("parameter gradient");
    case ir::FunctionOutput::Kind::GradientToUserInput:
        return QObject::tr("input gradient");
    case ir::FunctionOutput::Kind::Token:
        return QObject::tr("token");
    }
    return {};
}

void typeRows(PropertySheet &sheet, const Session &session, const ir::ValueRef &value)
{
    const QString recorded = shown(session.document().model().context->print(value->type));
    const QString type = session.analysing().typeText(value);
    const Figures *figures = session.analysing().figures().get();
    const bool isRecorded = figures && figures->isRecorded(value);
    sheet.row(QObject::tr("type"), type.isEmpty() ? QObject::tr("unknown") : type, PropertySheet::Look::Monospace,
              isRecorded ? QObject::tr("as the file records it; no rule gives it") : QString());
    sheet.row(QObject::tr("recorded type"), recorded.isEmpty() ? QObject::tr("none") : recorded,
              PropertySheet::Look::Monospace);
    activationRow(sheet, session, value);
    const auto *tensor = figures ? ops::asTensor(figures->analysis().shapes.of(value)) : nullptr;
    if (!tensor)
        return;
    const Quantity bytes = figures->atExample({Quantity::Unit::Byte, ops::bytesOf(*tensor)});
    sheet.row(QObject::tr("size"), bytes.text(), PropertySheet::Look::Number, figures->exactText(bytes));
}

/// Adds why the results of `maker`, the node that makes a value, are unknown.
void reasonParagraph(PropertySheet &sheet, const Session &session, ir::NodeId maker)
{
    const Figures *figures = session.analysing().figures().get();
    if (const analysis::Stop *stop = figures ? figures->stopAt(maker) : nullptr)
        sheet.paragraph(stopText(*stop));
}

} // namespace

void activationRow(PropertySheet &sheet, const Session &session, ir::ValueId value)
{
    const auto *activations = session.annotating().activations();
    const run::Activation *activation = activations ? activations->of(value) : nullptr;
    QString name = QObject::tr("in the run");
    for (const QString &line : activation ? activationLines(*activation) : QStringList())
        sheet.row(std::exchange(name, {}), line, PropertySheet::Look::Plain,
                  QObject::tr("of the last run with statistics"));
}

QString stopText(const analysis::Stop &stop)
{
    const QString kind = stop.isContradiction               ? QObject::tr("Contradiction: %1")
        : stop.results == analysis::Stop::Results::Recorded ? QObject::tr("As the file records it: %1")
        : stop.results == analysis::Stop::Results::Known    ? QObject::tr("Unknown cost: %1")
                                                            : QObject::tr("Unknown: %1");
    return kind.arg(shown(stop.reason));
}

void fillInput(PropertySheet &sheet, Session &session, const ir::ValueRef &value)
{
    const auto &inputs = session.navigation().selectedFunction().inputs;
    const auto it = std::ranges::find(inputs, ir::Operand(value.id()), &ir::FunctionInput::value);
    const bool ofFunction = it != inputs.end();
    sheet.title(shown(value.name()), ofFunction ? kindText(it->kind) : QObject::tr("region input"));
    sheet.section(QObject::tr("Value"));
    typeRows(sheet, session, value);
    if (ofFunction && it->target != ir::NameId{})
        sheet.row(QObject::tr("bound to"), shown(session.document().model().context->text(it->target)));
    userRows(sheet, session, value);
}

void fillOutput(PropertySheet &sheet, Session &session, const layout::OutputSubject &output)
{
    const ir::Function &function = session.navigation().selectedFunction();
    const ir::Region &region = function.graph.at(output.region);
    const bool ofFunction = output.region == ir::Graph::body && output.index < function.outputs.size();
    const ir::Context &context = *session.document().model().context;
    sheet.title(ofFunction ? shown(context.text(function.outputs[output.index].name))
                           : QObject::tr("output %1").arg(output.index),
                ofFunction ? kindText(function.outputs[output.index].kind) : QObject::tr("region output"));
    sheet.section(QObject::tr("Value"));
    if (output.index < region.outputs.size())
        argumentRows(sheet, session, QObject::tr("value"), region.outputs[output.index]);
    if (ofFunction && function.outputs[output.index].target != ir::NameId{})
        sheet.row(QObject::tr("target"), shown(context.text(function.outputs[output.index].target)));
}

void fillValue(PropertySheet &sheet, Session &session, const ir::ValueRef &value)
{
    sheet.title(shown(value.name()), QObject::tr("value"));
    sheet.section(QObject::tr("Value"));
    typeRows(sheet, session, value);
    if (const auto maker = value.producer()) {
        sheet.link(QObject::tr("produced by"), nodeTitle(*maker),
                   [&session, node = maker->id()] { session.navigation().reveal(node); });
        reasonParagraph(sheet, session, *maker);
    }
    userRows(sheet, session, value);
}

void fillRegion(PropertySheet &sheet, Session &session, ir::RegionId id)
{
    const ir::Region &region = session.navigation().selectedFunction().graph.at(id);
    sheet.title(shown(session.document().model().context->text(region.name)), QObject::tr("region"));
    sheet.section(QObject::tr("Region"));
    if (region.owner)
        sheet.link(QObject::tr("owner"), nodeTitle({session.navigation().selectedFunction().graph, *region.owner}),
                   [&session, owner = *region.owner] { session.navigation().reveal(owner); });
    sheet.row(QObject::tr("nodes"), QString::number(region.nodes.size()));
    for (ir::ValueId input : region.inputs)
        valueRow(sheet, session, input == region.inputs.front() ? QObject::tr("inputs") : QString(), input);
    bool first = true;
    for (const ir::Operand &output : region.outputs) {
        argumentRows(sheet, session, first ? QObject::tr("outputs") : QString(), output);
        first = false;
    }
}

} // namespace cutaway::views
