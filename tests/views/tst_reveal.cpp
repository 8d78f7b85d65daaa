// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// In shown windows of usual widths: what is revealed is in the middle and readable, every row of a list selects
// something that is drawn, and every number about one thing is the same wherever it stands.

#include "core/base/text.h"
#include "tests/views/sample.h"
#include "tests/views/view_test.h"
#include "views/appearance/theme.h"
#include "views/graph/canvas.h"
#include "views/graph/graph.h"
#include "views/modules/module_model.h"
#include "views/modules/modules.h"
#include "views/node_table/node_table.h"
#include "views/session/document.h"
#include "views/session/figures.h"
#include "views/session/navigation.h"
#include "views/session/requests.h"

#include <QElapsedTimer>
#include <QLabel>
#include <QTreeView>
#include <cmath>

using namespace cutaway;
using namespace cutaway::views;

namespace {

/// A chain of modules: each of two layers that are modules of one node, and every second of them with a size whose
/// module the exporter lost.
std::string chain(int blocks)
{
    std::string scopes, nodes, value = "%x";
    for (int i = 0; i < blocks; ++i) {
        const std::string n = std::to_string(i), path = "block" + n;
        scopes += "scope " + path + " class \"net.Block\"\nscope " + path + ".norm class \"torch.nn.LayerNorm\"\nscope "
            + path + ".act class \"torch.nn.ReLU\"\n";
        nodes += "  %a" + n + ": float32[4, 8] = aten::softmax.int(self=" + value + ", dim=1) in " + path + ".norm\n";
        nodes += "  %s" + n + ": int = aten::size.int(self=%a" + n + ", dim=0)\n";
        nodes += "  %v" + n + ": float32[4, 8] = aten::view(self=%a" + n + ", size=[%s" + n + ", 8]) in " + path + "\n";
        nodes += "  %b" + n + ": float32[4, 8] = aten::relu(self=%v" + n + ") in " + path + ".act\n";
        value = "%b" + n;
    }
    return "model \"chain\"\n" + scopes + "graph @forward(%x: float32[4, 8]) {\n" + nodes + "  return " + value
        + "\n}\n";
}

/// The graph as the window has it, shown.
struct ShownGraph {
    explicit ShownGraph(int width, const std::string &text = chain(12))
        : session(sample::model(text.c_str())),
          view(makeGraphView(session, nullptr))
    {
        view->resize(width, width * 5 / 8);
        view->show();
        session.start();
        if (!sample::waitForFigures(session) || !settled())
            qFatal("nothing is shown");
    }

    /// The layout is there and the view has been still for longer than an animation lasts.
    bool settled() const
    {
        if (!sample::waitForLayout(session))
            return false;
        Viewport seen;
        QElapsedTimer still;
        still.start();
        return QTest::qWaitFor(
            [&] {
                const Viewport &now = canvas().viewport();
                if (now.origin != seen.origin || now.zoom != seen.zoom)
                    still.restart();
                seen = now;
                return still.elapsed() > 400;
            },
            10000);
    }

    Canvas &canvas() const
    {
        for (Canvas *each : view->findChildren<Canvas *>())
            if (each->isVisible())
                return *each;
        qFatal("no graph is visible");
    }

    QRectF onScreen(std::uint32_t box) const
    {
        const QRectF rect = toQt(canvas().picture()->box(box).rect);
        return {canvas().viewport().toScreen(rect.topLeft()), rect.size() * canvas().viewport().zoom};
    }

    /// "" if the selection is drawn, in the middle and readable.
    QString fault() const
    {
        const auto box = canvas().selectedBox();
        if (!box)
            return "nothing is selected in the graph";
        const QPointF away = onScreen(*box).center() - QRectF(canvas().rect()).center();
        if (std::abs(away.x()) > 2 || std::abs(away.y()) > 2)
            return QStringLiteral("%1, %2 away from the middle").arg(away.x()).arg(away.y());
        return canvas().viewport().zoom < 0.6 ? QStringLiteral("zoom %1").arg(canvas().viewport().zoom) : QString();
    }

    Session session;
    std::unique_ptr<QWidget> view;
};

double luminance(const QColor &c)
{
    const auto linear = [](double x) { return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF());
}

} // namespace

class TestReveal : public QObject {
    Q_OBJECT

private slots:
    void whatIsRevealedIsInTheMiddleAndReadable_data() { widths(); }
    void whatIsRevealedIsInTheMiddleAndReadable()
    {
        QFETCH(int, width);
        ShownGraph shown(width);
        for (const char *name : {"a7", "s7", "b11", "a0"}) {
            shown.session.navigation().reveal(sample::node(shown.session, name));
            QVERIFY(shown.settled());
            QVERIFY2(shown.fault().isEmpty(), qPrintable(name + (": " + shown.fault())));
        }
        for (const char *path : {"block3", "block3.norm"}) {
            shown.session.navigation().reveal(sample::module(shown.session, path));
            QVERIFY(shown.settled());
            QVERIFY2(shown.fault().isEmpty(), qPrintable(path + (": " + shown.fault())));
        }
    }

    void fitAndZoomAreOfTheVisibleGraph_data() { widths(); }
    void fitAndZoomAreOfTheVisibleGraph()
    {
        QFETCH(int, width);
        ShownGraph shown(width);
        shown.session.requests().zoom(Requests::Zoom::Fit);
        QVERIFY(shown.settled());
        const Viewport fit = fitted(shown.canvas().picture()->bounds(), shown.canvas().size());
        QVERIFY(std::abs(shown.canvas().viewport().zoom / fit.zoom - 1) < 1e-6);
        QVERIFY((shown.canvas().viewport().origin - fit.origin).manhattanLength() < 1e-3);
        QString zoom;
        for (const QLabel *label : shown.view->findChildren<QLabel *>())
            if (label->text().endsWith(" %"))
                zoom = label->text();
        QCOMPARE(zoom, QStringLiteral("%1 %").arg(qRound(fit.zoom * 100)));
    }

    void keysDoNotChangeTheZoom()
    {
        ShownGraph shown(1280);
        shown.session.navigation().reveal(sample::node(shown.session, "a5"));
        QVERIFY(shown.settled());
        const double zoom = shown.canvas().viewport().zoom;
        for (int i = 0; i < 4; ++i) {
            QTest::keyClick(&shown.canvas(), Qt::Key_Down);
            QVERIFY(shown.settled());
            QVERIFY(std::abs(shown.canvas().viewport().zoom - zoom) < 1e-6);
            QVERIFY2(shown.fault().isEmpty(), qPrintable(shown.fault()));
        }
    }

    void keysBeginByThemselvesAndGoInAndOut()
    {
        ShownGraph shown(1280);
        QTest::keyClick(&shown.canvas(), Qt::Key_Down);
        QVERIFY(shown.session.navigation().selection() != Selection{});
        shown.session.navigation().reveal(sample::module(shown.session, "block0"));
        QVERIFY(shown.settled());
        shown.session.navigation().setOpen(sample::module(shown.session, "block0"), true);
        QVERIFY(shown.settled());
        QTest::keyClick(&shown.canvas(), Qt::Key_Down, Qt::ShiftModifier);
        const auto inside = shown.canvas().selectedBox();
        QVERIFY(inside && shown.canvas().picture()->box(*inside).parent);
        QTest::keyClick(&shown.canvas(), Qt::Key_Up, Qt::ShiftModifier);
        QVERIFY(shown.session.navigation().selection() == Selection(sample::module(shown.session, "block0")));
    }

    void thePictureCannotBeLost()
    {
        ShownGraph shown(1280);
        for (int i = 0; i < 200; ++i) {
            QWheelEvent wheel({10, 10}, shown.canvas().mapToGlobal(QPointF(10, 10)), {}, {0, -1200}, {}, {}, {}, false);
            QCoreApplication::sendEvent(&shown.canvas(), &wheel);
        }
        QVERIFY(
            shown.canvas().viewport().shownRect(shown.canvas().size()).intersects(shown.canvas().picture()->bounds()));
    }

    void whatWasOpenedComesInSight()
    {
        ShownGraph shown(1024);
        const layout::Subject last = sample::module(shown.session, "block11");
        shown.session.navigation().setDepth(0);
        QVERIFY(shown.settled());
        shown.session.navigation().reveal(sample::module(shown.session, "block11"));
        QVERIFY(shown.settled());
        shown.session.navigation().setOpen(last, true);
        QVERIFY(shown.settled());
        const QRectF box = shown.onScreen(*shown.canvas().picture()->find(last));
        QVERIFY(QRectF(shown.canvas().rect()).contains(box));
    }

    void everyModuleSelectsSomethingDrawn()
    {
        ShownGraph shown(1280);
        const std::unique_ptr<QWidget> modules(makeModulesView(shown.session, nullptr));
        modules->show();
        auto *tree = qobject_cast<QTreeView *>(modules.get());
        QVERIFY(tree);
        tree->expandAll();
        int rows = 0;
        for (QModelIndex i = tree->indexBelow(tree->model()->index(0, 0)); i.isValid();
             i = tree->indexBelow(i), ++rows) {
            tree->setCurrentIndex(i);
            QVERIFY(sample::waitForLayout(shown.session));
            QVERIFY2(shown.canvas().selectedBox(), qPrintable(i.data().toString()));
            const auto box = *shown.canvas().selectedBox();
            const auto &subject = shown.canvas().picture()->box(box).subject;
            QVERIFY2(subject == *subjectOf(shown.session.document().function(), shown.session.navigation().selection()),
                     qPrintable(i.data().toString()));
            QCOMPARE(tree->currentIndex(), i);
        }
        QCOMPARE(rows, 36);
    }

    void everyNodeAndEveryHitSelectsSomethingDrawn()
    {
        ShownGraph shown(1280, chain(3));
        const auto isDrawn = [&](const Selection &selection) {
            shown.session.navigation().reveal(selection);
            return sample::waitForLayout(shown.session) && shown.canvas().selectedBox()
                && shown.canvas().picture()->box(*shown.canvas().selectedBox()).subject
                == *subjectOf(shown.session.document().function(), selection);
        };
        for (const char *text : {"aten", "block", "ReLU", "x"})
            for (const Selection &hit : sample::search(shown.session.document().function(), text))
                QVERIFY2(isDrawn(hit), text);
        const std::unique_ptr<QWidget> table(makeNodeTable(shown.session, nullptr));
        table->show();
        auto *list = table->findChild<QTreeView *>();
        QTRY_COMPARE(list->model()->rowCount(), 12);
        for (int row = 0; row < list->model()->rowCount(); ++row) {
            list->setCurrentIndex(list->model()->index(row, 0));
            QVERIFY(sample::waitForLayout(shown.session));
            const auto box = shown.canvas().selectedBox();
            QVERIFY(box && std::holds_alternative<ir::NodeId>(shown.canvas().picture()->box(*box).subject));
        }
    }

    void aLayerIsFoundOnce()
    {
        const auto model = sample::model(chain(3).c_str());
        QCOMPARE(sample::search(model->at(ir::FunctionId{}), "block1.norm").size(), 1u);
    }

    void numbersOfOneThingAreTheSame()
    {
        ShownGraph shown(1280);
        shown.session.navigation().setDepth(0);
        QVERIFY(shown.settled());
        const Document &document = shown.session.document();
        const Figures &figures = *shown.session.analysing().figures();
        const ModuleModel tree(document);
        int modules = 0;
        for (const layout::Box &box : shown.session.drawing().diagram()->boxes) {
            const auto *module = std::get_if<layout::ScopeSubject>(&box.subject);
            if (!module)
                continue;
            ++modules;
            const QString nodes = QString::fromStdString(grouped(document.moduleSums().at(module->scope).nodes));
            QVERIFY2(QString::fromStdString(box.lines.back().text).startsWith(nodes + " node"),
                     box.lines.back().text.c_str());
            const QModelIndex row = tree.indexOf(module->scope, ModuleModel::NodesColumn);
            QCOMPARE(row.data().toString(), nodes);
            for (const Measure measure : allMeasures)
                QCOMPARE(figures.of(box.subject, measure).exactText(), figures.of(module->scope, measure).exactText());
        }
        QVERIFY(modules > 0 || shown.session.drawing().diagram()->boxes.size() == 3);
    }

    void aModuleOfOneNodeHasTheFiguresOfThat()
    {
        ShownGraph shown(1280, chain(2));
        const Figures &figures = *shown.session.analysing().figures();
        for (const Measure measure : {Measure::Flops, Measure::Bytes, Measure::Time})
            QCOMPARE(figures.of(layout::Subject(sample::module(shown.session, "block0.act")), measure).exactText(),
                     figures.of(sample::node(shown.session, "b0"), measure).exactText());
    }

    void fadedTextIsStillRead()
    {
        // Returns the colour of a card's text while something else is selected.
        constexpr double faded = 0.75;
        for (const bool dark : {false, true}) {
            const drawing::Palette &colors = dark ? drawing::darkPalette() : drawing::lightPalette();
            const auto on = [&](QColor c, const QColor &ground) {
                const auto mix = [](int x, int y) { return int(x * faded + y * (1 - faded)); };
                return QColor(mix(c.red(), ground.red()), mix(c.green(), ground.green()), mix(c.blue(), ground.blue()));
            };
            const QColor canvas = toColor(colors.canvas);
            const double ground = luminance(on(toColor(colors.card), canvas)) + 0.05;
            const double text = luminance(on(toColor(colors.text), canvas)) + 0.05;
            QVERIFY(std::max(ground, text) / std::min(ground, text) >= 4.5);
        }
    }

private:
    static void widths()
    {
        QTest::addColumn<int>("width");
        for (const int width : {1024, 1280, 1920})
            QTest::addRow("%d", width) << width;
    }
};

VIEW_TEST(tst_reveal, TestReveal)
#include "tst_reveal.moc"
