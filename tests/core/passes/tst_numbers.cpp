// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/passes/pass.h"
#include "tests/core/passes/number_test.h"

#include <algorithm>
#include <array>
#include <set>

// Random graphs, each run through every pass: what they compute stays, exactly if the pass is a usual one, else but for
// rounding. Each kind of step writes what some pass looks for, and what looks like it.

namespace cutaway::test {
namespace {

using Shape = std::vector<std::int64_t>;

struct Known {
    std::string name; ///< "%3"
    Shape shape;
};

std::string listOf(const Shape &shape)
{
    std::string text;
    for (const std::int64_t size : shape)
        text += (text.empty() ? "" : ", ") + std::to_string(size);
    return "[" + text + "]";
}

/// Writes a graph node by node.
class Writer {
public:
    explicit Writer(std::mt19937 &random) : m_random(random)
    {
        for (std::int64_t i = 0; i < 2; ++i)
            m_known.push_back({formatted("%x{}", i), {2, 3, 4}});
    }

    std::size_t below(std::size_t count) { return std::uniform_int_distribution<std::size_t>(0, count - 1)(m_random); }
    bool coin() { return below(2) == 0; }

    /// A tensor that is there, of a rank if one is asked for.
    Known any(std::optional<std::size_t> rank = {})
    {
        std::vector<Known> fitting;
        std::ranges::copy_if(m_known, std::back_inserter(fitting),
                             [&](const Known &known) { return !rank || known.shape.size() == *rank; });
        return fitting[below(fitting.size())];
    }
    Known like(const Shape &shape)
    {
        std::vector<Known> fitting;
        std::ranges::copy_if(m_known, std::back_inserter(fitting),
                             [&](const Known &known) { return known.shape == shape; });
        return fitting[below(fitting.size())];
    }
    /// A node whose result nobody need read.
    std::string add(const std::string &call)
    {
        const std::string name = formatted("%n{}", m_nodes++);
        m_text += formatted("  {} = {}\n", name, call);
        return name;
    }
    void addTensor(const std::string &call, Shape shape) { m_known.push_back({add(call), std::move(shape)}); }
    std::string weight(const Shape &shape)
    {
        const std::size_t number = m_weightCount++;
        m_header += formatted("tensor @w{}: float32{}\n", number, listOf(shape));
        m_weights += formatted("  weight %w{0}: float32{1} = @w{0}\n", number, listOf(shape));
        return formatted("%w{}", number);
    }

    std::string header() const { return m_header; }
    std::string graph()
    {
        const std::string first = m_known.back().name, second = any().name;
        const std::string results = first == second ? first : first + ", " + second;
        return formatted("(%x0: float32[2, 3, 4], %x1: float32[2, 3, 4]) {{\n{}{}  return {} }}", m_weights, m_text,
                         results);
    }

private:
    std::mt19937 &m_random;
    std::vector<Known> m_known;
    std::string m_header, m_weights, m_text;
    std::size_t m_nodes = 0, m_weightCount = 0;
};

using Step = void (*)(Writer &);

Shape exchanged(Shape shape, std::size_t a, std::size_t b)
{
    std::swap(shape[a], shape[b]);
    return shape;
}

// ---- aten

void atenUnary(Writer &w)
{
    static constexpr std::array calls{"aten::relu(self={})",
                                      "aten::absolute(self={})",
                                      "aten::negative(self={})",
                                      "aten::tanh(self={})",
                                      "aten::mul.Scalar(self={}, other=1)",
                                      "aten::div.Scalar(self={}, other=1)",
                                      "aten::mul.Scalar(self={}, other=3)",
                                      "aten::add.Scalar(self={}, other=0)",
                                      "aten::dropout(input={}, p=0.5, train=false)",
                                      "aten::alias(self={})",
                                      "aten::clone(self={})",
                                      "aten::to.dtype(self={}, dtype=float32)",
                                      "aten::contiguous(self={})",
                                      "aten::softmax.int(self={}, dim=-1)",
                                      "aten::clamp(self={}, min=-1, max=1)",
                                      "aten::silu(self={})"};
    const Known x = w.any();
    w.addTensor(formattedFrom(calls[w.below(calls.size())], std::make_format_args(x.name)), x.shape);
}

void atenBinary(Writer &w)
{
    static constexpr std::array calls{"aten::add.Tensor(self={}, other={})",
                                      "aten::sub.Tensor(self={}, other={}, alpha=2)",
                                      "aten::rsub.Tensor(self={}, other={})",
                                      "aten::multiply.Tensor(self={}, other={})", "aten::maximum(self={}, other={})"};
    const Known x = w.any();
    const Known y = w.like(x.shape);
    w.addTensor(formattedFrom(calls[w.below(calls.size())], std::make_format_args(x.name, y.name)), x.shape);
}

void atenTwice(Writer &w)
{
    const Known x = w.any();
    for (int i = 0; i < 2; ++i)
        w.addTensor(formatted("aten::sigmoid(self={})", x.name), x.shape);
}

void atenTransposition(Writer &w)
{
    const Known x = w.any(3);
    const std::size_t a = w.below(3), b = w.below(3);
    w.addTensor(formatted("aten::transpose.int(self={}, dim0={}, dim1={})", x.name, a, static_cast<int>(b) - 3),
                exchanged(x.shape, a, b));
}

void atenPermutation(Writer &w)
{
    const Known x = w.any(3);
    w.addTensor(formatted("aten::permute(self={}, dims=[1, 2, 0])", x.name), {x.shape[1], x.shape[2], x.shape[0]});
}

void atenSizes(Writer &w)
{
    const Known x = w.any(3);
    const std::string size = w.add(formatted("aten::size.int(self={}, dim=1)", x.name));
    const std::string doubled = w.add(formatted("aten::mul.int(a={}, b=2)", size));
    const std::string half = w.add(formatted("aten::floordiv.int(a={}, b=2)", doubled));
    w.addTensor(formatted("aten::reshape(self={}, shape=[{}, {}, -1])", x.name, x.shape[0], half), x.shape);
}

void atenConstants(Writer &w)
{
    const Known x = w.any();
    const std::string full = w.add("aten::full(size=[1], fill_value=0.3, dtype=float32)");
    const std::string wide = w.add(formatted("aten::add.Tensor(self={}, other={})", full, w.weight({1})));
    w.addTensor(formatted("aten::mul.Tensor(self={}, other={})", x.name, wide), x.shape);
}

void atenConcatenation(Writer &w)
{
    const Known x = w.any(3);
    const bool isOne = w.coin();
    w.addTensor(formatted("aten::cat(tensors=[{}{}], dim=0)", x.name, isOne ? "" : ", " + x.name),
                {x.shape[0] * (isOne ? 1 : 2), x.shape[1], x.shape[2]});
}

void atenNormalized(Writer &w)
{
    const Known x = w.any(3);
    const std::int64_t in = x.shape[1];
    const std::string layer = w.add(formatted("aten::conv1d(input={}, weight={}, bias={})", x.name,
                                              w.weight({3, in, 1}), w.coin() ? w.weight({3}) : "none"));
    const std::string read = w.coin() ? layer : w.add(formatted("aten::relu(self={})", layer));
    w.addTensor(formatted("aten::batch_norm(input={}, weight={}, bias={}, running_mean={}, running_var={}, "
                          "training=false, momentum=0.1, eps=0.01, cudnn_enabled=true)",
                          read, w.weight({3}), w.weight({3}), w.weight({3}), w.weight({3})),
                {x.shape[0], 3, x.shape[2]});
}

void atenLinear(Writer &w)
{
    const Known x = w.any(3);
    w.addTensor(
        formatted("aten::linear(input={}, weight={}, bias={})", x.name, w.weight({4, x.shape[2]}), w.weight({4})),
        {x.shape[0], x.shape[1], 4});
}

void atenAttention(Writer &w)
{
    const Known x = w.any(3);
    const std::string turned = w.add(formatted("aten::transpose.int(self={}, dim0=1, dim1=2)", x.name));
    std::string scores = w.add(formatted("aten::bmm(self={}, mat2={})", x.name, turned));
    if (w.coin())
        scores = w.add(formatted("aten::div.Scalar(self={}, other=2)", scores));
    if (w.coin())
        scores = w.add(formatted("aten::add.Tensor(self={}, other={})", scores, w.weight({x.shape[1], x.shape[1]})));
    const std::string shares = w.add(formatted("aten::softmax.int(self={}, dim={})", scores, w.coin() ? -1 : 1));
    w.addTensor(formatted("aten::bmm(self={}, mat2={})", shares, x.name), x.shape);
}

void atenBranch(Writer &w)
{
    const Known x = w.any(3);
    const std::string size = w.add(formatted("aten::size.int(self={}, dim=0)", x.name));
    const std::string condition = w.add(formatted("aten::gt.int(a={}, b=2)", size));
    w.addTensor(formatted("prim::If({0})\n  region {{ %t{1} = aten::neg(self={2}) return %t{1} }}\n  region {{ "
                          "%e{1} = aten::relu(self={2}) return %e{1} }}",
                          condition, condition.substr(2), x.name),
                x.shape);
}

// ---- onnx

void onnxUnary(Writer &w)
{
    static constexpr std::array calls{"onnx::Relu({})",    "onnx::Neg({})",        "onnx::Identity({})",
                                      "onnx::Dropout({})", "onnx::Cast({}, to=1)", "onnx::Sum({})",
                                      "onnx::Softmax({})", "onnx::Sigmoid({})",    "onnx::Concat({}, axis=0)"};
    const Known x = w.any();
    w.addTensor(formattedFrom(calls[w.below(calls.size())], std::make_format_args(x.name)), x.shape);
}

void onnxBinary(Writer &w)
{
    static constexpr std::array calls{"onnx::Add({}, {})", "onnx::Sum({}, {})", "onnx::Mul({}, {})",
                                      "onnx::Sub({}, {})", "onnx::Max({}, {})"};
    const Known x = w.any();
    const Known y = w.like(x.shape);
    w.addTensor(formattedFrom(calls[w.below(calls.size())], std::make_format_args(x.name, y.name)), x.shape);
}

void onnxTwice(Writer &w)
{
    const Known x = w.any();
    for (int i = 0; i < 2; ++i)
        w.addTensor(formatted("onnx::Tanh({})", x.name), x.shape);
}

void onnxTransposition(Writer &w)
{
    const Known x = w.any(3);
    const bool isAround = w.coin();
    w.addTensor(formatted("onnx::Transpose({}{})", x.name, isAround ? "" : ", perm=[1, 2, 0]"),
                isAround ? exchanged(x.shape, 0, 2) : Shape{x.shape[1], x.shape[2], x.shape[0]});
}

/// In another order of dimensions and back.
void onnxReordered(Writer &w)
{
    static constexpr std::array calls{"onnx::Relu({})", "onnx::Add({}, {})", "onnx::Mul({1}, {0})",
                                      "onnx::Concat({}, axis=-1)"};
    const Known x = w.any(3);
    std::string turned = w.add(formatted("onnx::Transpose({}, perm=[1, 2, 0])", x.name));
    for (std::size_t left = w.below(3) + 1; left > 0; --left) {
        const std::string weight = w.weight({x.shape[0]});
        turned = w.add(formattedFrom(calls[w.below(calls.size())], std::make_format_args(turned, weight)));
    }
    w.addTensor(formatted("onnx::Transpose({}, perm=[2, 0, 1])", turned), x.shape);
}

void onnxSizes(Writer &w)
{
    const Known x = w.any(3);
    const std::string shape = w.add(formatted("onnx::Shape({})", x.name));
    const std::string two = w.add("onnx::Constant(value_ints=[2])");
    const std::string scaled = w.add(formatted("onnx::Mul({}, {})", shape, two));
    const std::string size = w.add(formatted("onnx::Div({}, {})", scaled, two));
    w.addTensor(formatted("onnx::Reshape({}, {})", x.name, size), x.shape);
}

void onnxConstants(Writer &w)
{
    const Known x = w.any();
    const std::string sum = w.add(formatted("onnx::Add({}, {})", w.weight({1}), w.weight({1})));
    w.addTensor(formatted("onnx::Mul({}, {})", x.name, w.add(formatted("onnx::Sqrt({})", sum))), x.shape);
}

void onnxNormalized(Writer &w)
{
    const Known x = w.any(3);
    const std::string layer = w.add(formatted("onnx::Conv({}, {}, pads=[1, 0])", x.name, w.weight({3, x.shape[1], 2})));
    w.addTensor(formatted("onnx::BatchNormalization({}, {}, {}, {}, {})", layer, w.weight({3}), w.weight({3}),
                          w.weight({3}), w.weight({3})),
                {x.shape[0], 3, x.shape[2]});
}

void onnxAttention(Writer &w)
{
    const Known x = w.any(3);
    const Shape wide{1, x.shape[0], x.shape[1], x.shape[2]};
    const std::string axes = w.add("onnx::Constant(value_ints=[0])");
    const std::string q = w.add(formatted("onnx::Unsqueeze({}, {})", x.name, axes));
    const std::string turned = w.add(formatted("onnx::Transpose({}, perm=[0, 1, 3, 2])", q));
    const std::string scores = w.add(formatted("onnx::MatMul({}, {})", q, turned));
    const std::string scaled = w.add(formatted("onnx::Mul({}, {})", scores, w.weight({})));
    const std::string shares = w.add(formatted("onnx::Softmax({})", scaled));
    const std::string result = w.add(formatted("onnx::MatMul({}, {})", shares, q));
    w.addTensor(formatted("onnx::Squeeze({}, {})", result, axes), x.shape);
}

void onnxChains(Writer &w)
{
    static constexpr std::array calls{"onnx::Relu({})", "onnx::Neg({})", "onnx::Abs({})", "onnx::Floor({})"};
    const Known x = w.any();
    const char *call = calls[w.below(calls.size())];
    const std::string inner = w.add(formattedFrom(call, std::make_format_args(x.name)));
    w.addTensor(formattedFrom(call, std::make_format_args(inner)), x.shape);
}

void onnxShapes(Writer &w)
{
    const Known x = w.any(3);
    const std::string axes = w.add("onnx::Constant(value_ints=[1])");
    const std::string wide = w.add(formatted("onnx::Unsqueeze({}, {})", x.name, axes));
    if (w.coin())
        w.addTensor(formatted("onnx::Squeeze({}, {})", wide, axes), x.shape);
    else
        w.addTensor(formatted("onnx::Flatten({}, axis=2)", wide), {x.shape[0], x.shape[1] * x.shape[2]});
}

void onnxSlices(Writer &w)
{
    const Known x = w.any(3);
    const std::string axis = w.add("onnx::Constant(value_ints=[2])");
    const std::string start = w.add("onnx::Constant(value_ints=[0])"), end = w.add("onnx::Constant(value_ints=[100])");
    const std::string middle = w.add("onnx::Constant(value_ints=[1])");
    w.addTensor(formatted("onnx::Slice({}, {}, {}, {})", x.name, start, middle, axis), {x.shape[0], x.shape[1], 1});
    if (x.shape[2] > 1)
        w.addTensor(formatted("onnx::Slice({}, {}, {}, {})", x.name, middle, end, axis),
                    {x.shape[0], x.shape[1], x.shape[2] - 1});
}

void onnxProduct(Writer &w)
{
    const Known x = w.any(3);
    const std::string flat = w.add(formatted("onnx::Flatten({}, axis=1)", x.name));
    const std::string product = w.add(formatted("onnx::MatMul({}, {})", flat, w.weight({x.shape[1] * x.shape[2], 3})));
    w.addTensor(formatted("onnx::Add({}, {})", product, w.weight({3})), {x.shape[0], 3});
}

void onnxLayerNormalized(Writer &w)
{
    const Known x = w.any(3);
    const std::string axes = w.add("onnx::Constant(value_ints=[-1])");
    const std::string mean = w.add(formatted("onnx::ReduceMean({}, {})", x.name, axes));
    const std::string centred = w.add(formatted("onnx::Sub({}, {})", x.name, mean));
    const std::string squares = w.add(formatted("onnx::Mul({0}, {0})", centred));
    const std::string variance = w.add(formatted("onnx::ReduceMean({}, {})", squares, axes));
    const std::string root =
        w.add(formatted("onnx::Sqrt({})", w.add(formatted("onnx::Add({}, {})", variance, w.weight({})))));
    const std::string normal = w.add(formatted("onnx::Div({}, {})", centred, root));
    w.addTensor(formatted("onnx::Mul({}, {})", normal, w.weight({x.shape[2]})), x.shape);
}

constexpr std::array<Step, 12> atenSteps{atenUnary,       atenBinary, atenTwice,     atenTransposition,
                                         atenPermutation, atenSizes,  atenConstants, atenConcatenation,
                                         atenNormalized,  atenLinear, atenAttention, atenBranch};
constexpr std::array<Step, 14> onnxSteps{onnxUnary,  onnxBinary,    onnxTwice,      onnxTransposition,  onnxReordered,
                                         onnxSizes,  onnxConstants, onnxNormalized, onnxAttention,      onnxChains,
                                         onnxShapes, onnxSlices,    onnxProduct,    onnxLayerNormalized};

std::shared_ptr<const ir::Model> randomModel(std::mt19937 &random, std::span<const Step> steps)
{
    Writer writer(random);
    for (int i = 0; i < 12; ++i)
        steps[writer.below(steps.size())](writer);
    auto model = std::make_shared<ir::Model>(*parsedModel(writer.graph(), "opset \"ai.onnx\" 23\n" + writer.header()));
    fillTensors(*model, random);
    return model;
}

struct Dialect {
    std::string name;
    std::span<const Step> steps;
    std::string before, after; ///< patterns that compute the same
};

constexpr std::string_view atenBefore = R"(
    graph @before(%x) { %r = aten::relu(self=%x) return %r }
    graph @before#1(%x) { %r = aten::silu(%x) return %r }
    graph @before#2(%x, %y) { %r = aten::sub.Tensor(self=%x, other=%y, alpha=$a) return %r }
    graph @before#3(%x: float32[*]) { %r = aten::mul.Scalar(self=%x, other=$a) %s = aten::mul.Scalar(self=%x, other=$a) return %r, %s })";
constexpr std::string_view atenAfter = R"(
    graph @after(%x) { %r = aten::clamp(self=%x, min=0) return %r }
    graph @after#1(%x) { %s = aten::sigmoid(self=%x) %r = aten::mul.Tensor(self=%s, other=%x) return %r }
    graph @after#2(%x, %y) { %n = aten::neg(self=%y) %r = aten::add.Tensor(self=%x, other=%n, alpha=$a) return %r }
    graph @after#3(%x) { %r = aten::mul.Scalar(self=%x, other=$a) return %r, %r })";
constexpr std::string_view onnxBefore = R"(
    graph @before(%x, %y) { %r = onnx::Sub(%x, %y) return %r }
    graph @before#1(%x) { %r = onnx::Neg(%x) return %r }
    graph @before#2(%x) { %r = onnx::Transpose(%x, perm=[$a, $b, $c]) return %r })";
constexpr std::string_view onnxAfter = R"(
    graph @after(%x, %y) { %n = onnx::Neg(%y) %r = onnx::Add(%n, %x) return %r }
    graph @after#1(%x) { %a = onnx::Abs(%x) %b = onnx::Sub(%x, %x) %m = onnx::Min(%x, %b) %d = onnx::Add(%m, %m) %r = onnx::Sub(%a, %x)
                         %s = onnx::Add(%r, %d) %t = onnx::Sub(%s, %x) return %t }
    graph @after#2(%x) { %i = onnx::Identity(%x) %r = onnx::Transpose(%i, perm=[$a, $b, $(3 - a - b)]) return %r })";

/// By more than rounding, as it says.
bool changesNumbers(const passes::Pass &pass) { return pass.description.contains("what the model computes changes"); }

class Numbers : public ::testing::TestWithParam<Dialect> { };

TEST_P(Numbers, areTheSameAfterEveryPass)
{
    std::set<std::string_view> changing;
    for (unsigned seed = 1; seed <= 40 && !HasFailure(); ++seed) {
        std::mt19937 random(seed);
        const auto model = randomModel(random, GetParam().steps);
        for (const passes::Pass *pass : passes::passes()) {
            if (changesNumbers(*pass))
                continue;
            SCOPED_TRACE(formatted("pass {}, seed {}\n{}", pass->name, seed, printed(*model)));
            expectSameNumbers(std::string(pass->name), model, random, pass->isDefault ? 0 : 1e-5);
            if (const auto after = modelAfter(std::string(pass->name), model); after && after != model)
                changing.insert(pass->name);
        }
    }
    EXPECT_GE(changing.size(), 7U) << "the graphs give passes nothing to do";
}

TEST_P(Numbers, areTheSameAfterPatternsThatAreRight)
{
    const std::string pipeline =
        "replace-pattern{before=" + quote(GetParam().before) + " after=" + quote(GetParam().after) + "}";
    std::size_t replaced = 0;
    for (unsigned seed = 1; seed <= 40 && !HasFailure(); ++seed) {
        std::mt19937 random(seed);
        const auto model = randomModel(random, GetParam().steps);
        SCOPED_TRACE(formatted("seed {}\n{}", seed, printed(*model)));
        expectSameNumbers(pipeline, model, random, 1e-5);
        const auto after = modelAfter(pipeline, model);
        replaced += after && after != model ? 1 : 0;
    }
    EXPECT_GE(replaced, 20U) << "the graphs have nothing that the patterns match";
}

/// A test of the test: that it sees another operator.
TEST_P(Numbers, areNotTheSameAfterAnotherOperator)
{
    int different = 0;
    for (unsigned seed = 1; seed <= 40; ++seed) {
        std::mt19937 random(seed);
        const auto model = randomModel(random, GetParam().steps);
        const auto after = modelAfter("replace-operator", model);
        const Values inputs = randomInputs(*model, random);
        const auto a = evaluate::evaluate(*model, ir::FunctionId{0}, inputs);
        const auto b = evaluate::evaluate(*after, ir::FunctionId{0}, inputs);
        ASSERT_TRUE(a && b) << (a ? b : a).error().text() << "\n" << printed(*model);
        different += difference(a->front(), b->front()) > 1e-5 ? 1 : 0;
    }
    EXPECT_GT(different, 1);
}

INSTANTIATE_TEST_SUITE_P(Random, Numbers,
                         ::testing::Values(Dialect{"aten", atenSteps, std::string(atenBefore), std::string(atenAfter)},
                                           Dialect{"onnx", onnxSteps, std::string(onnxBefore), std::string(onnxAfter)}),
                         [](const ::testing::TestParamInfo<Dialect> &row) { return row.param.name; });

} // namespace
} // namespace cutaway::test
