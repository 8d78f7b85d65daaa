// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Overlays of the graph in a shown window: the legend of colours, the map, the marks of search matches.

#include "core/drawing/palette.h"
#include "core/layout/metrics.h"
#include "tests/views/sample.h"
#include "tests/views/view_test.h"
#include "views/appearance/heat.h"
#include "views/find/find.h"
#include "views/graph/canvas.h"
#include "views/graph/graph.h"
#include "views/graph/overlays/category_legend.h"
#include "views/graph/overlays/map.h"
#include "views/session/navigation.h"
#include "views/session/requests.h"

#include <QLineEdit>
#include <QPainter>

using namespace cutaway;
using namespace cutaway::views;

namespace {

/// Modules below each other, each with two nodes.
std::string tower(int modules)
{
    std::string scopes, nodes, value = "%x";
    for (int i = 0; i < modules; ++i) {
        const std::string n = std::to_string(i), path = "part" + n;
        scopes += "scope " + path + " class \"net.Part" + n + "\"\n";
        nodes += "  %m" + n + ": float32[4, 8] = aten::tanh(self=" + value + ") in " + path + "\n";
        nodes += "  %a" + n + ": float32[4, 8] = aten::add.Tensor(self=%m" + n + ", other=%x) in " + path + "\n";
        value = "%a" + n;
    }
    return "model \"tower\"\n" + scopes + "graph @forward(%x: float32[4, 8]) {\n" + nodes + "  return " + value
        + "\n}\n";
}

struct ShownTower {
    explicit ShownTower(int modules = 30)
        : session(sample::model(tower(modules).c_str())),
          view(makeGraphView(session, nullptr)),
          canvas(&shownCanvas(*view)),
          legend(findOverlay<CategoryLegend>()),
          map(findOverlay<Map>())
    {
        view->resize(900, 700);
        view->show();
        session.start();
        if (!sample::waitForFigures(session) || !sample::waitForLayout(session))
            qFatal("nothing is shown");
    }

    template <class T>
    T *findOverlay() const
    {
        for (QWidget *widget : canvas->findChildren<QWidget *>())
            if (auto *found = dynamic_cast<T *>(widget))
                return found;
        qFatal("the canvas has no such overlay");
    }

    /// Shows all of it, so small that names cannot be read.
    bool openAllAndFit()
    {
        session.navigation().setDepth(9);
        if (!sample::waitForLayout(session))
            return false;
        session.requests().zoom(Requests::Zoom::Fit);
        return QTest::qWaitFor([&] { return canvas->viewport().zoom < titleZoom; });
    }

    std::uint32_t box(const layout::Subject &subject) const { return canvas->picture()->find(subject).value(); }

    Session session;
    std::unique_ptr<QWidget> view;
    Canvas *canvas;
    CategoryLegend *legend;
    Map *map;
};

} // namespace

class TestOverlays : public QObject {
    Q_OBJECT

private slots:
    void coloursAreExplainedWhereNamesCannotBeRead()
    {
        ShownTower shown;
        QVERIFY(!shown.legend->isVisible());
        QVERIFY(shown.openAllAndFit());
        QTRY_VERIFY(shown.legend->isVisible());
        QVERIFY(shown.canvas->rect().contains(shown.legend->geometry()));
        QTRY_VERIFY(!shown.canvas->sight().isMoving());
        const QPointF end = shown.canvas->viewport().toScreen(shown.canvas->picture()->bounds().bottomRight());
        QVERIFY(end.y() <= shown.legend->geometry().top()); // Fit leaves room for it
        QVERIFY2(shown.legend->accessibleDescription().contains("activation")
                     && shown.legend->accessibleDescription().contains("elementwise"),
                 qPrintable(shown.legend->accessibleDescription()));
        shown.session.analysing().setColouring(Measure::Flops); // the measure has a legend of its own
        QTRY_VERIFY(!shown.legend->isVisible());
        shown.session.analysing().setColouring(ByCategory{});
        QTRY_VERIFY(shown.legend->isVisible());
        shown.session.requests().zoom(Requests::Zoom::Actual);
        QTRY_VERIFY(!shown.legend->isVisible());
    }

    void theLegendIsNoWiderThanTheCanvas()
    {
        ShownTower shown;
        QVERIFY(shown.openAllAndFit());
        for (const int width : {440, 700, 1900}) {
            shown.view->resize(width, 700);
            QTRY_VERIFY(shown.legend->isVisible());
            QVERIFY(shown.canvas->rect().contains(shown.legend->geometry()));
            QVERIFY(!shown.map->isVisible() || !shown.legend->geometry().intersects(shown.map->geometry()));
        }
        shown.view->resize(300, 700);
        QTRY_VERIFY(!shown.legend->isVisible());
    }

    void theMapLeadsToWhereItIsPressed()
    {
        ShownTower shown;
        shown.session.navigation().setDepth(9);
        QVERIFY(sample::waitForLayout(shown.session));
        shown.session.requests().zoom(Requests::Zoom::Actual);
        QTRY_VERIFY(shown.map->isVisible());
        QTRY_VERIFY(!shown.canvas->sight().isMoving());
        QVERIFY(shown.canvas->rect().contains(shown.map->geometry()));
        const QRectF all = shown.canvas->picture()->bounds();
        for (const double share : {0.9, 0.1}) {
            const QPoint at(shown.map->width() / 2, int(shown.map->height() * share));
            QTest::mouseClick(shown.map, Qt::LeftButton, {}, at);
            const double middle = shown.canvas->viewport().shownRect(shown.canvas->size()).center().y();
            QVERIFY(std::abs(middle - (all.top() + share * all.height())) < 0.05 * all.height());
        }
    }

    void theMapGoesWhereAllIsInSightOrItIsNotWanted()
    {
        ShownTower shown(2);
        shown.session.requests().zoom(Requests::Zoom::Fit);
        QTRY_VERIFY(!shown.map->isVisible());
        for (int i = 0; i < 8; ++i) {
            shown.session.requests().zoom(Requests::Zoom::In);
            QTRY_VERIFY(!shown.canvas->sight().isMoving());
        }
        QTRY_VERIFY(shown.map->isVisible());
        shown.session.navigation().setShowsMap(false);
        QVERIFY(!shown.map->isVisible());
    }

    /// Seen from far, the name of an open module is in its header: another name changes nothing below it.
    void farNamesStayInTheirHeaders()
    {
        constexpr double zoom = 0.45;
        QList<QImage> pictures;
        std::vector<QRectF> headers;
        for (const char *name : {"bbbbbbbbbb", "dddddddddd"}) { // as wide as each other
            const std::string scope = name;
            Session session(sample::model(("model \"m\"\nscope " + scope
                                           + "\ngraph @forward(%x: float32[2]) {\n  %a = "
                                             "aten::relu(self=%x) in "
                                           + scope + "\n  %b = aten::neg(self=%a) in " + scope
                                           + "\n  %c = aten::abs(self=%b) in " + scope + "\n  return %c\n}\n")
                                              .c_str()));
            const std::unique_ptr<QWidget> view(makeGraphView(session, nullptr));
            view->resize(600, 600);
            view->show();
            session.navigation().setOpen(sample::module(session, scope), true);
            session.start();
            QVERIFY(sample::waitForFigures(session) && sample::waitForLayout(session));
            const Canvas &canvas = shownCanvas(*view);
            QTRY_VERIFY(canvas.picture() && canvas.picture()->find(sample::module(session, scope)));
            const auto &boxes = canvas.picture()->diagram().boxes;
            QVERIFY(std::ranges::any_of(boxes, &layout::Box::open));
            const QRectF part = canvas.picture()->bounds();
            QImage image((part.size() * zoom).toSize(), QImage::Format_ARGB32_Premultiplied);
            QPainter painter(&image);
            canvas.paintPart(painter, part, image.size(), drawing::lightPalette());
            painter.end();
            pictures << image;
            for (const layout::Box &box : boxes)
                if (box.open) {
                    const QRectF header(box.rect.x, box.rect.y, box.rect.width, layout::metrics::headerHeight);
                    headers.emplace_back((header.topLeft() - part.topLeft()) * zoom, header.size() * zoom);
                }
        }
        QCOMPARE(pictures[0].size(), pictures[1].size());
        QVERIFY(pictures[0] != pictures[1]);
        for (int y = 0; y < pictures[0].height(); ++y)
            for (int x = 0; x < pictures[0].width(); ++x)
                if (pictures[0].pixel(x, y) != pictures[1].pixel(x, y))
                    QVERIFY2(
                        std::ranges::any_of(
                            headers, [&](const QRectF &h) { return h.adjusted(-1, -1, 1, 1).contains(QPointF(x, y)); }),
                        qPrintable(QStringLiteral("%1, %2").arg(x).arg(y)));
    }

    void hitsAreMarkedAndSoAreClosedBoxesWithOnesInside()
    {
        ShownTower shown(6);
        const std::unique_ptr<QWidget> find(makeFindView(shown.session, nullptr));
        find->show();
        shown.session.navigation().setDepth(0);
        QVERIFY(sample::waitForLayout(shown.session));
        shown.session.navigation().setOpen(sample::module(shown.session, "part2"), true);
        QVERIFY(sample::waitForLayout(shown.session));
        const std::uint32_t node = shown.box(sample::node(shown.session, "m2"));
        const std::uint32_t closed = shown.box(sample::module(shown.session, "part4"));
        const std::uint32_t open = shown.box(sample::module(shown.session, "part2"));
        const QImage before = shown.view->grab().toImage();
        auto *line = find->findChild<QLineEdit *>();
        QTest::keyClicks(line, "tanh");
        QTRY_VERIFY(!shown.canvas->highlighting().emphasis().hits.empty());
        QVERIFY(shown.canvas->highlighting().emphasis().hits[node]);
        QVERIFY(shown.canvas->highlighting().emphasis().hits[closed]);
        QVERIFY(shown.canvas->picture()->box(open).open); // it has them, and shows them inside
        QVERIFY(!shown.canvas->highlighting().emphasis().hits[shown.box(sample::node(shown.session, "a2"))]);
        QVERIFY(shown.view->grab().toImage() != before);
        line->selectAll();
        QTest::keyClick(line, Qt::Key_Delete);
        QTRY_VERIFY(shown.canvas->highlighting().emphasis().hits.empty());
        QVERIFY(shown.view->grab().toImage() == before);
    }
};

VIEW_TEST(tst_overlays, TestOverlays)
#include "tst_overlays.moc"
