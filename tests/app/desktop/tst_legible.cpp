// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of the window are readable: no visible text is truncated at any width, and no menu is as high as the screen.

#include "app/desktop/docks/docks.h"
#include "core/ir/node_ref.h"
#include "tests/app/desktop/window_test.h"
#include "tests/views/fake_backend.h"
#include "views/parts/elided_label.h"
#include "views/session/document.h"
#include "views/session/navigation.h"
#include "views/session/stepping.h"
#include "views/tensor/tensor_model.h"

#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QSlider>
#include <QToolButton>
#include <QTreeView>

using namespace cutaway;
using namespace cutaway::desktop;

namespace {

bool isCut(const QLabel &label)
{
    if (label.text().isEmpty() || !label.pixmap().isNull())
        return false;
    const QRect room = label.contentsRect();
    if (label.wordWrap())
        return label.heightForWidth(label.width()) > label.height() + 1;
    return label.fontMetrics().horizontalAdvance(label.text()) > room.width() + 1
        && label.sizePolicy().horizontalPolicy() != QSizePolicy::Ignored; // such a label has a tool tip
}

/// Labels and buttons in sight that are not shown whole.
QStringList cutTexts(const QWidget &window)
{
    QStringList cut;
    for (const QLabel *label : window.findChildren<QLabel *>())
        if (label->isVisible() && isCut(*label))
            cut << label->text();
    for (const QPushButton *button : window.findChildren<QPushButton *>())
        if (button->isVisible() && button->width() < button->fontMetrics().horizontalAdvance(button->text()))
            cut << button->text();
    return cut;
}

/// Whether a column shows each text of the first rows whole.
bool isColumnWhole(const QTreeView &list, int column)
{
    const int room = list.header()->sectionSize(column);
    for (int row = 0; row < std::min(list.model()->rowCount(), 40); ++row) {
        const QString text = list.model()->index(row, column).data().toString();
        if (list.fontMetrics().horizontalAdvance(text) > room)
            return false;
    }
    return true;
}

template <class T>
T *shownWith(const QWidget &window, const QString &text)
{
    for (T *each : window.findChildren<T *>())
        if (each->isVisible() && each->text() == text)
            return each;
    return nullptr;
}

} // namespace

class TestLegible : public WindowTest {
    Q_OBJECT

private slots:
    void init() { makeFiles(); }

    void noTextIsCut_data()
    {
        QTest::addColumn<QString>("what");
        QTest::addColumn<int>("width");
        for (const char *what : {"start", "model", "run", "bindings", "diagnostics", "steps"})
            for (const int width : {1024, 1280, 1920})
                QTest::addRow("%s at %d", what, width) << what << width;
    }
    void noTextIsCut()
    {
        QFETCH(QString, what);
        QFETCH(int, width);
        MainWindow window(settings());
        window.resize(width, width * 5 / 8);
        window.show();
        if (what != "start") {
            openDrawn(window, m_a);
            if (what == "steps") {
                window.session()->stepping().run();
                QTRY_VERIFY(window.session()->stepping().history());
            } else if (what != "model") {
                window.showDock(what);
            }
        } else {
            auto *formats = [&] {
                for (auto *label : window.findChildren<QLabel *>())
                    if (label->text().contains("TorchScript"))
                        return label;
                qFatal("the start page names no format");
            }();
            QVERIFY(formats->text().contains("ONNX") && formats->text().contains("safetensors"));
        }
        QTest::qWait(50);
        QTRY_VERIFY2(cutTexts(window).isEmpty(), qPrintable(cutTexts(window).join("; ")));
    }

    void theNameOfAStepHasTheFreeRoom_data() { widths(); }
    void theNameOfAStepHasTheFreeRoom()
    {
        QFETCH(int, width);
        MainWindow window(settings());
        window.resize(width, width * 5 / 8);
        window.show();
        openDrawn(window, m_a);
        window.session()->stepping().run();
        QTRY_VERIFY(window.session()->stepping().history() && !window.session()->stepping().isRunning());
        window.session()->stepping().goTo(window.session()->stepping().count());
        QTest::qWait(50);
        auto *slider = window.pages().current()->findChild<QSlider *>();
        QVERIFY(slider && slider->isVisible());
        const QWidget *bar = slider->parentWidget();
        const views::ElidedLabel *name = nullptr;
        for (const QWidget *each : bar->findChildren<QWidget *>())
            if (const auto *label = dynamic_cast<const views::ElidedLabel *>(each))
                name = label;
        QVERIFY(name);
        QVERIFY2(name->width() >= name->sizeHint().width() || slider->width() <= slider->minimumWidth() + 1,
                 qPrintable(QStringLiteral("%1 of %2, slider %3")
                                .arg(name->width())
                                .arg(name->sizeHint().width())
                                .arg(slider->width())));
    }

    void theMenuOfPassesIsLow()
    {
        MainWindow window(settings());
        window.show();
        openDrawn(window, m_a);
        const QToolButton *add = nullptr;
        for (const QToolButton *button : dock(window, "passes")->findChildren<QToolButton *>())
            if (button->text().startsWith("Add"))
                add = button;
        QVERIFY(add && add->menu());
        QList<QMenu *> menus = add->menu()->findChildren<QMenu *>();
        menus << add->menu();
        for (QMenu *menu : menus)
            QVERIFY2(menu->sizeHint().height() < 560, qPrintable(menu->title()));
    }

    void valuesOfAWeightAreListedOnceAndWhole_data() { widths(); }
    void valuesOfAWeightAreListedOnceAndWhole()
    {
        QFETCH(int, width);
        MainWindow window(settings());
        window.resize(width, width * 5 / 8);
        window.show();
        openDrawn(window, m_a);
        const ir::Graph &graph = window.session()->document().function().graph;
        for (ir::ValueId value{0}; value.index < graph.valueCount(); ++value.index)
            if (const auto weight = ir::ValueRef(graph, value).weight();
                weight && window.session()->document().model().at(*weight).shape.size() == 4)
                window.session()->navigation().select(value);
        const QDockWidget &inspector = *dock(window, "inspector");
        QTRY_VERIFY(shownWith<QPushButton>(inspector, "Show values"));
        QTest::mouseClick(shownWith<QPushButton>(inspector, "Show values"), Qt::LeftButton);
        const auto texts = [&] {
            QList<QScrollArea *> found;
            for (auto *area : inspector.findChildren<QScrollArea *>())
                if (area->accessibleName() == "Text")
                    found << area;
            return found;
        };
        QTRY_COMPARE(texts().size(), 1);
        QVERIFY(!shownWith<QPushButton>(inspector, "Show values"));
        QTest::qWait(20);
        QVERIFY(texts().front()->widget()->width() <= texts().front()->viewport()->width());
    }

    void columnsOfTheTensorsAreWhole_data() { widths(); }
    void columnsOfTheTensorsAreWhole()
    {
        QFETCH(int, width);
        MainWindow window(settings());
        window.resize(width, width * 5 / 8);
        window.show();
        openDrawn(window, m_a);
        window.showDock("tensor");
        auto *list = dock(window, "tensor")->findChild<QTreeView *>();
        QVERIFY(list && list->isVisible());
        QTRY_VERIFY(list->model()->rowCount() > 2);
        QTest::qWait(50);
        QVERIFY2(width < 1280 || list->header()->sectionSize(0) >= 200,
                 qPrintable(QString::number(list->header()->sectionSize(0))));
        QVERIFY(width < 1920 || !list->isColumnHidden(views::TensorModel::BytesColumn));
        for (int column = width < 1920 ? 1 : 0; column < list->model()->columnCount(); ++column) // names have tool tips
            QVERIFY2(list->isColumnHidden(column) || isColumnWhole(*list, column),
                     qPrintable(QStringLiteral("column %1 has %2 of %3")
                                    .arg(column)
                                    .arg(list->header()->sectionSize(column))
                                    .arg(list->width())));
    }

    void aProfileColoursTheGraphByItsTimes()
    {
        MainWindow window(settings());
        window.show();
        openDrawn(window, m_a);
        views::Session &session = *window.session();
        const ir::Graph &graph = session.document().function().graph;
        const ir::NodeId node = graph.at(ir::Graph::body).nodes.front();
        views::sample::FakeAnswers answers;
        answers.nodes = {views::sample::timed(std::string(ir::NodeRef(graph, node).name()), 0, 0.0125)};
        QVERIFY(session.analysing().colouring() == views::Colouring(views::ByCategory{}));
        QVERIFY(views::sample::profile(session, answers));
        QTRY_VERIFY(session.analysing().colouring() == views::Colouring(views::Measure::Measured));
        session.navigation().reveal(node);
        QTRY_VERIFY(!session.drawing().isBusy() && canvas(window).picture()->find(node));
        QTRY_VERIFY(canvas(window).highlighting().heat());
        QCOMPARE(canvas(window).highlighting().heat()->text(*canvas(window).picture()->find(node)), "12.5 ms");
    }

    void docksAreReachedByNumbersInTheirOrder()
    {
        int number = 1;
        for (const Dock &each : docks().first(9))
            QCOMPARE(QString(each.shortcut), QStringLiteral("Alt+%1").arg(number++));
    }

private:
    static void widths()
    {
        QTest::addColumn<int>("width");
        for (const int width : {1024, 1280, 1920})
            QTest::addRow("%d", width) << width;
    }
};

QTEST_MAIN(TestLegible)
#include "tst_legible.moc"
