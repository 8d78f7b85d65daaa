// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The page of a file that cannot be read, whatever text of the file is in the message.

#include "tests/views/view_test.h"
#include "views/failure/failure.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QTest>
#include <memory>

using namespace cutaway;
using namespace cutaway::views;

namespace {

constexpr int width = 700;

std::unique_ptr<QWidget> page(const Error &error)
{
    std::unique_ptr<QWidget> shown(makeFailurePage("/models/a.onnx", error, "ONNX model", {[] { }, [] { }}, nullptr));
    shown->resize(width, 500);
    shown->show();
    return shown;
}

QStringList textsOf(const QWidget &shown)
{
    QStringList texts;
    for (const QLabel *label : shown.findChildren<QLabel *>())
        texts << label->text();
    return texts;
}

} // namespace

class TestFailure : public QObject {
    Q_OBJECT

private slots:
    void says_data()
    {
        QTest::addColumn<QString>("message");
        QTest::addColumn<QString>("where");
        QTest::addColumn<QStringList>("texts");
        QTest::newRow("what it is and what to do")
            << "a NumPy array; give it as an input" << "" << QStringList{"A NumPy array.", "Give it as an input."};
        QTest::newRow("what and where") << "the data are cut short" << "byte 13"
                                        << QStringList{"The data are cut short.", "Where: byte 13"};
        QTest::newRow("a name with a semicolon")
            << "there is no value \"a; b\"" << "" << QStringList{"There is no value \"a; b\"."};
        QTest::newRow("markup stays text") << "there is no <b>x</b>" << "" << QStringList{"There is no <b>x</b>."};
    }

    void says()
    {
        QFETCH(QString, message);
        QFETCH(QString, where);
        QFETCH(QStringList, texts);
        const auto shown = page({ErrorKind::Unreadable, message.toStdString(), where.toStdString()});
        QCOMPARE(textsOf(*shown).first(texts.size()), texts);
    }

    void staysInItsWidthWhateverTheNames()
    {
        const auto shown =
            page({ErrorKind::Unreadable, "there is no " + std::string(5000, 'x'), std::string(900, '/')});
        QCOMPARE(shown->width(), width);
        QVERIFY(shown->minimumSizeHint().width() <= width);
        for (const QString &text : textsOf(*shown))
            QVERIFY2(text.size() < 700, qPrintable(text));
    }

    void theKeyboardIsAtWhatToDoNext()
    {
        const auto shown = page({ErrorKind::Unreadable, "what it is", ""});
        const auto *button = qobject_cast<QPushButton *>(shown->focusProxy());
        QVERIFY(button && button->isDefault());
    }

    void copiesTheWholeMessage()
    {
        const std::string name(5000, 'x');
        const auto shown = page({ErrorKind::Unreadable, "there is no " + name, "byte 13"});
        shown->findChildren<QPushButton *>().last()->click();
        QCOMPARE(QGuiApplication::clipboard()->text(),
                 "/models/a.onnx: there is no " + QString::fromStdString(name) + " (byte 13)");
    }
};

VIEW_TEST(tst_failure, TestFailure)
#include "tst_failure.moc"
