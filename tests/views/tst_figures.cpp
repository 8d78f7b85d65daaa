// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Figures of the shown function, which follow the user's values.

#include "tests/views/sample.h"
#include "tests/views/view_test.h"
#include "views/session/times_text.h"

#include "core/ops/facts/dim_arithmetic.h"

#include <algorithm>

using namespace cutaway;
using namespace cutaway::views;

namespace {

ir::ValueId output(const Session &session, std::string_view name)
{
    return session.document().function().graph.at(sample::node(session, name)).outputs.front();
}

bool hasLabel(const Session &session, std::string_view label)
{
    return std::ranges::contains(session.drawing().diagram()->edges, label, &layout::Edge::label);
}

} // namespace

class TestFigures : public QObject {
    Q_OBJECT

private slots:
    void typesAreDerivedWhereTheFileRecordsNone()
    {
        Session session(sample::model(sample::open));
        QCOMPARE(session.analysing().typeText(output(session, "deep")), "");
        session.start();
        QVERIFY(sample::waitForFigures(session));
        QCOMPARE(session.analysing().typeText(output(session, "deep")), "float32 [s0, 100]");
        QVERIFY(sample::waitForLayout(session));
        QVERIFY(hasLabel(session, "float32 [s0, 100]"));
    }

    void aBindingChangesTypesLabelsAndTotals()
    {
        Session session(sample::model(sample::open));
        session.start();
        QVERIFY(sample::waitForFigures(session));
        QVERIFY(session.analysing().figures()->total(Measure::Flops).isFormula());
        QVERIFY(session.document().give({{"s0=8"}, {}}));
        QVERIFY(sample::waitForFigures(session));
        QCOMPARE(session.analysing().figures()->total(Measure::Flops).number(), 8.0 * (24 + 600 + 40000));
        // Two tensors of 8 × 100 and 8 × 200 elements of float32 are alive together.
        QCOMPARE(session.analysing().figures()->total(Measure::Memory).number(), 4.0 * 8 * (100 + 200));
        QCOMPARE(session.analysing().typeText(output(session, "deep")), "float32 [8, 100]");
        QVERIFY(sample::waitForLayout(session));
        QVERIFY(hasLabel(session, "float32 [8, 100]"));
    }

    void theCostliestNodeIsKnownWithOpenSizesToo()
    {
        Session session(sample::model(sample::open));
        session.start();
        QVERIFY(sample::waitForFigures(session));
        const auto costliest = [&](Measure measure) { return session.analysing().figures()->costliest(measure); };
        QCOMPARE(costliest(Measure::Flops).front(), sample::node(session, "last"));
        QVERIFY(costliest(Measure::Measured).empty());
        QVERIFY(session.document().give({{"s0=8"}, {}}));
        QVERIFY(sample::waitForFigures(session));
        QCOMPARE(costliest(Measure::Time).front(), sample::node(session, "last"));
        QCOMPARE(session.analysing().figures()->costliest(Measure::Bytes).size(), 4u);
    }

    void whatCannotBeIsRefusedAndChangesNothing_data()
    {
        QTest::addColumn<QString>("binding");
        QTest::addColumn<QString>("input");
        QTest::newRow("out of range") << "s0=1" << "";
        QTest::newRow("no number") << "s0=many" << "";
        QTest::newRow("no symbol") << "s7=3" << "";
        QTest::newRow("another rank") << "" << "x=8:float32";
        QTest::newRow("two sizes of one symbol") << "s0=4" << "x=8x5:float32";
        QTest::newRow("a ragged list") << "" << "x=[[1], [2, 3]]";
        QTest::newRow("both, and they differ") << "s0=4" << "x=8x4:float32";
    }

    void whatCannotBeIsRefusedAndChangesNothing()
    {
        QFETCH(QString, binding);
        QFETCH(QString, input);
        Session session(sample::model(sample::open));
        QVERIFY(session.document().give({{"s0=8"}, {}}));
        QVERIFY(sample::waitForFigures(session));
        const auto before = session.analysing().figures();
        GivenTexts texts;
        if (!binding.isEmpty())
            texts.bindings = {binding.toStdString()};
        if (!input.isEmpty())
            texts.inputs = {input.toStdString()};
        QVERIFY(!session.document().give(texts));
        QVERIFY(!session.analysing().isBusy());
        QCOMPARE(session.analysing().figures(), before);
        QVERIFY(session.document().given().bindings == std::vector<std::string>{"s0=8"});
    }

    void theLatestGivenWins()
    {
        Session session(sample::model(sample::open));
        for (int size = 2; size <= 40; ++size)
            QVERIFY(session.document().give({{"s0=" + std::to_string(size)}, {}}));
        QVERIFY(sample::waitForFigures(session));
        QCOMPARE(session.analysing().figures()->total(Measure::Flops).number(), 40.0 * (24 + 600 + 40000));
    }

    void anInputsShapeDecidesSymbols()
    {
        Session session(sample::model(sample::open));
        QVERIFY(session.document().give({{}, {"x=6x4:float32"}}));
        QVERIFY(sample::waitForFigures(session));
        QCOMPARE(session.analysing().typeText(output(session, "last")), "float32 [6, 200]");
    }

    void sumsGoUpTheTree()
    {
        Session session(sample::model(sample::open));
        QVERIFY(session.document().give({{"s0=2"}, {}}));
        QVERIFY(sample::waitForFigures(session));
        const Figures &figures = *session.analysing().figures();
        QCOMPARE(figures.of(sample::scope(session, "net.wide"), Measure::Flops).number(), 48.0);
        QCOMPARE(figures.of(sample::scope(session, "net"), Measure::Flops).number(), 48.0);
        QCOMPARE(figures.of(ir::ScopeId{}, Measure::Flops).number(), 2.0 * (24 + 600 + 40000));
        const layout::Subject net = sample::module(session, "net");
        QCOMPARE(figures.of(net, Measure::Flops).number(), 48.0);
        // read x, w, wide and written wide, act: 4 · (2·4 + 3·4 + 2·3 + 2·3 + 2·3)
        QCOMPARE(figures.of(net, Measure::Bytes).number(), 4.0 * (8 + 12 + 6 + 6 + 6));
    }

    void aBranchIsCountedWithTheNodeAroundIt()
    {
        Session session(sample::model());
        session.start();
        QVERIFY(sample::waitForFigures(session));
        const Figures &figures = *session.analysing().figures();
        QCOMPARE(figures.stepOf(sample::node(session, "twice")), figures.stepOf(sample::node(session, "both")));
        QCOMPARE(figures.nodeAt(*figures.stepOf(sample::node(session, "both"))), sample::node(session, "both"));
        QVERIFY(!figures.nodeAt(0));
    }

    void whatIsNotKnownHasAReason()
    {
        Session session(sample::model(R"(model "odd"
graph @forward(%x: float32[2]) {
  %y = mine::op(%x)
  return %y
}
)"));
        session.start();
        QVERIFY(sample::waitForFigures(session));
        const Figures &figures = *session.analysing().figures();
        QVERIFY(figures.stopAt(sample::node(session, "y")));
        QVERIFY(!figures.total(Measure::Flops).number());
        QCOMPARE(figures.diagnostics().size(), 1u);
        QCOMPARE(figures.diagnostics().front().code, "shapes.unknown");
        QVERIFY(figures.diagnostics().front().node == sample::node(session, "y"));
    }

    void oneUnknownNodeHidesNoSum()
    {
        Session session(sample::model(R"(model "partly"
tensor @weight: float32[8, 4] parameter
scope net class "net.Net"
scope net.known class "torch.nn.Linear"
scope net.odd class "net.Odd"
graph @forward(%x: float32[2, 4]) {
  weight %w = @weight
  %a = aten::linear(input=%x, weight=%w) in net.known
  %b = mine::op(%a) in net.odd
  %c = mine::op(%b) in net.odd
  return %c
}
)"));
        session.start();
        QVERIFY(sample::waitForFigures(session));
        const Figures &figures = *session.analysing().figures();
        const QString sum = "≥ 128 FLOP + 2 unknown";
        QCOMPARE(figures.total(Measure::Flops).text(), sum);
        QCOMPARE(figures.of(ir::ScopeId{}, Measure::Flops).text(), sum);
        QCOMPARE(figures.of(sample::scope(session, "net"), Measure::Flops).text(), sum);
        QCOMPARE(figures.of(layout::Subject(sample::module(session, "net")), Measure::Flops).text(), sum);
        QCOMPARE(figures.of(sample::scope(session, "net.known"), Measure::Flops).text(), "128 FLOP");
        QCOMPARE(figures.of(sample::scope(session, "net.odd"), Measure::Flops).text(), "2 unknown");
        QCOMPARE(figures.of(sample::node(session, "b"), Measure::Flops).text(), "?");
        const std::vector<ir::NodeId> all{sample::node(session, "a"), sample::node(session, "b"),
                                          sample::node(session, "c")};
        QCOMPARE(figures.sum(all, Measure::Flops).text(), sum);
    }

    void openSizesAreCountedWhereTheirNamesAreLong()
    {
        Session session(sample::model(R"(model "images"
symbol pixel_values_2
symbol pixel_values_3
graph @forward(%x: float32[pixel_values_2, pixel_values_3]) {
  %y = aten::relu(self=%x)
  return %y
}
)"));
        session.start();
        QVERIFY(sample::waitForFigures(session));
        QCOMPARE(openSizesText(*session.analysing().figures()), "Set 2 sizes…");
    }

    void openSizesAreShownAtTheExampleEverywhere()
    {
        Session session(sample::model(sample::open)); // s0 = 5
        session.start();
        QVERIFY(sample::waitForFigures(session));
        const Figures &figures = *session.analysing().figures();
        const QString sum = "~203 kFLOP"; // 5 * (24 + 600 + 40000)
        QCOMPARE(figures.total(Measure::Flops).text(), sum);
        QCOMPARE(figures.of(ir::ScopeId{}, Measure::Flops).text(), sum);
        QCOMPARE(figures.of(sample::scope(session, "net"), Measure::Flops).text(), "~120 FLOP");
        QCOMPARE(figures.of(sample::node(session, "last"), Measure::Flops).text(), "~200 kFLOP");
        QCOMPARE(figures.total(Measure::Memory).text(), "~5.86 KiB"); // 5 × 100 and 5 × 200 elements of float32
        for (const Measure measure : {Measure::Flops, Measure::Bytes, Measure::Memory, Measure::Time})
            for (const Quantity &quantity :
                 {figures.total(measure), figures.of(sample::scope(session, "net"), measure)})
                QVERIFY2(quantity.text().startsWith('~') || quantity.text() == "< 1 ns", qPrintable(quantity.text()));
        QVERIFY(figures.exactText(figures.total(Measure::Flops)).contains("s0 = 5"));
        QVERIFY(figures.exactText(figures.total(Measure::Time)).contains("s0 = 5"));
        QCOMPARE(openSizesText(figures), "Set s0 size…");
        const double seconds = *figures.total(Measure::Time).example;
        QVERIFY(session.document().give({{"s0=5"}, {}}));
        QVERIFY(sample::waitForFigures(session));
        const Figures &exact = *session.analysing().figures();
        QVERIFY(std::abs(*exact.total(Measure::Time).number() / seconds - 1) < 1e-9);
        QCOMPARE(openSizesText(exact), "");
    }

    void anotherDeviceNeedsNoOtherAnalysis()
    {
        Session session(sample::model(sample::open));
        QVERIFY(session.document().give({{"s0=8"}, {}}));
        QVERIFY(sample::waitForFigures(session));
        const auto before = session.analysing().figures();
        analysis::Device slow = session.analysing().device();
        slow.bandwidth /= 1000;
        session.analysing().setDevice(slow);
        QVERIFY(sample::waitForFigures(session));
        QCOMPARE(session.analysing().figures()->sharedAnalysis(), before->sharedAnalysis());
        QVERIFY(*session.analysing().figures()->total(Measure::Time).number() > *before->total(Measure::Time).number());
    }

    void anotherFunctionForgetsWhatWasGiven()
    {
        Session session(sample::model(sample::twoFunctions));
        QVERIFY(session.document().give({{}, {"x=2:float32"}}));
        session.document().setFunction(ir::FunctionId{1});
        QVERIFY(session.document().given() == GivenTexts{});
        QVERIFY(sample::waitForFigures(session));
        QCOMPARE(session.analysing().typeText(output(session, "y")), "float32 [3]");
    }

    void endsWhileItIsAnalysing()
    {
        auto session = std::make_unique<Session>(sample::model(sample::open));
        session->start();
        session.reset();
    }

    void amountsAreRoundedForReadingAndExactForTellingApart_data()
    {
        using Unit = Quantity::Unit;
        const auto s0 = symbolic::Expr::symbol("s0");
        QTest::addColumn<Quantity>("quantity");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("exact");
        QTest::newRow("FLOPs") << Quantity(Unit::Flop, ir::Dim(std::int64_t{8178368512})) << "8.18 GFLOP"
                               << "8,178,368,512 FLOP";
        QTest::newRow("few") << Quantity(Unit::Flop, ir::Dim(std::int64_t{12})) << "12 FLOP" << "12 FLOP";
        QTest::newRow("bytes") << Quantity(Unit::Byte, ir::Dim(std::int64_t{102228128})) << "97.5 MiB"
                               << "102,228,128 bytes";
        QTest::newRow("time") << Quantity(Unit::Second, std::optional(0.00125)) << "1.25 ms" << "0.00125 s";
        QTest::newRow("seconds") << Quantity(Unit::Second, std::optional(2.0)) << "2 s" << "2 s";
        QTest::newRow("product") << Quantity(Unit::Flop, ops::times(std::int64_t{40000}, s0)) << "40.0 kFLOP × s0"
                                 << "40000*s0 FLOP";
        QTest::newRow("sum") << Quantity(Unit::Byte, ops::plus(std::int64_t{1}, s0)) << "f(s0)" << "s0 + 1 bytes";
        QTest::newRow("unknown") << Quantity(Unit::Byte, ir::Dim(ir::UnknownDim{})) << "?" << "unknown";
        const ir::Dim unknown = ir::UnknownDim{};
        QTest::newRow("at least") << Quantity(Unit::Flop, unknown, std::int64_t{4000}) << "≥ 4.00 kFLOP"
                                  << "≥ 4,000 FLOP";
        Quantity part(Unit::Flop, unknown, std::int64_t{4000});
        part.missing = 3;
        QTest::newRow("at least, and so many missing") << part << "≥ 4.00 kFLOP + 3 unknown" << "≥ 4,000 FLOP";
        Quantity nothing(Unit::Byte, unknown);
        nothing.missing = 1200;
        Quantity instant(Unit::Second, std::optional(1e-11));
        instant.isAtLeast = true;
        QTest::newRow("at least less than what is said") << instant << "?" << "≥ 1e-11 s";
        instant.missing = 4;
        QTest::newRow("at least that, and so many missing") << instant << "4 unknown" << "≥ 1e-11 s";
        QTest::newRow("only missing") << nothing << "1,200 unknown" << "unknown";
        Quantity formula(Unit::Flop, ops::times(std::int64_t{40000}, s0));
        formula.example = 640000;
        QTest::newRow("a formula at the example") << formula << "~640 kFLOP" << "40000*s0 FLOP";
        Quantity brief(Unit::Second, std::optional<double>());
        brief.example = 1e-10;
        QTest::newRow("too little to be told, at the example") << brief << "< 1 ns" << "~1e-10 s";
        formula.isAtLeast = true;
        formula.missing = 2;
        QTest::newRow("at least a formula") << formula << "≥ ~640 kFLOP + 2 unknown" << "≥ 40000*s0 FLOP";
        QTest::newRow("at least nothing") << Quantity(Unit::Flop, unknown, std::int64_t{0}) << "?" << "unknown";
        QTest::newRow("known") << Quantity(Unit::Flop, std::int64_t{4000}, std::int64_t{12}) << "4.00 kFLOP"
                               << "4,000 FLOP";
    }

    void amountsAreRoundedForReadingAndExactForTellingApart()
    {
        QFETCH(Quantity, quantity);
        QTEST(quantity.text(), "text");
        QTEST(quantity.exactText(), "exact");
    }
};

VIEW_TEST(tst_figures, TestFigures)
#include "tst_figures.moc"
