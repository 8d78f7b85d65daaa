// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A field for each option of a pass, by the type of its value.

#include "tests/views/view_test.h"
#include "views/passes/options_form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFocusEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPointer>
#include <QSpinBox>

using namespace cutaway;
using namespace cutaway::views;

class TestOptionsForm : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_told.clear();
        m_form = std::make_unique<OptionsForm>([this](const passes::Settings &settings) { m_told.push_back(settings); },
                                               nullptr);
        m_entry.settings = passes::Settings(m_pass.options);
        m_form->show(&m_entry);
    }

    void isHiddenWithoutAPass()
    {
        QVERIFY(!m_form->isHidden());
        m_form->show(nullptr);
        QVERIFY(m_form->isHidden());
        QVERIFY(m_form->findChildren<QLabel *>().isEmpty());
    }

    void saysWhatThePassDoesAndNamesItsOptions()
    {
        QStringList texts;
        for (const QLabel *label : m_form->findChildren<QLabel *>())
            texts << label->text();
        QVERIFY2(texts.first().contains("Does a lot."), qPrintable(texts.join('|')));
        QCOMPARE(texts.mid(1), (QStringList{"all", "elements", "tolerance", "form", "name", "graph"}));
        QVERIFY(m_form->findChild<QSpinBox *>()->toolTip().contains("largest tensor"));
    }

    void aChangeIsToldOnce()
    {
        m_form->findChild<QCheckBox *>()->setChecked(true);
        QCOMPARE(m_told.size(), 1u);
        QVERIFY(m_told.back().flag("all"));
        auto *count = m_form->findChild<QSpinBox *>();
        count->setValue(64);
        QCOMPARE(m_told.size(), 1u); // while it is typed
        emit count->editingFinished();
        emit count->editingFinished();
        QCOMPARE(m_told.size(), 2u);
        QCOMPARE(m_told.back().count("elements"), 64);
        m_form->findChild<QComboBox *>()->setCurrentText("long");
        QCOMPARE(m_told.back().word("form"), "long");
    }

    void numbersAndWordsCountWhenTheyAreDone()
    {
        const auto lines = m_form->findChildren<QLineEdit *>();
        for (QLineEdit *line : lines)
            if (line->text() == "0.5") {
                line->setText("0.25");
                emit line->editingFinished();
            } else if (line->text() == "relu") {
                line->setText("gelu");
                emit line->editingFinished();
            }
        QCOMPARE(m_told.size(), 2u);
        QCOMPARE(m_told.back().number("tolerance"), 0.25);
        QCOMPARE(m_told.back().word("name"), "gelu");
    }

    void aTextCountsWhenItIsLeft()
    {
        auto *text = m_form->findChild<QPlainTextEdit *>();
        text->setPlainText("graph @a() { }");
        QVERIFY(m_told.empty());
        QFocusEvent left(QEvent::FocusOut);
        QCoreApplication::sendEvent(text, &left);
        QCOMPARE(m_told.size(), 1u);
        QCOMPARE(m_told.back().word("graph"), "graph @a() { }");
    }

    /// The cursor is in one of the fields.
    void fieldsStayWhileTheirPassIsEdited()
    {
        const QPointer<QSpinBox> before = m_form->findChild<QSpinBox *>();
        m_form->findChild<QCheckBox *>()->setChecked(true);
        m_entry.settings = m_told.back();
        m_form->show(&m_entry);
        QVERIFY(before);
        m_entry.settings.set("elements", std::int64_t{7}); // by somebody else
        m_form->show(&m_entry);
        QVERIFY(!before);
        QCOMPARE(m_form->findChild<QSpinBox *>()->value(), 7);
    }

private:
    const passes::Pass m_pass{"lot",
                              "Does a lot.",
                              {{"all", "everything", false},
                               {"elements", "largest tensor that is computed", std::int64_t{16}},
                               {"tolerance", "the largest error", 0.5},
                               {"form", "which form", std::string("short"), {"short", "long"}},
                               {"name", "an operator", std::string("relu")},
                               {"graph", "a graph", std::string(), {}, true}},
                              nullptr};
    passes::Entry m_entry{&m_pass, passes::Settings(m_pass.options)};
    std::unique_ptr<OptionsForm> m_form;
    std::vector<passes::Settings> m_told;
};

VIEW_TEST(tst_options_form, TestOptionsForm)
#include "tst_options_form.moc"
