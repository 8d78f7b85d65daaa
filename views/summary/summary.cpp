// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/summary/summary.h"

#include "core/analysis/counts.h"
#include "core/analysis/data_sizes.h"
#include "core/analysis/module_sums.h"
#include "core/base/text.h"
#include "core/ir/context.h"
#include "views/parts/property_sheet.h"
#include "views/parts/text.h"
#include "views/session/analysing.h"
#include "views/session/document.h"
#include "views/session/drawing.h"
#include "views/session/navigation.h"
#include "views/session/session.h"
#include "views/session/times_text.h"
#include "views/summary/dominating.h"

#include <QFileInfo>
#include <algorithm>
#include <memory>
#include <optional>

namespace cutaway::views {
namespace {

constexpr std::size_t maxSummaryRows = 40;
using Look = PropertySheet::Look;

void fillFile(PropertySheet &sheet, const ir::Model &model)
{
    const QFileInfo file(shown(model.path));
    sheet.title(model.name.empty() ? file.fileName() : shown(model.name), file.fileName());
    sheet.section(QObject::tr("File"));
    sheet.row(QObject::tr("folder"), file.absolutePath());
    sheet.row(QObject::tr("format"), shown(model.format + " " + model.formatVersion).trimmed());
    if (!model.producer.empty())
        sheet.row(QObject::tr("producer"), shown(model.producer + " " + model.producerVersion).trimmed());
    QStringList opsets;
    for (const auto &[domain, version] : model.opsets)
        opsets << shown(domain.empty() ? "ai.onnx" : domain) + " " + QString::number(version);
    if (!opsets.isEmpty())
        sheet.row(QObject::tr("opsets"), opsets.join(", "));
    if (!model.documentation.empty())
        sheet.paragraph(shown(model.documentation, true));
}

void countRow(PropertySheet &sheet, const QString &name, const analysis::TensorCount &count)
{
    if (count.tensors == 0)
        return;
    const QString text =
        QStringLiteral("%1  ·  %2")
            .arg(shown(siCount(double(count.distinctElements))), shown(byteCount(double(count.distinctBytes))));
    QString exact =
        QStringLiteral("%1 in %2, %3")
            .arg(counted(count.distinctElements, "element", "elements"), counted(count.tensors, "tensor", "tensors"),
                 counted(count.distinctBytes, "byte", "bytes"));
    if (count.distinctElements < count.elements)
        exact += QObject::tr("\ntied tensors once; %1 by each of their names")
                     .arg(counted(count.elements, "element", "elements"));
    sheet.row(name, text, Look::Number, exact);
    if (count.distinctElements < count.elements)
        sheet.row({}, QObject::tr("tied tensors once"), Look::Plain, exact);
}

/// Adds the numbers of nodes of the shown function, and of tensors of the file.
void fillSizes(PropertySheet &sheet, const Document &document)
{
    const ir::Model &model = document.model();
    const analysis::ModuleSums::Sum &read = document.moduleSums().at(ir::ScopeId{});
    const analysis::Counts counts = analysis::countTensors(model);
    sheet.section(QObject::tr("Size"));
    sheet.row(QObject::tr("nodes"), shown(grouped(read.nodes)), Look::Number);
    countRow(sheet, QObject::tr("parameters"), counts.parameters);
    if (read.parameters != counts.parameters.distinctElements && read.parameters > 0)
        sheet.row(QObject::tr("used parameters"),
                  QStringLiteral("%1  ·  %2")
                      .arg(shown(siCount(double(read.parameters))), shown(byteCount(double(read.bytes)))),
                  Look::Number, counted(read.parameters, "element", "elements"));
    countRow(sheet, QObject::tr("buffers"), counts.buffers);
    countRow(sheet, QObject::tr("constants"), counts.constants);
    sheet.row(QObject::tr("stored"), shown(byteCount(double(counts.storageBytes))), Look::Number,
              QObject::tr("%1; shared storage is counted once").arg(counted(counts.storageBytes, "byte", "bytes")));
}

QString typeText(const Session &session, const ir::Operand &operand)
{
    const auto *value = operand.as<ir::ValueId>();
    const QString text = value ? session.analysing().typeText(*value) : QString();
    return text.isEmpty() ? QObject::tr("unknown type") : text;
}

/// Returns what is missing from the totals; "" if nothing is.
QString missingText(const analysis::Totals &totals)
{
    QStringList missing;
    if (totals.costUnknown > 0)
        missing << QObject::tr("the cost of %1").arg(counted(totals.costUnknown, "node", "nodes"));
    if (totals.shapesUnknown > 0)
        missing << QObject::tr("the size of %1").arg(counted(totals.shapesUnknown, "value", "values"));
    return missing.isEmpty() ? QString() : QObject::tr("Unknown: %1. See Diagnostics.").arg(missing.join(", "));
}

void fillTotals(PropertySheet &sheet, Session &session)
{
    const Figures *figures = session.analysing().figures().get();
    if (!figures)
        return;
    const analysis::Totals &totals = figures->analysis().totals;
    const auto row = [&](const QString &name, const Quantity &amount) {
        const Quantity quantity = figures->atExample(amount);
        sheet.row(name, quantity.text(), Look::Number, figures->exactText(quantity));
    };
    sheet.section(QObject::tr("Cost of one run"));
    if (const std::string &example = figures->examples().note; !example.empty())
        sheet.muted(QObject::tr("~ is with %1").arg(shown(example)));
    row(QObject::tr("FLOPs"), figures->total(Measure::Flops));
    row(QObject::tr("other FLOPs"), {Quantity::Unit::Flop, totals.cost.otherFlops, totals.atLeast.otherFlops});
    row(QObject::tr("bytes read"), {Quantity::Unit::Byte, totals.cost.bytesRead, totals.atLeast.bytesRead});
    row(QObject::tr("bytes written"), {Quantity::Unit::Byte, totals.cost.bytesWritten, totals.atLeast.bytesWritten});
    row(QObject::tr("peak memory"), figures->total(Measure::Memory));
    const Quantity time = figures->total(Measure::Time);
    sheet.row(QObject::tr("predicted time"), time.text(), Look::Number,
              QObject::tr("lower bound on %1\n%2").arg(shown(figures->device().name), figures->exactText(time)));
    if (const QString open = openSizesText(*figures); !open.isEmpty())
        sheet.button(open, [&session] { session.document().requestSizes(); });
    if (figures->times().timing())
        row(QObject::tr("measured time"), figures->total(Measure::Measured));
    if (const QString missing = missingText(totals); !missing.isEmpty())
        sheet.muted(missing);
    if (totals.shapesRecorded > 0)
        sheet.muted(QObject::tr("Taken from the file's recorded shapes: %1.")
                        .arg(counted(totals.shapesRecorded, "value", "values")));
}

void fillSignature(PropertySheet &sheet, Session &session)
{
    const ir::Function &function = session.document().function();
    const ir::Context &context = *session.document().model().context;
    sheet.section(QObject::tr("Inputs"));
    for (const ir::FunctionInput &input : function.inputs) {
        const auto *value = input.value.as<ir::ValueId>();
        if (input.kind != ir::FunctionInput::Kind::User)
            continue;
        if (value)
            sheet.link(shown(context.text(input.name)), typeText(session, input.value),
                       [&session, v = *value] { session.navigation().reveal(layout::InputSubject{v}); });
    }
    sheet.section(QObject::tr("Outputs"));
    for (std::uint32_t i = 0; i < function.outputs.size(); ++i) {
        const QString name = shown(context.text(function.outputs[i].name));
        sheet.link(name.isEmpty() ? QStringLiteral("#%1").arg(i) : name, typeText(session, function.outputs[i].value),
                   [&session, i] { session.navigation().reveal(layout::OutputSubject{i, ir::Graph::body}); });
    }
}

QString rangeText(const std::optional<std::int64_t> &min, const std::optional<std::int64_t> &max)
{
    const auto bound = [](const std::optional<std::int64_t> &n) { return n ? QString::number(*n) : QString(); };
    return min || max ? QStringLiteral("%1 … %2").arg(bound(min), max ? bound(max) : QStringLiteral("∞"))
                      : QObject::tr("any size");
}

/// Adds the symbolic sizes. `figures` is nullptr until they are computed.
void fillSymbols(PropertySheet &sheet, const ir::Model &model, const Figures *figures)
{
    if (!model.symbols.empty())
        sheet.section(QObject::tr("Symbols"));
    for (const ir::Symbol &symbol : model.symbols) {
        QString text = rangeText(symbol.min, symbol.max);
        if (const std::string needed = figures ? figures->analysis().needed.textOf(symbol) : ""; !needed.empty())
            text += QObject::tr("   needed: %1").arg(shown(needed));
        if (symbol.hint)
            text += QObject::tr("   example %1").arg(*symbol.hint);
        sheet.row(shown(symbol.name), text, Look::Monospace);
    }
    for (const auto &[formula, range] : analysis::formulaRanges(model))
        sheet.row(shown(formula), shown(range), Look::Monospace);
}

/// Adds the operators of the current function, the most frequent first.
void fillOperators(PropertySheet &sheet, const ir::Graph &graph)
{
    std::vector<std::int64_t> counts(graph.context().opCount());
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i)
        if (const ir::Node &node = graph.at(ir::NodeId{i}); !node.removed)
            ++counts[node.op.index];
    std::vector<std::pair<std::int64_t, ir::OpId>> sorted;
    for (ir::OpId op{0}; op.index < counts.size(); ++op.index)
        if (counts[op.index] > 0)
            sorted.emplace_back(-counts[op.index], op);
    std::ranges::sort(sorted);
    sheet.section(QObject::tr("Operators"));
    for (std::size_t i = 0; i < std::min(sorted.size(), maxSummaryRows); ++i)
        sheet.row(shown(graph.context().text(graph.context().at(sorted[i].second).name)),
                  shown(grouped(-sorted[i].first)), Look::Number, shown(graph.context().print(sorted[i].second)));
    if (sorted.size() > maxSummaryRows)
        sheet.row({}, QObject::tr("… %1 more").arg(sorted.size() - maxSummaryRows), Look::Number);
}

void fillMetadata(PropertySheet &sheet, const ir::Model &model)
{
    if (!model.metadata.empty())
        sheet.section(QObject::tr("Metadata"));
    for (const auto &[key, value] : model.metadata)
        sheet.row(shown(key), shown(value), Look::Plain, shown(value.substr(0, 2000), true));
    if (!model.attachments.empty())
        sheet.section(QObject::tr("Other parts of the file"));
    for (std::size_t i = 0; i < std::min(model.attachments.size(), maxSummaryRows); ++i) {
        const ir::Attachment &part = model.attachments[i];
        sheet.row(shown(part.name),
                  part.text ? shown(part.text->substr(0, 200))
                            : shown(byteCount(part.range ? double(part.range->length) : 0)));
    }
}

class Summary : public PropertySheet {
public:
    Summary(Session &session, QWidget *parent) : PropertySheet(parent), m_session(session)
    {
        for (const auto change : {&Document::functionChanged, &Document::stateChanged})
            connect(&session.document(), change, this, [this] { fill(); });
        connect(&session.analysing(), &Analysing::figuresChanged, this, [this] { refill([this] { fill(); }); });
        connect(&session.drawing(), &Drawing::diagramChanged, this, [this] {
            if (m_outline != m_session.drawing().drawnOutline())
                refill([this] { fill(); });
        });
        fill();
    }

private:
    void fill()
    {
        const Document &document = m_session.document();
        m_outline = m_session.drawing().drawnOutline();
        clear();
        fillFile(*this, document.model());
        fillSizes(*this, document);
        fillSignature(*this, m_session);
        fillTotals(*this, m_session);
        if (const auto figures = m_session.analysing().figures())
            fillDominating(*this, m_session, *figures, m_dominating, [this](const Dominating &asked) {
                m_dominating = asked;
                refill([this] { fill(); });
            });
        fillSymbols(*this, document.model(), m_session.analysing().figures().get());
        fillOperators(*this, document.function().graph);
        fillMetadata(*this, document.model());
    }

    Session &m_session;
    Dominating m_dominating;
    std::shared_ptr<const layout::Outline> m_outline; ///< the outline that the modules are listed with
};

} // namespace

QWidget *makeSummary(Session &session, QWidget *parent) { return new Summary(session, parent); }

} // namespace cutaway::views
