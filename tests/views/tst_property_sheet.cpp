// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The contents of a page of properties, and the effects of its links and buttons.

#include "tests/views/view_test.h"
#include "views/parts/elided_label.h"
#include "views/parts/property_sheet.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>

using namespace cutaway;
using namespace cutaway::views;

class TestPropertySheet : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_sheet = std::make_unique<PropertySheet>();
        m_sheet->resize(260, 200);
        m_sheet->show();
    }

    void aDetailThatIsTheTitleIsNotRepeated()
    {
        m_sheet->title("conv", "conv");
        QCOMPARE(texts(), QStringList{"conv"});
        m_sheet->clear();
        m_sheet->title("conv", "stem.conv");
        QCOMPARE(texts(), (QStringList{"conv", "stem.conv"}));
    }

    void rowsHaveNameAndValue()
    {
        m_sheet->section("Cost");
        m_sheet->row("FLOPs", "12 MFLOP", PropertySheet::Look::Number);
        m_sheet->row("source", "net.py:8");
        QTRY_COMPARE(texts(), (QStringList{"FLOPs", "12 MFLOP", "source", "net.py:8"}));
    }

    /// A shape without its middle would be another one.
    void aShapeIsWrappedNotElided()
    {
        m_sheet->row("shape", "float32[1, 3, 224, 224]", PropertySheet::Look::Monospace);
        const auto labels = m_sheet->widget()->findChildren<QLabel *>();
        QCOMPARE(labels.size(), 1);
        QVERIFY(labels.front()->wordWrap());
        QCOMPARE(labels.front()->text(), "float32[1, 3, 224, 224]");
    }

    void markupIsText()
    {
        m_sheet->paragraph("<b>x</b>");
        QCOMPARE(m_sheet->widget()->findChild<QLabel *>()->textFormat(), Qt::PlainText);
    }

    void linksAreFollowedByMouseAndKeyboard()
    {
        int followed = 0;
        m_sheet->link("maker", "conv", [&] { ++followed; });
        QWidget *link = nullptr;
        for (QWidget *each : m_sheet->widget()->findChildren<QWidget *>())
            if (const auto *label = dynamic_cast<ElidedLabel *>(each); label && label->text() == "conv")
                link = each;
        QVERIFY(link);
        QTest::mouseClick(link, Qt::LeftButton);
        QTest::keyClick(link, Qt::Key_Return);
        QCOMPARE(followed, 2);
    }

    void aButtonThatIsNeededOnceDisappears()
    {
        int pressed = 0;
        m_sheet->button("Again", [&] { ++pressed; });
        m_sheet->buttonOnce("Once", [&] { ++pressed; });
        const auto buttons = m_sheet->widget()->findChildren<QPushButton *>();
        for (QPushButton *button : buttons)
            button->click();
        QCOMPARE(pressed, 2);
        QTRY_VERIFY(buttons.at(0)->isVisible());
        QVERIFY(!buttons.at(1)->isVisible());
    }

    void aChoiceTellsWhichIsChosen()
    {
        int chosen = -1;
        m_sheet->choice("function", {"forward", "encode"}, 1, [&](int index) { chosen = index; });
        auto *box = m_sheet->widget()->findChild<QComboBox *>();
        QCOMPARE(box->currentText(), "encode");
        QCOMPARE(box->accessibleName(), "function");
        emit box->activated(0);
        QCOMPARE(chosen, 0);
    }

    void refillingKeepsThePlace()
    {
        const auto fill = [this] {
            m_sheet->clear();
            for (int i = 0; i < 60; ++i)
                m_sheet->row(QString::number(i), "value");
        };
        fill();
        QTRY_VERIFY(m_sheet->verticalScrollBar()->maximum() > 200);
        m_sheet->verticalScrollBar()->setValue(150);
        m_sheet->refill(fill);
        QTRY_COMPARE(m_sheet->verticalScrollBar()->value(), 150);
        fill();
        QCOMPARE(m_sheet->verticalScrollBar()->value(), 0);
    }

    void aPageThatBecameShorterStaysWhereTheUserScrollsIt()
    {
        const auto fill = [this](int rows) {
            m_sheet->clear();
            for (int i = 0; i < rows; ++i)
                m_sheet->row(QString::number(i), "value");
        };
        QScrollBar &bar = *m_sheet->verticalScrollBar();
        fill(60);
        QTRY_VERIFY(bar.maximum() > 400);
        bar.setValue(bar.maximum());
        m_sheet->refill([&] { fill(30); });
        QTRY_VERIFY(bar.value() > 0 && bar.value() == bar.maximum());
        bar.triggerAction(QScrollBar::SliderToMinimum);
        m_sheet->resize(260, 180);
        QTest::qWait(50);
        QCOMPARE(bar.value(), 0);
    }

private:
    /// The texts of labels that are elided, from top to bottom.
    QStringList texts() const
    {
        std::vector<std::pair<QPoint, QString>> labels;
        for (const QWidget *each : m_sheet->widget()->findChildren<QWidget *>())
            if (const auto *label = dynamic_cast<const ElidedLabel *>(each))
                labels.emplace_back(label->mapTo(m_sheet->widget(), QPoint()), label->text());
        std::ranges::stable_sort(labels, {},
                                 [](const auto &label) { return std::pair(label.first.y(), label.first.x()); });
        QStringList texts;
        for (const auto &[place, text] : labels)
            texts << text;
        return texts;
    }

    std::unique_ptr<PropertySheet> m_sheet;
};

VIEW_TEST(tst_property_sheet, TestPropertySheet)
#include "tst_property_sheet.moc"
