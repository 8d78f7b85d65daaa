// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/ir/names.h"
#include "core/ir/text/text.h"
#include "core/report/timing/activation_report.h"
#include "core/report/timing/run_report.h"
#include "core/run/values/activations.h"
#include "core/run/values/saved_activations.h"
#include "core/tensor/numbers.h"

#include <array>
#include <gtest/gtest.h>
#include <limits>
#include <span>

namespace cutaway::run {

namespace {

struct ActivationRow {
    const char *name;
    const char *nodes;    ///< nodes on x: float32[3] -1 0 12
    const char *expected; ///< the lines about what is not finite
    const char *header = "";
};

class Run : public testing::Test {
protected:
    void run(const std::string &nodes, const std::string &header = {})
    {
        auto parsed = ir::parseText(header + "graph @forward(%x: float32[3]) {\n" + nodes + "}\n");
        ASSERT_TRUE(parsed) << parsed.error().text();
        m_model = *std::move(parsed);
        const ir::Graph &graph = m_model.at(m_main).graph;
        const std::vector<float> numbers{-1, 0, 12};
        const Inputs inputs{{graph.at(ir::Graph::body).inputs.front(), "x",
                             tensor::tensorOf(ir::DType::Float32, {3}, std::as_bytes(std::span(numbers)))}};
        auto found = activationsOf(*evaluatorBackend(), {m_model, m_main, std::nullopt}, inputs,
                                   analysis::inferShapes(m_model, m_main));
        ASSERT_TRUE(found) << found.error().text();
        m_activations = *std::move(found);
    }

    report::RunStatistics statistics() const
    {
        return {m_model, m_main, m_activations, notFinite(m_model, m_main, m_activations)};
    }

    const ir::FunctionId m_main{0};
    ir::Model m_model;
    Activations m_activations;
};

class NotFiniteNumbers : public Run, public testing::WithParamInterface<ActivationRow> { };

TEST_P(NotFiniteNumbers, areFoundWhereTheyAreMade)
{
    run(GetParam().nodes, GetParam().header);
    EXPECT_EQ(joined(report::notFiniteLines(statistics()), "\n"), GetParam().expected);
}

constexpr const char *minusInfinity = "storage 0: 4 bytes data \"\\x00\\x00\\x80\\xff\"\n"
                                      "tensor @m: float32[] in storage 0\n";
constexpr const char *notANumber = "storage 0: 4 bytes data \"\\x00\\x00\\xc0\\x7f\"\n"
                                   "tensor @m: float32[] in storage 0\n";

INSTANTIATE_TEST_SUITE_P(
    Rows, NotFiniteNumbers,
    testing::Values(
        ActivationRow{"none", "%r = aten::relu(self=%x) return %r", ""},
        ActivationRow{"logOfANegativeAndOfZero", "%l = aten::log(self=%x) %r = aten::relu(self=%l) return %r",
                      "first NaN: aten::log makes 1 of the 3 float32 numbers of 'l', from numbers up to 12 in "
                      "magnitude\n"
                      "first infinity: aten::log makes 1 of the 3 float32 numbers of 'l', from numbers up to 12 in "
                      "magnitude"},
        ActivationRow{"zeroByZero", "%r = aten::div.Tensor(self=%x, other=%x) return %r",
                      "first NaN: aten::div.Tensor makes 1 of the 3 float32 numbers of 'r', from numbers up to 12 in "
                      "magnitude"},
        ActivationRow{"expInFloat16",
                      "%h = aten::to.dtype(self=%x, dtype=float16) %e = aten::exp(self=%h) "
                      "%r = aten::neg(self=%e) return %r",
                      "first infinity: aten::exp makes 1 of the 3 float16 numbers of 'e', from numbers up to 12 in "
                      "magnitude"},
        ActivationRow{"castToFloat16", "%e = aten::exp(self=%x) %r = aten::to.dtype(self=%e, dtype=float16) return %r",
                      "first infinity: aten::to.dtype makes 1 of the 3 float16 numbers of 'r', from numbers up to "
                      "1.6275e+05 in magnitude"},
        ActivationRow{"differenceOfInfinities",
                      "%z = aten::mul.Scalar(self=%x, other=0.0) %q = aten::reciprocal(self=%z) "
                      "%r = aten::sub.Tensor(self=%q, other=%q) return %r",
                      "first NaN: aten::sub.Tensor makes 3 of the 3 float32 numbers of 'r'\n"
                      "first infinity: aten::reciprocal makes 3 of the 3 float32 numbers of 'q', from numbers up to 0 "
                      "in magnitude"},
        ActivationRow{"maskIsMeant",
                      "%c = aten::gt.Scalar(self=%x, other=0) "
                      "%f = aten::masked_fill.Scalar(self=%x, mask=%c, value=-inf) "
                      "%r = aten::softmax.int(self=%f, dim=0) return %r",
                      ""},
        ActivationRow{"maskOfAWeightIsMeant", "%r = aten::add.Tensor(self=%x, other=@m) return %r", "", minusInfinity},
        ActivationRow{"softmaxOfARowThatIsMasked",
                      "%f = aten::add.Tensor(self=%x, other=@m) %r = aten::softmax.int(self=%f, dim=0) return %r",
                      "first NaN: aten::softmax.int makes 3 of the 3 float32 numbers of 'r'", minusInfinity},
        ActivationRow{"weightWithNaN", "%a = aten::add.Tensor(self=%x, other=@m) %r = aten::neg(self=%a) return %r",
                      "first NaN: aten::add.Tensor makes 3 of the 3 float32 numbers of 'a', from numbers up to 12 in "
                      "magnitude",
                      notANumber},
        ActivationRow{"severalNodes",
                      "%a = aten::log(self=%x) %b = aten::sqrt(self=%x) %s = aten::add.Tensor(self=%a, other=%b) "
                      "%r = aten::acos(self=%x) return %r, %s",
                      "first NaN: aten::log makes 1 of the 3 float32 numbers of 'a', from numbers up to 12 in "
                      "magnitude; 2 more nodes make some\n"
                      "first infinity: aten::log makes 1 of the 3 float32 numbers of 'a', from numbers up to 12 in "
                      "magnitude"},
        ActivationRow{"inALoop",
                      "%l = prim::Loop(3, true, %x) region \"body\" (%i: int, %c: float32[3]) {\n"
                      "  %d = aten::sqrt(self=%c) return true, %d }\n%r = aten::neg(self=%l) return %r",
                      "first NaN: aten::sqrt makes 3 of the 9 float32 numbers of 'd'"}),
    [](const auto &row) { return row.param.name; });

/// One backend finds zeros there, another what was left in that memory.
TEST(NotFinite, isNotWhatLiesInMemoryThatNothingWroteTo)
{
    constexpr std::array numbers{0.0F, std::numeric_limits<float>::quiet_NaN()};
    const Activation seen = *activationOf(tensor::tensorOf(ir::DType::Float32, {2}, std::as_bytes(std::span(numbers))));
    const auto countIn = [&](const std::string &op) {
        const auto model = ir::parseText("graph @forward(%x: float32[2]) {\n  %e = aten::" + op
                                         + "(self=%x)\n  %r = aten::neg(self=%e)\n  return %r\n}\n");
        const ir::FunctionId main{0};
        Activations activations;
        for (const ir::NodeRef node : ir::nodesOf(model->at(main).graph, ir::Graph::body))
            activations.values.emplace(node.output(0), seen);
        return notFinite(*model, main, activations).size();
    };
    EXPECT_EQ(countIn("sqrt"), 1u);
    EXPECT_EQ(countIn("empty_like"), 0u);
}

TEST_F(Run, tellsTheStatisticsOfValues)
{
    run("%h = aten::to.dtype(self=%x, dtype=float16) %e = aten::exp(self=%h) %g = aten::gt.Scalar(self=%x, other=0) "
        "%r = aten::log(self=%x) return %e, %g, %r");
    const std::string text = report::statisticsText(statistics());
    EXPECT_EQ(text.substr(0, text.find("first NaN")),
              "value  of               type            min     max     mean      std  zeros  nan  inf\n"
              "x      input            float32[3]       -1      12   3.6667   5.9067  33.3%\n"
              "h      aten::to.dtype   float16[3]       -1      12   3.6667   5.9067  33.3%\n"
              "e      aten::exp        float16[3]  0.36792       1  0.68396  0.31604                1\n"
              "g      aten::gt.Scalar  bool[3]           0       1  0.33333   0.4714  66.7%\n"
              "r      aten::log        float32[3]   2.4849  2.4849   2.4849        0           1    1\n");
}

/// Saved statistics are read again, for a function of the same values.
TEST_F(Run, isReadFromItsDocument)
{
    run("%e = aten::exp(self=%x) %z = aten::mul.Scalar(self=%x, other=0.0) %l = aten::log(self=%z) "
        "%n = aten::sub.Tensor(self=%l, other=%l) return %e, %n");
    const auto saved = statistics();
    const std::string json = report::runJson({"test", 0.5, {}}, &saved);
    const auto read = parseActivations(json, m_model.at(m_main));
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(read->outcome.backend, "test");
    const auto text = [&](const Activations &activations) {
        return report::statisticsText({m_model, m_main, activations, notFinite(m_model, m_main, activations)});
    };
    Activations before = m_activations;
    before.outcome = read->outcome;
    EXPECT_EQ(text(*read), text(before));
    const auto other = ir::parseText("graph @forward(%x: float32[3]) { %e = aten::sin(self=%x) return %e }");
    EXPECT_EQ(parseActivations(json, other->at(m_main))->values.size(), 2u) << "x and e";
}

TEST_F(Run, saysWhatItsDocumentLacks)
{
    run("%r = aten::relu(self=%x) return %r");
    const auto errorOf = [&](std::string_view json) {
        const auto read = parseActivations(json, m_model.at(m_main));
        return read ? std::string() : read.error().text();
    };
    EXPECT_EQ(errorOf("{"), "the statistics are not JSON, or cut short");
    EXPECT_EQ(errorOf(R"({"schema":"cutaway.profile/1"})"),
              "the statistics are of schema 'cutaway.profile/1', expected 'cutaway.run/1' (the document)");
    EXPECT_EQ(errorOf(R"({"schema":"cutaway.run/1","values":[{"name":"r","dtype":"float33"}]})"),
              "'float33' is not a dtype (values[0])");
    EXPECT_EQ(errorOf(R"({"schema":"cutaway.run/1","values":[{"name":"r","dtype":"float32","count":1,"nan":2}]})"),
              "more numbers are not finite than there are (values[0])");
}

TEST_F(Run, isNodeData)
{
    run("%a, %b = aten::split_with_sizes(self=%x, split_sizes=[2, 1]) "
        "%r = aten::log(self=%x) return %a, %b, %r");
    EXPECT_EQ(report::statisticsCsv(statistics()),
              "node,run.magnitude,run.min,run.max,run.mean,run.std,run.zeros,run.nan,run.inf\r\n"
              "a,12,-1,12,3.666666666666666,5.9066817155564495,0.3333333333333333,0,0\r\n"
              "r,nan,2.4849066734313965,2.4849066734313965,2.4849066734313965,0,0,1,1\r\n");
}

} // namespace

} // namespace cutaway::run
