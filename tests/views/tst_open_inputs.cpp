// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Which inputs can be given, the texts that are offered, and what these give.

#include "tests/views/sample.h"
#include "tests/views/view_test.h"
#include "views/parts/open_inputs.h"

using namespace cutaway;
using namespace cutaway::views;

namespace {

/// The input of a function with this parameter; "nothing" as its path if there is none.
OpenInput only(const QString &parameter)
{
    const auto model = sample::model(
        QStringLiteral("symbol s0 [2, 64]\ngraph @forward(%x: %1) { return %x }").arg(parameter).toUtf8().constData());
    const std::vector<OpenInput> found = openInputs(*model, ir::FunctionId{0});
    return found.size() == 1 ? found.front() : OpenInput{.path = "nothing", .wanted = {}};
}

} // namespace

class TestOpenInputs : public QObject {
    Q_OBJECT

private slots:
    void offersWhatTheFileLeavesOpen_data()
    {
        QTest::addColumn<QString>("type");
        QTest::addColumn<QString>("wanted");
        QTest::addColumn<QString>("example");
        QTest::newRow("a fixed shape") << "float32[2, 3]" << "2x3:float32" << "";
        QTest::newRow("a symbol") << "float32[s0, 3]" << "s0x3:float32" << "";
        QTest::newRow("an open size") << "float16[?, 3]" << "?x3:float16" << "1x3:float16";
        QTest::newRow("no shape: a picture") << "tensor[*]" << "1x3x224x224:float32" << "1x3x224x224:float32";
        QTest::newRow("a number") << "int" << "a number" << "";
        QTest::newRow("a list of pictures") << "list<tensor[*]>" << "3x224x224:float32, …" << "3x224x224:float32";
        QTest::newRow("a list of numbers") << "list<int>" << "a number, …" << "";
    }
    void offersWhatTheFileLeavesOpen()
    {
        QFETCH(QString, type);
        QFETCH(QString, wanted);
        QFETCH(QString, example);
        const OpenInput input = only(type);
        QCOMPARE(input.path, "x");
        QCOMPARE(input.wanted, wanted);
        QCOMPARE(input.example, example);
    }

    void aNumberThatTheFileFixesIsNotOffered() { QCOMPARE(only("int(3)").path, "nothing"); }

    void partsOfATupleAreInputsOfTheirOwn()
    {
        const auto model = sample::model("graph @forward(%x: tuple<float32[2], tuple<int, tensor[*]>>) { return %x }");
        QStringList paths;
        for (const OpenInput &input : openInputs(*model, ir::FunctionId{0}))
            paths << QString::fromStdString(input.path);
        QCOMPARE(paths, (QStringList{"x.0", "x.1.0", "x.1.1"}));
    }

    void aTextGivesWhatIsReadAgain_data()
    {
        QTest::addColumn<QString>("type");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QStringList>("given");
        QTest::newRow("sizes") << "tensor[*]" << "1x8:int64" << QStringList{"x=1x8:int64"};
        QTest::newRow("sizes without a dtype") << "float16[?, 8]" << "1x8" << QStringList{"x=1x8:float16"};
        QTest::newRow("elements") << "tensor[*]" << "[0, 1]" << QStringList{"x=[0, 1]"};
        QTest::newRow("a file") << "tensor[*]" << "@x.npy" << QStringList{"x=@x.npy"};
        QTest::newRow("a number") << "int" << "3" << QStringList{"x=3"};
        QTest::newRow("items") << "list<tensor[*]>" << "3x4, 3x5:int8"
                               << QStringList{"x.0=3x4:float32", "x.1=3x5:int8"};
        QTest::newRow("items with commas")
            << "list<tensor[*]>" << "[1, 2], [3]" << QStringList{"x.0=[1, 2]", "x.1=[3]"};
        QTest::newRow("no items") << "list<int>" << "[]" << QStringList{"x=[]"};
    }
    void aTextGivesWhatIsReadAgain()
    {
        QFETCH(QString, type);
        QFETCH(QString, text);
        QFETCH(QStringList, given);
        const OpenInput input = only(type);
        std::vector<std::string> others{"y=7", "xs=8"}; // texts of other inputs
        QStringList made;
        for (const std::string &each : input.given(text)) {
            made << QString::fromStdString(each);
            others.push_back(each);
        }
        QCOMPARE(made, given);
        const QString again = input.text(others);
        QStringList remade;
        for (const std::string &each : input.given(again))
            remade << QString::fromStdString(each);
        QCOMPARE(remade, given);
    }

    void nothingGivenIsNoText() { QCOMPARE(only("list<int>").text({"y.0=1"}), ""); }
};

VIEW_TEST(tst_open_inputs, TestOpenInputs)
#include "tst_open_inputs.moc"
