// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The words that are offered while a query is typed: each is one that the query finds something by.

#include "tests/views/sample.h"
#include "tests/views/view_test.h"
#include "views/session/search/query_words.h"

using namespace cutaway;
using namespace cutaway::views;

class TestQueryWords : public QObject {
    Q_OBJECT

private slots:
    void beginningsAreThoseOfProperties()
    {
        const Session session(sample::model());
        const QStringList words = queryWords(session, "");
        for (const char *word : {"op:", "flops", "op:relu", "op:If"})
            QVERIFY2(std::ranges::any_of(words, [&](const QString &each) { return each.startsWith(word); }), word);
        QVERIFY(!words.contains("op:softmax"));
    }

    void wordsAreThoseOfTheShownFunction_data()
    {
        QTest::addColumn<QString>("property");
        QTest::addColumn<QStringList>("has");
        QTest::addColumn<QStringList>("hasNot");
        QTest::newRow("operators") << "op" << QStringList{"conv2d", "mul"} << QStringList{"softmax"};
        QTest::newRow("modules with those around them")
            << "scope" << QStringList{"stem", "stem.conv", "head"} << QStringList{"conv"};
        QTest::newRow("classes") << "class" << QStringList{"net.Stem", "torch.nn.Linear"} << QStringList{"stem"};
        QTest::newRow("names") << "name" << QStringList{"conv", "twice"} << QStringList{"w"};
        QTest::newRow("nodes before another") << "upstream" << QStringList{"mean"} << QStringList{"relu"};
        QTest::newRow("functions") << "function" << QStringList{"forward"} << QStringList{"other"};
        QTest::newRow("categories") << "category" << QStringList{"convolution"} << QStringList{"conv"};
        QTest::newRow("dtypes") << "dtype" << QStringList{"float32", "bfloat16"} << QStringList{"conv"};
        QTest::newRow("no property") << "nonsense" << QStringList{} << QStringList{"conv"};
    }
    void wordsAreThoseOfTheShownFunction()
    {
        QFETCH(QString, property);
        QFETCH(QStringList, has);
        QFETCH(QStringList, hasNot);
        const Session session(sample::model());
        const QStringList words = queryWords(session, property);
        for (const QString &word : has)
            QVERIFY2(words.contains(word), qPrintable(word + " is not among " + words.join(", ")));
        for (const QString &word : hasNot)
            QVERIFY2(!words.contains(word), qPrintable(word));
    }

    void namesThatAreNoWordsStandInQuotes()
    {
        const Session session(sample::model("graph @forward(%x: float32[2]) {\n"
                                            "  %y: float32[2] = aten::relu(self=%x) name \"two words\"\n"
                                            "  return %y\n}"));
        QCOMPARE(queryWords(session, "name"), QStringList{"\"two words\""});
    }
};

VIEW_TEST(tst_query_words, TestQueryWords)
#include "tst_query_words.moc"
