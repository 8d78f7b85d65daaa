// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A pass is found by a part of its name or of what it does, by the keyboard alone.

#include "tests/views/view_test.h"
#include "views/passes/pass_menu.h"

#include <QLineEdit>
#include <QListWidget>

using namespace cutaway;
using namespace cutaway::views;

class TestPassMenu : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_chosen.clear();
        m_menu = std::make_unique<PassMenu>(
            [this](const passes::Pass &pass) {
                m_chosen = QString::fromUtf8(pass.name.data(), qsizetype(pass.name.size()));
            },
            nullptr);
        m_menu->setPasses(m_own, m_ofPlugins);
        m_menu->popup({0, 0});
        QVERIFY(m_menu->isVisible());
    }

    void ownPassesAreSortedAndThoseOfPluginsBelow()
    {
        QCOMPARE(shown(), (QStringList{"dead-code", "fold-constants", "fuse-pad", "From plugins", "alien"}));
    }

    void finds_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QStringList>("rows");
        QTest::addColumn<QString>("chosen");
        QTest::newRow("a part of a name") << "fu" << QStringList{"fuse-pad"} << "fuse-pad";
        QTest::newRow("what it does") << "nobody reads" << QStringList{"dead-code"} << "dead-code";
        QTest::newRow("words in any order") << "pad FUSE" << QStringList{"fuse-pad"} << "fuse-pad";
        QTest::newRow("the name goes before what others do")
            << "fold" << QStringList{"fold-constants", "fuse-pad"} << "fold-constants";
        QTest::newRow("one of a plugin") << "ali" << QStringList{"alien"} << "alien";
        QTest::newRow("nothing") << "zzz" << QStringList{} << "";
    }
    void finds()
    {
        QFETCH(QString, text);
        QFETCH(QStringList, rows);
        QFETCH(QString, chosen);
        QTest::keyClicks(line(), text);
        QCOMPARE(shown(), rows);
        QTest::keyClick(line(), Qt::Key_Return);
        QCOMPARE(m_chosen, chosen);
        QCOMPARE(m_menu->isVisible(), chosen.isEmpty());
    }

    void arrowKeysSkipTheHeading()
    {
        for (int i = 0; i < 3; ++i)
            QTest::keyClick(line(), Qt::Key_Down);
        QTest::keyClick(line(), Qt::Key_Return);
        QCOMPARE(m_chosen, "alien");
    }

    void theTextIsGoneWhenItIsOpenedAgain()
    {
        QTest::keyClicks(line(), "zzz");
        m_menu->close();
        m_menu->popup({0, 0});
        QCOMPARE(line()->text(), "");
        QCOMPARE(shown().size(), 5);
    }

private:
    QLineEdit *line() const { return m_menu->findChild<QLineEdit *>(); }

    QStringList shown() const
    {
        const auto *list = m_menu->findChild<QListWidget *>();
        QStringList rows;
        for (int i = 0; i < list->count(); ++i)
            if (!list->item(i)->isHidden())
                rows << list->item(i)->text();
        return rows;
    }

    const passes::Pass m_fold{"fold-constants", "Computes what is constant.", {}, nullptr};
    const passes::Pass m_dead{"dead-code", "Removes what nobody reads.", {}, nullptr};
    const passes::Pass m_pad{"fuse-pad", "Folds a Pad into what reads it.", {}, nullptr};
    const passes::Pass m_alien{"alien", "A pass of a plugin.", {}, nullptr};
    const std::vector<const passes::Pass *> m_own{&m_pad, &m_fold, &m_dead}, m_ofPlugins{&m_alien};
    std::unique_ptr<PassMenu> m_menu;
    QString m_chosen;
};

VIEW_TEST(tst_pass_menu, TestPassMenu)
#include "tst_pass_menu.moc"
