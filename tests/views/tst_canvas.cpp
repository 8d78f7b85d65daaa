// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The picture: where things are on the screen, what a click means, what stays in place.

#include "tests/views/sample.h"
#include "tests/views/view_test.h"
#include "views/appearance/heat.h"
#include "views/appearance/theme.h"
#include "views/graph/canvas.h"
#include "views/graph/hover_text.h"
#include "views/session/navigation.h"

#include <QMenu>
#include <QPainter>
#include <QTimer>
#include <algorithm>
#include <cmath>

using namespace cutaway;
using namespace cutaway::views;

class TestCanvas : public QObject {
    Q_OBJECT

private slots:
    void zoomKeepsThePointUnderThePointer()
    {
        Viewport view{{10, 20}, 0.5};
        const QPointF pointer(300, 200);
        const QPointF before = view.toDiagram(pointer);
        view.zoomAt(pointer, 3);
        QCOMPARE(view.zoom, 1.5);
        QVERIFY((view.toDiagram(pointer) - before).manhattanLength() < 1e-9);
        view.zoomAt(pointer, 1e9);
        QCOMPARE(view.zoom, Viewport::maxZoom);
    }

    void fitShowsAllOfIt()
    {
        const QRectF content(-50, 0, 4000, 1000);
        const Viewport view = fitted(content, QSizeF(800, 600));
        QVERIFY(view.shownRect(QSizeF(800, 600)).contains(content));
        QCOMPARE(fitted(QRectF(0, 0, 10, 10), QSizeF(800, 600)).zoom, 1.0);
    }

    void openingIsReadable()
    {
        const QRectF nearlyTheWindow(0, 0, 400, 830);
        QVERIFY(opening(nearlyTheWindow, QSizeF(800, 600), {}).shownRect(QSizeF(800, 600)).contains(nearlyTheWindow));
        const QRectF tall(0, 0, 400, 20000);
        const Viewport view = opening(tall, QSizeF(800, 600), {});
        QVERIFY(view.zoom >= 0.75);
        QCOMPARE(view.origin.y(), 0.0);
        const QRectF shown = opening({0, 0, 1200, 20000}, QSizeF(800, 600), {}).shownRect(QSizeF(800, 600));
        QVERIFY(shown.left() < 0 && shown.right() > 1200); // at 64 %
    }

    void aPictureStartsWithAnInputNearTheTopOrElseAtTheHighestBox()
    {
        const auto startWith = [](double inputY) {
            auto diagram = std::make_shared<layout::Diagram>();
            diagram->bounds = {0, 0, 900, 5000};
            diagram->boxes.resize(2);
            diagram->boxes[0].rect = {800, 10, 40, 20};
            diagram->boxes[1].kind = layout::Box::Kind::Input;
            diagram->boxes[1].rect = {0, inputY, 40, 20};
            return Picture(diagram).start();
        };
        QCOMPARE(startWith(100), QPointF(20, 110));
        QCOMPARE(startWith(3000), QPointF(820, 20));
    }

    void openingHasTheBeginningInSight()
    {
        const QRectF wide(0, 0, 9000, 2000);
        for (const double start : {50.0, 4000.0, 8990.0}) {
            const Viewport view = opening(wide, QSizeF(800, 600), QPointF(start, 20));
            QVERIFY(view.shownRect(QSizeF(800, 600)).contains(start, 20.0));
        }
    }

    void panesSideBySideShowTheSamePlace()
    {
        Shown shown;
        Canvas second(shown.session);
        second.follow(shown.canvas);
        QTest::keyClick(&shown.canvas, Qt::Key_Down);
        QCOMPARE(second.viewport().origin, shown.canvas.viewport().origin);
        QWheelEvent wheel({10, 10}, second.mapToGlobal(QPointF(10, 10)), {}, {0, -240}, {}, {}, {}, false);
        QCoreApplication::sendEvent(&second, &wheel);
        QCOMPARE(second.viewport().origin, shown.canvas.viewport().origin);
    }

    void noWayLeadsOutOfTheGraph()
    {
        Shown shown;
        const QRectF content = toQt(shown.session.drawing().diagram()->bounds);
        const auto isInSight = [&] {
            return shown.canvas.viewport().shownRect(shown.canvas.size()).intersects(content);
        };
        for (const QPoint &far : {QPoint(0, -90000), QPoint(0, 90000), QPoint(-90000, 0), QPoint(90000, 0)}) {
            for (int i = 0; i < 3; ++i) {
                QWheelEvent wheel({10, 10}, shown.canvas.mapToGlobal(QPointF(10, 10)), far, {}, {}, {}, {}, false);
                QCoreApplication::sendEvent(&shown.canvas, &wheel);
            }
            QVERIFY(isInSight());
        }
        QTest::mousePress(&shown.canvas, Qt::LeftButton, {}, {5, 5});
        QTest::mouseMove(&shown.canvas, {50000, 50000});
        QTest::mouseRelease(&shown.canvas, Qt::LeftButton, {}, {50000, 50000});
        QVERIFY(isInSight());
    }

    void theMenuIsOfTheBoxUnderThePointer()
    {
        Shown shown;
        const auto namesAt = [&](QPoint at) {
            QStringList names;
            QTimer::singleShot(0, this, [&] {
                auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
                for (const QAction *action : menu ? menu->actions() : QList<QAction *>())
                    if (!action->isSeparator())
                        names << action->text();
                if (menu)
                    menu->close();
            });
            QContextMenuEvent event(QContextMenuEvent::Mouse, at, shown.canvas.mapToGlobal(at));
            QCoreApplication::sendEvent(&shown.canvas, &event);
            return names;
        };
        const ir::NodeId mean = sample::node(shown.session, "mean");
        const QStringList ofNode = namesAt(shown.at(mean));
        QVERIFY(shown.session.navigation().selection() == Selection(mean));
        QVERIFY2(ofNode.contains("Bookmark") && ofNode.contains("Centre in view"), qPrintable(ofNode.join(", ")));
        QCOMPARE(namesAt({1, 1}), QStringList("Fit entire graph"));
    }

    void clickSelectsTheBoxUnderThePointer()
    {
        Shown shown;
        QTest::mouseClick(&shown.canvas, Qt::LeftButton, {}, shown.at(sample::node(shown.session, "mean")));
        QVERIFY(shown.session.navigation().selection() == Selection(sample::node(shown.session, "mean")));
        QTest::mouseClick(&shown.canvas, Qt::LeftButton, {}, QPoint(1, 1));
        QVERIFY(shown.session.navigation().selection() == Selection{});
    }

    void dragMovesThePictureAndSelectsNothing()
    {
        Shown shown;
        const QPointF before = shown.canvas.viewport().origin;
        const QPoint start = shown.at(sample::node(shown.session, "mean"));
        QTest::mousePress(&shown.canvas, Qt::LeftButton, {}, start);
        QTest::mouseMove(&shown.canvas, start + QPoint(40, 30));
        QTest::mouseRelease(&shown.canvas, Qt::LeftButton, {}, start + QPoint(40, 30));
        const QPointF moved = (before - shown.canvas.viewport().origin) * shown.canvas.viewport().zoom;
        QVERIFY((moved - QPointF(40, 30)).manhattanLength() < 1e-6);
        QVERIFY(shown.session.navigation().selection() == Selection{});
    }

    void doubleClickOpensAndTheBoxStaysInPlace()
    {
        Shown shown;
        const layout::Subject stem = sample::module(shown.session, "stem");
        shown.session.navigation().setOpen(stem, false);
        QVERIFY(sample::waitForLayout(shown.session));
        const QPoint corner = shown.corner(stem);
        QTest::mouseDClick(&shown.canvas, Qt::LeftButton, {}, shown.at(stem));
        QVERIFY(shown.session.drawing().isBusy());
        QVERIFY(sample::waitForLayout(shown.session));
        QVERIFY(shown.session.navigation().expansion().isOpen(stem));
        QCOMPARE(shown.corner(stem), corner);
    }

    void undoOfAnOpenedBoxGoesBackToWhereOneWas()
    {
        Shown shown;
        const layout::Subject stem = sample::module(shown.session, "stem");
        shown.session.navigation().setOpen(stem, false);
        QVERIFY(sample::waitForLayout(shown.session));
        shown.session.document().edits().clear();
        const QPointF before = shown.rect(stem).center() + QPointF(5, 7);
        shown.canvas.lookAt(before, 0.8);
        shown.session.navigation().setOpen(stem, true);
        QVERIFY(sample::waitForLayout(shown.session));
        const QPointF after = shown.rect(sample::node(shown.session, "mean")).center();
        shown.canvas.lookAt(after, 1.5);
        shown.session.document().edits().undo();
        QVERIFY(sample::waitForLayout(shown.session));
        QCOMPARE(shown.canvas.viewport().zoom, 0.8);
        QVERIFY((shown.canvas.sight().middle() - before).manhattanLength() < 1e-6);
        shown.session.document().edits().redo();
        QVERIFY(sample::waitForLayout(shown.session));
        QCOMPARE(shown.canvas.viewport().zoom, 1.5);
        QVERIFY((shown.canvas.sight().middle() - after).manhattanLength() < 1e-6);
    }

    void aHiddenCategoryIsNeitherDrawnNorClickedNorExported()
    {
        Shown shown;
        const layout::Subject mean = sample::node(shown.session, "mean");
        const double height = shown.canvas.picture()->bounds().height();
        const QImage before = shown.canvas.grab().toImage();
        shown.session.navigation().hideCategory(ops::Category::Reduction, true);
        QVERIFY(sample::waitForLayout(shown.session));
        QVERIFY(!shown.canvas.picture()->find(mean));
        QVERIFY(shown.canvas.picture()->bounds().height() < height); // there is no hole
        QVERIFY(!shown.canvas.shownDiagram(drawing::lightPalette()).diagram->notes.empty());
        const auto &edges = shown.canvas.picture()->diagram().edges;
        const auto bridge = std::ranges::find_if(edges, &layout::Edge::isBridge);
        QVERIFY(bridge != edges.end());
        QVERIFY(hoverText(shown.session, *bridge).contains("through hidden nodes"));
        QCOMPARE(shown.session.document().edits().undoText(), "choice of hidden categories");
        shown.session.document().edits().undo();
        QVERIFY(sample::waitForLayout(shown.session));
        QCOMPARE(shown.canvas.grab().toImage(), before);
    }

    void aHiddenNodeThatIsRevealedIsShown()
    {
        Shown shown;
        const ir::NodeId mean = sample::node(shown.session, "mean");
        shown.session.navigation().hideCategory(ops::Category::Reduction, true);
        QVERIFY(sample::waitForLayout(shown.session));
        shown.session.navigation().reveal(mean); // from a list
        QVERIFY(sample::waitForLayout(shown.session));
        QVERIFY(shown.canvas.picture()->find(mean));
        QVERIFY(shown.canvas.selectedBox() == shown.canvas.picture()->find(mean));
        shown.session.navigation().select({});
        shown.session.navigation().setDepth(0);
        QVERIFY(sample::waitForLayout(shown.session));
        QVERIFY(!shown.canvas.picture()->find(mean));
    }

    void hiddenCategoriesStayHiddenInAnotherFunction()
    {
        Shown shown(sample::twoFunctions);
        const auto nodes = [&] {
            return std::ranges::count(shown.canvas.picture()->diagram().boxes, layout::Box::Kind::Node,
                                      &layout::Box::kind);
        };
        shown.session.navigation().hideCategory(ops::Category::Activation, true);
        QVERIFY(sample::waitForLayout(shown.session));
        QCOMPARE(nodes(), 0);
        shown.session.navigation().reveal(ir::NodeId{0});
        QVERIFY(sample::waitForLayout(shown.session));
        QCOMPARE(nodes(), 1);
        shown.session.document().setFunction(ir::FunctionId{1});
        QVERIFY(sample::waitForLayout(shown.session));
        QCOMPARE(nodes(), 0);
    }

    void aHiddenNodeIsShownByTheBoxAroundIt()
    {
        Shown shown;
        shown.session.navigation().setDepth(0);
        QVERIFY(sample::waitForLayout(shown.session));
        shown.session.navigation().select(sample::node(shown.session, "conv"));
        const auto box = shown.canvas.selectedBox();
        QVERIFY(box);
        QVERIFY(shown.canvas.picture()->box(*box).subject == layout::Subject(sample::module(shown.session, "stem")));
    }

    void keysFollowTheEdges()
    {
        Shown shown;
        shown.session.navigation().select(sample::node(shown.session, "mean"));
        QTest::keyClick(&shown.canvas, Qt::Key_Down);
        const Selection below = shown.session.navigation().selection();
        QVERIFY(below != Selection(sample::node(shown.session, "mean")));
        QTest::keyClick(&shown.canvas, Qt::Key_Up);
        QVERIFY(shown.session.navigation().selection() == Selection(sample::node(shown.session, "mean")));
        QTest::keyClick(&shown.canvas, Qt::Key_Escape);
        QVERIFY(shown.session.navigation().selection() == Selection{});
    }

    void heatColoursBoxesByWhatTheyCost()
    {
        Shown shown(sample::open);
        QVERIFY(shown.session.document().give({{"s0=8"}, {}}));
        QVERIFY(sample::waitForFigures(shown.session));
        QVERIFY(sample::waitForLayout(shown.session));
        QVERIFY(!shown.canvas.highlighting().heat());
        const QImage before = shown.canvas.grab().toImage();
        QSignalSpy told(&shown.canvas.highlighting(), &Highlighting::tintingChanged);
        shown.session.analysing().setColouring(Measure::Flops);
        QCOMPARE(told.count(), 1);
        const Heat &heat = *shown.canvas.highlighting().heat();
        QCOMPARE(heat.most, 8.0 * 40000);
        QVERIFY(!heat.someUnknown);
        const auto box = [&](const layout::Subject &subject) { return *shown.canvas.picture()->find(subject); };
        QCOMPARE(heat.share(box(sample::node(shown.session, "last"))), 1.0);
        QCOMPARE(heat.share(box(sample::node(shown.session, "deep"))), 600.0 / 40000);
        QVERIFY(shown.canvas.grab().toImage() != before);
        shown.session.analysing().setColouring(ByCategory{});
        QVERIFY(shown.canvas.grab().toImage() == before);
    }

    void aGroupHasTheColourOfOneOfItsMembers()
    {
        Shown shown(R"(model "blocks"
tensor @block: float32[4, 4] parameter
tensor @head: float32[4, 4] parameter
scope 0 class "net.Block"
scope 1 class "net.Block"
scope 2 class "net.Block"
scope 3 class "net.Block"
scope 4 class "net.Block"
graph @forward(%x: float32[2, 4]) {
  weight %w = @block
  weight %h = @head
  %a0 = aten::linear(input=%x, weight=%w) in 0
  %b0 = aten::relu(self=%a0) in 0
  %a1 = aten::linear(input=%b0, weight=%w) in 1
  %b1 = aten::relu(self=%a1) in 1
  %a2 = aten::linear(input=%b1, weight=%w) in 2
  %b2 = aten::relu(self=%a2) in 2
  %a3 = aten::linear(input=%b2, weight=%w) in 3
  %b3 = aten::relu(self=%a3) in 3
  %a4 = aten::linear(input=%b3, weight=%w) in 4
  %b4 = aten::relu(self=%a4) in 4
  %head = aten::linear(input=%b4, weight=%h)
  return %head
}
)");
        QVERIFY(sample::waitForFigures(shown.session));
        shown.session.navigation().setDepth(0);
        QVERIFY(sample::waitForLayout(shown.session));
        shown.session.analysing().setColouring(Measure::Flops);
        const auto &boxes = shown.canvas.picture()->diagram().boxes;
        const auto group = std::ranges::find_if(
            boxes, [](const layout::Box &b) { return std::holds_alternative<layout::GroupSubject>(b.subject); });
        QVERIFY(group != boxes.end());
        const auto index = std::uint32_t(group - boxes.begin());
        const std::uint32_t head = *shown.canvas.picture()->find(sample::node(shown.session, "head"));
        const Heat &heat = *shown.canvas.highlighting().heat();
        QCOMPARE(heat.most, 64.0);
        QCOMPARE(heat.share(head), 1.0); // the head costs as much as each of the blocks
        QCOMPARE(heat.share(index), 1.0);
        QCOMPARE(heat.text(index), "5 × 64 FLOP");
        QCOMPARE(heat.text(head), "64 FLOP");
        shown.session.analysing().setColouring(Measure::Memory); // memory is not summed
        QCOMPARE(shown.canvas.highlighting().heat()->text(index),
                 shown.canvas.highlighting().heat()->boxes[index].text());
    }

    void heatOfOpenSizesIsThatOfTheirExample()
    {
        Shown shown(sample::open);
        QVERIFY(sample::waitForFigures(shown.session));
        const std::uint32_t last = *shown.canvas.picture()->find(sample::node(shown.session, "last"));
        for (const Measure measure : {Measure::Flops, Measure::Bytes, Measure::Time}) {
            shown.session.analysing().setColouring(measure);
            QVERIFY(!shown.canvas.highlighting().heat()->someUnknown);
            QVERIFY(shown.canvas.highlighting().heat()->example.startsWith("s0 = 5"));
            QCOMPARE(shown.canvas.highlighting().heat()->share(last), 1.0);
            QVERIFY(shown.canvas.highlighting().heat()->text(last).startsWith('~'));
        }
    }

    void heatOfWhatIsNotKnownIsNotTakenForLittle()
    {
        Shown shown("model \"odd\"\ngraph @forward(%x: float32[2]) {\n  %y = mine::op(%x)\n  return %y\n}\n");
        QVERIFY(sample::waitForFigures(shown.session));
        shown.session.analysing().setColouring(Measure::Flops);
        QVERIFY(shown.canvas.highlighting().heat()->someUnknown);
        QVERIFY(!shown.canvas.highlighting().heat()->share(
            *shown.canvas.picture()->find(sample::node(shown.session, "y"))));
        QVERIFY(!shown.canvas.grab().isNull());
    }

    void blocksThatAreCalledByNumbersAreModules()
    {
        std::string nodes, last = "%x";
        for (const char *name : {"1", "2", "3"}) {
            const std::string n = name;
            nodes += "  %a" + n + " = aten::relu(self=" + last + ") in " + n + "\n  %b" + n + " = aten::neg(self=%a" + n
                + ") in " + n + "\n";
            last = "%b" + n;
        }
        Shown shown(("model \"m\"\nscope 1\nscope 2\nscope 3\ngraph @forward(%x: float32[2]) {\n" + nodes
                     + "  %z = aten::abs(self=" + last + ")\n  return %z\n}\n")
                        .c_str());
        shown.session.navigation().setDepth(0);
        QVERIFY(sample::waitForLayout(shown.session));
        int groups = 0;
        for (const layout::Box &box : shown.canvas.picture()->diagram().boxes)
            if (std::holds_alternative<layout::GroupSubject>(box.subject)) {
                ++groups;
                QCOMPARE(box.lines.at(0).text, "3 × module");
                QCOMPARE(box.lines.at(1).text, "1 … 3");
            }
        QCOMPARE(groups, 1);
    }

    void theRampRisesFromTheGroundAndTextIsRead()
    {
        const auto luminance = [](const QColor &c) {
            const auto linear = [](double x) { return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4); };
            return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF());
        };
        for (const bool dark : {false, true})
            for (int i = 0; i <= 100; ++i) {
                const QColor color = heatColor(i / 100.0, dark);
                if (i > 0)
                    QCOMPARE(luminance(color) > luminance(heatColor((i - 1) / 100.0, dark)), dark);
                const double a = luminance(color) + 0.05, b = luminance(textOn(color)) + 0.05;
                QVERIFY2(std::max(a, b) / std::min(a, b) >= 4.5, qPrintable(QString::number(i)));
            }
    }

    void paintsAtEveryZoom_data()
    {
        QTest::addColumn<double>("zoom");
        for (const double zoom : {0.02, 0.1, 0.4, 0.6, 1.0, 4.0})
            QTest::addRow("%g", zoom) << zoom;
    }

    void paintsAtEveryZoom()
    {
        QFETCH(double, zoom);
        Shown shown;
        shown.session.navigation().select(sample::node(shown.session, "mean"));
        QImage image(640, 480, QImage::Format_RGB32);
        image.fill(Qt::white);
        Viewport view;
        view.zoom = zoom;
        view.centreOn(shown.canvas.picture()->bounds().center(), image.size());
        QPainter painter(&image);
        paint(painter, *shown.canvas.picture(), {}, view, image.size(), drawing::lightPalette());
        painter.end();
        QImage empty(image.size(), image.format());
        empty.fill(Qt::white);
        QVERIFY(image != empty);
    }

    /// They are painted in another way, into a picture of their own.
    void fromFarManyBoxesLookAsFewDo_data()
    {
        QTest::addColumn<double>("zoom");
        QTest::addColumn<double>("ratio");
        QTest::addColumn<bool>("fades");
        QTest::addRow("far") << 0.15 << 1.0 << false;
        QTest::addRow("farther") << 0.04 << 1.0 << false;
        QTest::addRow("twice as many pixels") << 0.06 << 2.0 << false;
        QTest::addRow("with a selection, beside which the rest fades") << 0.1 << 1.0 << true;
    }

    void fromFarManyBoxesLookAsFewDo()
    {
        QFETCH(double, zoom);
        QFETCH(double, ratio);
        QFETCH(bool, fades);
        Shown shown;
        const Picture &few = *shown.canvas.picture();
        layout::Diagram more = few.diagram();
        for (int i = 0; i < 6000; ++i)
            more.boxes.push_back({.subject = ir::NodeId{1000u + unsigned(i)}, .rect = {1e6 + 200.0 * i, 1e6, 100, 50}});
        const Picture many(std::make_shared<const layout::Diagram>(std::move(more)));
        Viewport view;
        view.zoom = zoom;
        view.centreOn(few.bounds().center(), QSize(640, 480));
        const auto painted = [&](const Picture &picture) {
            QImage image(QSize(640, 480) * ratio, QImage::Format_RGB32);
            image.setDevicePixelRatio(ratio);
            image.fill(Qt::white);
            Emphasis emphasis;
            if (fades)
                emphasize(emphasis, &picture, picture.find(sample::node(shown.session, "mean")), {});
            QPainter painter(&image);
            paint(painter, picture, emphasis, view, {640, 480}, drawing::lightPalette());
            return image;
        };
        const QImage expected = painted(few), found = painted(many);
        int different = 0;
        for (int y = 0; y < expected.height(); ++y)
            for (int x = 0; x < expected.width(); ++x) {
                const QColor a = expected.pixelColor(x, y), b = found.pixelColor(x, y);
                // A colour that is blended through two layers is rounded twice.
                const int most = std::max(
                    {std::abs(a.red() - b.red()), std::abs(a.green() - b.green()), std::abs(a.blue() - b.blue())});
                different += most > 3 ? 1 : 0;
            }
        QCOMPARE(different, 0);
    }

    void fromFarBoxesArePixelsOfTheirColour()
    {
        Shown shown;
        const Picture &picture = *shown.canvas.picture();
        const drawing::Palette &colors = drawing::lightPalette();
        QImage image(640, 480, QImage::Format_RGB32);
        Viewport view;
        view.zoom = 0.06;
        view.centreOn(picture.bounds().center(), image.size());
        QPainter painter(&image);
        painter.fillRect(image.rect(), Qt::white);
        paint(painter, picture, {}, view, image.size(), colors);
        painter.end();
        int seen = 0;
        for (const layout::Box &box : picture.diagram().boxes) {
            if (box.open || box.kind != layout::Box::Kind::Node)
                continue;
            const QPoint middle = view.toScreen(toQt(box.rect.center())).toPoint();
            QCOMPARE(image.pixelColor(middle), toColor(colors.category(box.category)));
            ++seen;
        }
        QVERIFY(seen > 2);
    }

private:
    /// A canvas with the sample on it, laid out.
    struct Shown {
        Session session;
        Canvas canvas{session};

        explicit Shown(const char *text = sample::net) : session(sample::model(text))
        {
            canvas.resize(1200, 1600);
            session.start();
            if (!sample::waitForLayout(session))
                qFatal("no diagram");
        }

        QRectF rect(const layout::Subject &subject) const
        {
            const auto box = canvas.picture()->find(subject);
            return box ? toQt(canvas.picture()->box(*box).rect) : QRectF();
        }
        QPoint at(const layout::Subject &subject) const
        {
            return canvas.viewport().toScreen(rect(subject).center()).toPoint();
        }
        QPoint corner(const layout::Subject &subject) const
        {
            return canvas.viewport().toScreen(rect(subject).topLeft()).toPoint();
        }
    };
};

VIEW_TEST(tst_canvas, TestCanvas)
#include "tst_canvas.moc"
