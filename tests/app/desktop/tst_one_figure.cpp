// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A walk over models: what stands at several places about one thing is one figure. The places are the boxes of the
// graph, the module tree, the table of nodes, the inspector, the model's page, the status bar and the report.

#include "app/desktop/docks/docks.h"
#include "app/desktop/status.h"
#include "core/base/text.h"
#include "core/formats/format.h"
#include "core/ir/weights_only.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/print/figures.h"
#include "core/report/cost_tables.h"
#include "tests/core/graph_cases.h"
#include "tests/views/sample.h"
#include "views/modules/module_model.h"
#include "views/node_table/node_model.h"
#include "views/parts/elided_label.h"
#include "views/parts/property_sheet.h"
#include "views/parts/text.h"

#include <QDir>
#include <QGridLayout>
#include <QLabel>
#include <QTreeView>

namespace cutaway::test {
extern const char *const dataFolder;
} // namespace cutaway::test

using namespace cutaway;
using namespace cutaway::views;

namespace {

QString textOf(const QWidget *widget)
{
    if (const auto *elided = dynamic_cast<const ElidedLabel *>(widget))
        return elided->text();
    const auto *label = qobject_cast<const QLabel *>(widget);
    return label ? label->text() : QString();
}

/// The rows of a page; the first of a name, whose later ones are of what stands below.
QMap<QString, QString> rowsOf(const QWidget &page)
{
    QMap<QString, QString> rows;
    const auto note = [&](const QString &name, const QString &value) {
        if (!name.isEmpty() && !rows.contains(name))
            rows.insert(name, value);
    };
    for (const QGridLayout *grid : page.findChildren<QGridLayout *>())
        for (int row = 0; row < grid->rowCount(); ++row) {
            const QLayoutItem *first = grid->itemAtPosition(row, 0), *second = grid->itemAtPosition(row, 1);
            if (first && first == second) { // a number, beside its name
                const QLayout *both = first->widget()->layout();
                note(textOf(both->itemAt(0)->widget()), textOf(both->itemAt(1)->widget()));
            } else if (first && second) {
                note(textOf(first->widget()), textOf(second->widget()));
            }
        }
    return rows;
}

/// "12 nodes · 1.2 GFLOP · 1.30 M parameters" as its parts.
QStringList partsOf(const std::string &contents)
{
    return QString::fromStdString(contents).split(QStringLiteral(" · "));
}

/// A model in a session, with the window's views of it.
class Everything {
public:
    explicit Everything(std::shared_ptr<const ir::Model> model) : session(std::move(model))
    {
        for (const desktop::Dock &dock : desktop::docks())
            if (QStringList({"modules", "summary", "inspector", "nodes"}).contains(dock.name)) {
                QWidget *view = dock.make(session, nullptr);
                m_views[dock.name].reset(view);
                view->resize(600, 400);
                view->show();
            }
        session.start();
        if (!sample::waitForFigures(session) || !sample::waitForLayout(session))
            qFatal("no figures");
        QCoreApplication::processEvents();
        estimate = &session.analysing().figures()->roofline();
        tables = report::costTables(*figures().model(), figures().analysis(), estimate);
        status.show(&session);
    }

    const Figures &figures() const { return *session.analysing().figures(); }
    const QWidget &view(const char *name) const { return *m_views.at(name); }
    QMap<QString, QString> inspected(const Selection &selection)
    {
        session.navigation().select(selection);
        return rowsOf(view("inspector"));
    }

    Session session;
    desktop::Status status{nullptr};
    const analysis::Roofline *estimate = nullptr;
    report::CostTables tables;

private:
    std::map<QString, std::unique_ptr<QWidget>> m_views;
};

/// Returns the figures that differ, one per line.
class Walk {
public:
    explicit Walk(Everything &all) : m_all(all) { }

    QStringList faults()
    {
        m_module = 0;
        walkModules(ir::ScopeId{});
        walkNodes();
        walkWhole();
        walkBoxes(0);
        walkBoxes(99);
        return m_faults;
    }

private:
    void same(const QString &what, const QString &a, const QString &b)
    {
        if (a != b)
            m_faults << QStringLiteral("%1: '%2' is not '%3'").arg(what, a, b);
    }

    /// A sum of the report as the window writes it.
    Quantity ofReport(const report::CostSum &sum, Measure measure) const
    {
        if (measure == Measure::Time) {
            Quantity time(Quantity::Unit::Second, std::optional(sum.seconds));
            time.missing = sum.untimed;
            time.isAtLeast = sum.untimed > 0;
            return time;
        }
        const bool isFlops = measure == Measure::Flops;
        Quantity amount(isFlops ? Quantity::Unit::Flop : Quantity::Unit::Byte,
                        isFlops ? sum.cost.flops : ops::plus(sum.cost.bytesRead, sum.cost.bytesWritten));
        amount.missing = isFlops ? sum.uncounted : sum.unmoved;
        amount.isAtLeast = amount.missing > 0;
        return m_all.figures().atExample(amount);
    }

    /// The number that it begins with, as there are several ways to write what is not known.
    static QString known(const Quantity &quantity)
    {
        return quantity.numberOrExample().value_or(0) > 0 ? numberText(quantity.unit, *quantity.numberOrExample())
                                                          : QString();
    }

    void walkModules(ir::ScopeId scope)
    {
        const Document &document = m_all.session.document();
        const Figures &figures = m_all.figures();
        const analysis::ModuleSums::Sum &sum = document.moduleSums().at(scope);
        const report::ModuleRow &row = m_all.tables.modules.at(m_module++);
        const QString name = "module " + QString::fromStdString(row.path);
        const auto *tree = qobject_cast<const QTreeView *>(&m_all.view("modules"));
        const auto cell = [&](int column) {
            const auto *model = static_cast<const ModuleModel *>(tree->model());
            return model->indexOf(scope, column).data().toString();
        };
        const QString nodes = shown(grouped(row.nodes)), parameters = shown(siCount(double(row.parameters)));
        same(name + " nodes in the tree", cell(ModuleModel::NodesColumn), nodes);
        same(name + " parameters in the tree", cell(ModuleModel::ParametersColumn),
             row.parameters == 0 ? QString() : parameters);
        for (const Measure measure : {Measure::Flops, Measure::Bytes})
            same(name + ' ' + title(measure), known(figures.of(scope, measure)), known(ofReport(row.sum, measure)));
        if (!figures.total(Measure::Time).example)
            same(name + " time", known(figures.of(scope, Measure::Time)), known(ofReport(row.sum, Measure::Time)));
        if (scope != ir::ScopeId{}) {
            const auto inspected = m_all.inspected(layout::ScopeSubject{scope, sum.region});
            same(name + " nodes in the inspector", inspected.value("nodes"), nodes);
            same(name + " parameters in the inspector", inspected.value("parameters"), parameters);
            for (const Measure measure : {Measure::Flops, Measure::Bytes, Measure::Memory, Measure::Time})
                same(name + ' ' + title(measure) + " in the inspector",
                     inspected.value(title(measure).toLower().replace("flops", "FLOPs")),
                     figures.of(scope, measure).text());
        }
        for (const ir::ScopeId child : sum.children)
            walkModules(child);
    }

    void walkNodes()
    {
        const Figures &figures = m_all.figures();
        const auto *list = m_all.view("nodes").findChild<QTreeView *>();
        const auto *model = static_cast<const NodeModel *>(list->model());
        if (std::size_t(model->rowCount()) != m_all.tables.nodes.size())
            m_faults << "the table has another number of nodes than the report";
        for (const report::NodeRow &row : m_all.tables.nodes) {
            const QString name = "node " + QString::fromStdString(row.name);
            const auto cell = [&](int column) {
                return model->indexOf(row.id).siblingAtColumn(column).data().toString();
            };
            const auto inspected = m_all.inspected(row.id);
            for (const auto &[column, measure, title] :
                 {std::tuple(NodeModel::FlopsColumn, Measure::Flops, "FLOPs"),
                  std::tuple(NodeModel::MemoryColumn, Measure::Memory, "live memory"),
                  std::tuple(NodeModel::TimeColumn, Measure::Time, "predicted time")}) {
                same(name + ' ' + title + " in the table", cell(column), figures.of(row.id, measure).text());
                same(name + ' ' + title + " in the inspector", inspected.value(title),
                     figures.of(row.id, measure).text());
            }
            const Quantity flops = figures.atExample(Quantity(Quantity::Unit::Flop, row.cost.flops));
            if (ops::isKnown(row.cost.flops))
                same(name + " FLOPs in the report", cell(NodeModel::FlopsColumn), flops.text());
            const Quantity read = figures.atExample(Quantity(Quantity::Unit::Byte, row.cost.bytesRead)),
                           written = figures.atExample(Quantity(Quantity::Unit::Byte, row.cost.bytesWritten));
            if (ops::isKnown(row.cost.bytesRead) && ops::isKnown(row.cost.bytesWritten)) {
                same(name + " bytes read", inspected.value("bytes read"), read.text());
                same(name + " bytes written", inspected.value("bytes written"), written.text());
                same(
                    name + " memory traffic", cell(NodeModel::BytesColumn),
                    figures
                        .atExample(Quantity(Quantity::Unit::Byte, ops::plus(row.cost.bytesRead, row.cost.bytesWritten)))
                        .text());
            }
            if (row.time)
                same(name + " time in the report", cell(NodeModel::TimeColumn), views::secondsText(row.time->seconds));
            walkResults(name, row, cell(NodeModel::ShapeColumn));
        }
    }

    /// Types where all say them.
    void walkResults(const QString &name, const report::NodeRow &row, const QString &cell)
    {
        const ir::NodeRef node(m_all.figures().function().graph, row.id);
        if (node.outputCount() != 1)
            return;
        const ir::ValueId value = node.outputs().front();
        const QString type = m_all.session.analysing().typeText(value);
        same(name + " type in the table", cell, type);
        const auto shape = [](const QString &text) { return text.section(" = ", 0, 0).section('[', 1).remove(' '); };
        if (ops::asTensor(m_all.figures().analysis().shapes.of(value)) && !shape(type).isEmpty())
            same(name + " shape in the report", shape(QString::fromStdString(row.result)), shape(type));
        const auto rows = m_all.inspected(value);
        same(name + " type in the inspector", rows.value("type"), type.isEmpty() ? "unknown" : type);
    }

    void walkWhole()
    {
        const Figures &figures = m_all.figures();
        const report::ModuleRow &whole = m_all.tables.modules.front();
        const QStringList facts = m_all.status.findChild<QLabel *>()->text().split("   ·   ");
        same("nodes in the status bar", facts.front(), counted(whole.nodes, "node", "nodes"));
        if (whole.parameters > 0) {
            same("parameters in the status bar", facts.value(1),
                 shown(siCount(double(whole.parameters))) + (whole.parameters == 1 ? " parameter" : " parameters"));
            same("bytes in the status bar", facts.value(2), shown(byteCount(double(whole.parameterBytes))));
        }
        const Quantity flops = figures.total(Measure::Flops);
        same("FLOPs in the status bar", facts.value(facts.size() - 2),
             flops.numberOrExample() ? flops.text() : "FLOPs " + flops.text());
        same("peak in the status bar", facts.back(), "peak memory " + figures.total(Measure::Memory).text());
        const auto rows = rowsOf(m_all.view("summary"));
        same("nodes on the model's page", rows.value("nodes"), shown(grouped(whole.nodes)));
        if (whole.parameters > 0)
            same("parameters on the model's page",
                 rows.value("used parameters", rows.value("parameters")).section("  ·  ", 0, 0),
                 shown(siCount(double(whole.parameters))));
        same("FLOPs on the model's page", rows.value("FLOPs"), flops.text());
        same("peak on the model's page", rows.value("peak memory"), figures.total(Measure::Memory).text());
        same("time on the model's page", rows.value("predicted time"), figures.total(Measure::Time).text());
        for (const Measure measure : {Measure::Flops, Measure::Bytes, Measure::Time})
            same("whole " + title(measure), figures.total(measure).text(), figures.of(ir::ScopeId{}, measure).text());
    }

    void walkBoxes(int depth)
    {
        m_all.session.navigation().setDepth(depth);
        if (!sample::waitForLayout(m_all.session))
            qFatal("no layout");
        const auto diagram = m_all.session.drawing().diagram();
        for (const layout::Box &box : diagram->boxes) {
            const auto *module = std::get_if<layout::ScopeSubject>(&box.subject);
            const bool isGroup = std::holds_alternative<layout::GroupSubject>(box.subject);
            if (!module && !isGroup)
                continue;
            const QString name = "box " + QString::fromStdString(box.lines.front().text);
            const QStringList parts = partsOf(box.lines.back().text);
            const Quantity flops = m_all.figures().of(box.subject, Measure::Flops);
            const QString counted = parts.filter("FLOP").value(0);
            if (flops.number().value_or(0) > 0 && !flops.isAtLeast)
                same(name + " FLOPs", counted, flops.text());
            const auto &sum = m_all.session.document().moduleSums();
            if (module && !m_several.contains(module->scope.index)) {
                const std::int64_t nodes = sum.at(module->scope).nodes, parameters = sum.at(module->scope).parameters;
                same(name + " nodes", parts.front(), views::counted(nodes, "node", "nodes"));
                same(name + " parameters", parts.filter("parameter").value(0).section(" parameter", 0, 0),
                     parameters == 0         ? QString()
                         : parameters < 1000 ? QString::number(parameters)
                                             : shown(siCount(double(parameters))));
            }
        }
        for (const layout::Edge &edge : diagram->edges)
            if (edge.values.size() == 1 && edge.label.contains('[') && edge.form == layout::Edge::Form::Line)
                same("edge", QString::fromStdString(edge.label),
                     m_all.session.analysing().typeText(edge.values.front()));
    }

    Everything &m_all;
    QStringList m_faults;
    std::size_t m_module = 0;
    QSet<std::uint32_t> m_several; ///< modules with boxes in several regions
};

QStringList faultsOf(const std::shared_ptr<const ir::Model> &model)
{
    Everything all(model);
    return Walk(all).faults();
}

} // namespace

class TestOneFigure : public QObject {
    Q_OBJECT

private slots:
    void ofEachThingIsTheSameWhereverItStands_data()
    {
        QTest::addColumn<QString>("path");
        const QDir data(test::dataFolder);
        for (const char *folder : {"analysis", "convert", "convert_pt2", "lint", "layout/homes", "opset"})
            for (const QString &file : QDir(data.filePath(folder)).entryList({"*.graph"}, QDir::Files))
                QTest::addRow("%s/%s", folder, qPrintable(file)) << data.filePath(folder + ('/' + file));
        for (const QString &file : QDir(data.filePath("formats_fx")).entryList({"*.pt"}, QDir::Files))
            QTest::addRow("%s", qPrintable(file)) << data.filePath("formats_fx/" + file);
        QTest::newRow("small_vision.onnx") << QStringLiteral(CUTAWAY_SAMPLES "/small_vision.onnx");
        for (const QString &file : qEnvironmentVariable("CUTAWAY_MODELS").split(':', Qt::SkipEmptyParts))
            QTest::addRow("%s", qPrintable(QFileInfo(file).fileName())) << file;
    }
    void ofEachThingIsTheSameWhereverItStands()
    {
        QFETCH(QString, path);
        QStringList faults;
        if (path.endsWith(".graph")) {
            for (const test::GraphCase &each : test::readCases(path.toStdString()).cases)
                if (auto model = ir::parseText(each.graphs.front()); model && !ir::isWeightsOnly(*model))
                    for (const QString &fault : faultsOf(std::make_shared<const ir::Model>(std::move(*model))))
                        faults << QString::fromStdString(each.name) + ", " + fault;
        } else {
            auto model = formats::open(path.toStdString());
            QVERIFY2(model, model ? "" : model.error().text().c_str());
            faults = faultsOf(std::make_shared<const ir::Model>(std::move(*model)));
        }
        QVERIFY2(faults.isEmpty(), qPrintable('\n' + faults.join('\n')));
    }
};

QTEST_MAIN(TestOneFigure)
#include "tst_one_figure.moc"
