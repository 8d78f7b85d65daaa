// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/context.h"
#include "core/ir/tensors/tensor_numbers.h"
#include "core/ops/network/activation.h"
#include "core/ops/tensor/arithmetic.h"
#include "core/passes/fusing.h"
#include "core/passes/left_over.h"
#include "core/passes/matching.h"

#include <algorithm>
#include <cmath>
#include <numbers>

// Exporters write activations as formulas, with the factors in any order:
//   Gelu            ½·x·(1 + erf(x/√2))
//   its tanh form   ½·x·(1 + tanh(√(2/π)·(x + 0.044715·x³))), or x·(1 + 0.044715·x²) in place of the sum
//   SiLU            x·sigmoid(a·x)
//
// A match begins at the product and takes it apart into one number and operands that are no numbers. Everything between
// the input and the product must be read by nothing else.

namespace cutaway::passes {

namespace {

using ir::NodeId;
using ir::NodeRef;
using ir::Operand;

struct Gated {
    enum class Form : std::uint8_t { Erf, Tanh, Sigmoid };
    Form form;
    Operand input;
    double alpha = 1; ///< SiLU's factor inside the sigmoid
    std::vector<NodeId> nodes = {};
};

/// A number times operands. A square or a cube is not a factor itself: its base is, two or three times.
struct Product {
    double number = 1;
    std::vector<Operand> factors;
    std::vector<NodeId> nodes;
};

class GeluFusion {
public:
    GeluFusion(rewrite::Rewriter &rewriter, const Settings &settings)
        : m_rewriter(rewriter),
          m_matching(rewriter),
          m_mayUseContrib(settings.flag("contrib"))
    {
    }

    void run()
    {
        LeftOver left;
        for (const NodeRef node : m_rewriter.nodes()) {
            if (!m_matching.is(node, ops::kind::mul) && !m_matching.is(node, ops::kind::div))
                continue;
            auto found = match(node);
            if (!found)
                continue;
            if (auto make = makeOf(node, *found)) {
                replace(node, *found, std::move(*make));
                left.done();
            } else {
                left.leave("the operator set of the model has no operator for them; see the option contrib");
            }
        }
        m_rewriter.remark(left.print("activations are not fused"));
    }

private:
    // ---- matching

    bool isClose(double number, double wanted, const Operand &like)
    {
        const auto type = m_matching.tensor(like);
        const bool isHalf = type && ir::bitWidth(*type->dtype).value_or(64) <= 16;
        return std::abs(number - wanted) <= (isHalf ? 8e-3 : 1e-5) * std::abs(wanted);
    }

    Product productOf(const NodeRef &node)
    {
        Product product;
        product.nodes.push_back(node);
        takeApart(product, node);
        return product;
    }

    void takeApart(Product &product, const NodeRef &node)
    {
        if (const auto scaled = m_matching.scaled(node)) {
            product.number *= scaled->factor;
            return takeFactor(product, *scaled->operand, node);
        }
        const Operand *a = m_matching.operand(node, 0), *b = m_matching.operand(node, 1);
        if (m_rewriter.kind(node) == ops::kind::mul && a && b) {
            takeFactor(product, *a, node);
            takeFactor(product, *b, node);
        } else if (const auto times = m_rewriter.kind(node) == ops::kind::pow ? m_matching.number(b) : std::nullopt;
                   a && times && (*times == 2 || *times == 3)) {
            product.factors.insert(product.factors.end(), static_cast<std::size_t>(*times), *a);
        } else {
            product.nodes.pop_back();
            product.factors.emplace_back(node.output(0).id());
        }
    }

    void takeFactor(Product &product, const Operand &factor, const NodeRef &reader)
    {
        const auto node = m_matching.ownMaker(&factor, reader);
        const ops::OperatorKind kind = node ? m_rewriter.kind(*node) : ops::OperatorKind();
        if (kind == ops::kind::mul || kind == ops::kind::div || kind == ops::kind::pow) {
            product.nodes.push_back(*node);
            takeApart(product, *node);
        } else {
            product.factors.push_back(factor);
        }
    }

    /// Returns the factors of the product that makes an operand, if only `reader` reads it; else the operand alone.
    Product productOf(const Operand &operand, const NodeRef &reader)
    {
        Product product;
        takeFactor(product, operand, reader);
        return product;
    }

    std::optional<Gated> match(const NodeRef &node)
    {
        const Product product = productOf(node);
        if (product.factors.size() != 2)
            return std::nullopt;
        for (const std::size_t side : {0U, 1U}) {
            const Operand &input = product.factors[side];
            const auto gate = m_matching.ownMaker(&product.factors[1 - side], node);
            if (!gate || !input.as<ir::ValueId>() || !m_matching.haveOneType(input, node.output(0)))
                continue;
            auto found = matchSigmoid(product, input, *gate);
            if (!found)
                found = matchOnePlus(product, input, *gate);
            if (!found || !ir::isFloat(*m_matching.tensor(input)->dtype))
                continue;
            found->nodes.insert(found->nodes.end(), product.nodes.rbegin(), product.nodes.rend());
            return found;
        }
        return std::nullopt;
    }

    std::optional<Gated> matchSigmoid(const Product &product, const Operand &input, const NodeRef &gate)
    {
        if (m_rewriter.kind(gate) != ops::kind::sigmoid || product.number != 1)
            return std::nullopt;
        Product argument = productOf(*m_matching.operand(gate, 0), gate);
        if (argument.factors.size() != 1 || argument.factors.front() != input
            || (!gate.isOnnx() && argument.number != 1)) // aten::silu has no alpha
            return std::nullopt;
        argument.nodes.push_back(gate);
        return Gated{Gated::Form::Sigmoid, input, argument.number, std::move(argument.nodes)};
    }

    /// Matches 1 + erf(…) or 1 + tanh(…).
    std::optional<Gated> matchOnePlus(const Product &product, const Operand &input, const NodeRef &sum)
    {
        const Operand *function = plusNumber(sum, 1);
        const auto node = m_matching.ownMaker(function, sum);
        if (!node || std::abs(product.number - 0.5) > 1e-6)
            return std::nullopt;
        const ops::OperatorKind kind = m_rewriter.kind(*node);
        std::optional<Gated> found;
        if (kind == ops::kind::erf)
            found = matchErf(input, *node);
        else if (kind == ops::kind::tanh)
            found = matchTanh(input, *node);
        if (found)
            found->nodes.insert(found->nodes.end(), {node->id(), sum.id()});
        return found;
    }

    bool isSum(const NodeRef &node)
    {
        return m_rewriter.kind(node) == ops::kind::add && m_matching.isPlainArithmetic(node);
    }

    /// Returns the operand of a sum beside `number`; nullptr if the node is no such sum.
    const Operand *plusNumber(const NodeRef &node, double number)
    {
        return isSum(node) ? m_matching.besideNumber(node, number) : nullptr;
    }

    std::optional<Gated> matchErf(const Operand &input, const NodeRef &erf)
    {
        Product argument = productOf(*m_matching.operand(erf, 0), erf);
        if (argument.factors.size() != 1 || argument.factors.front() != input
            || !isClose(argument.number, 1 / std::numbers::sqrt2, input))
            return std::nullopt;
        return Gated{Gated::Form::Erf, input, 1, std::move(argument.nodes)};
    }

    std::optional<Gated> matchTanh(const Operand &input, const NodeRef &tanh)
    {
        Product argument = productOf(*m_matching.operand(tanh, 0), tanh);
        if (!isClose(argument.number, std::sqrt(2 / std::numbers::pi), input))
            return std::nullopt;
        const bool isOneTimes = argument.factors.size() == 2 && std::ranges::contains(argument.factors, input);
        if (argument.factors.size() != 1 && !isOneTimes)
            return std::nullopt;
        const Operand &rest = argument.factors.front() == input ? argument.factors.back() : argument.factors.front();
        const auto sum = m_matching.ownMaker(&rest, tanh);
        if (!sum || !matchCubic(argument, input, *sum, isOneTimes))
            return std::nullopt;
        return Gated{Gated::Form::Tanh, input, 1, std::move(argument.nodes)};
    }

    /// Matches x + 0.044715·x³, or 1 + 0.044715·x² if `isOneTimes`.
    bool matchCubic(Product &argument, const Operand &input, const NodeRef &sum, bool isOneTimes)
    {
        const Operand *term = isOneTimes ? plusNumber(sum, 1) : nullptr;
        if (!isOneTimes && isSum(sum))
            for (const std::size_t side : {0U, 1U})
                if (const Operand *other = m_matching.operand(sum, 1 - side); other && *other == input)
                    term = m_matching.operand(sum, side);
        if (!term)
            return false;
        const Product power = productOf(*term, sum);
        const std::size_t exponent = isOneTimes ? 2 : 3;
        if (!isClose(power.number, 0.044715, input) || power.factors.size() != exponent
            || std::ranges::count(power.factors, input) != std::ssize(power.factors))
            return false;
        argument.nodes.insert(argument.nodes.end(), power.nodes.begin(), power.nodes.end());
        argument.nodes.push_back(sum);
        return true;
    }

    // ---- writing

    /// Returns the operator that computes the match; nothing if there is none that may be used.
    std::optional<rewrite::Rewriter::Make> makeOf(const NodeRef &node, const Gated &found)
    {
        const bool isTanh = found.form == Gated::Form::Tanh;
        if (found.form == Gated::Form::Sigmoid)
            return gateOf(node, found);
        const Operand approximate = ir::String{m_rewriter.text("tanh")};
        if (!node.isOnnx() || m_matching.opset(node) >= 20) {
            const bool isOnnx = node.isOnnx();
            rewrite::Rewriter::Make make{.dialect = isOnnx ? "onnx" : "aten",
                                         .name = isOnnx ? "Gelu" : "gelu",
                                         .arguments = {{isOnnx ? ir::NameId{} : m_rewriter.text("self"), found.input}}};
            if (isTanh)
                make.arguments.push_back({m_rewriter.text("approximate"), approximate});
            return make;
        }
        return contrib(isTanh ? "FastGelu" : "Gelu", found);
    }

    std::optional<rewrite::Rewriter::Make> gateOf(const NodeRef &node, const Gated &found)
    {
        if (!node.isOnnx())
            return rewrite::Rewriter::Make{
                .dialect = "aten", .name = "silu", .arguments = {{m_rewriter.text("self"), found.input}}};
        if (m_matching.opset(node) >= 24)
            return rewrite::Rewriter::Make{.dialect = "onnx",
                                           .name = "Swish",
                                           .arguments = {{{}, found.input}, {m_rewriter.text("alpha"), found.alpha}}};
        auto make = contrib("QuickGelu", found);
        if (make)
            make->arguments.push_back({m_rewriter.text("alpha"), found.alpha});
        return make;
    }

    /// Returns an operator of ONNX Runtime's own. These take float32 on every device.
    std::optional<rewrite::Rewriter::Make> contrib(std::string_view name, const Gated &found)
    {
        if (!m_mayUseContrib || m_matching.tensor(found.input)->dtype != ir::DType::Float32)
            return std::nullopt;
        return rewrite::Rewriter::Make{.dialect = "com.microsoft", .name = name, .arguments = {{{}, found.input}}};
    }

    void replace(const NodeRef &last, const Gated &found, rewrite::Rewriter::Make make)
    {
        std::vector<NodeId> nodes = found.nodes;
        if (const auto sum =
                make.name == "Gelu" && make.dialect == "com.microsoft" ? takeBiasIn(found, make) : std::nullopt)
            nodes.insert(nodes.begin(), *sum);
        fuse(m_rewriter, nodes, last, std::move(make));
        std::ranges::for_each(nodes, [&](NodeId node) { m_rewriter.remove(node); });
    }

    /// Changes `make` to BiasGelu, which adds a bias itself, if the input is the sum of a tensor and a constant vector
    /// and only the fused nodes read this sum. Returns the sum, which is then not needed; nothing if there is none.
    std::optional<NodeId> takeBiasIn(const Gated &found, rewrite::Rewriter::Make &make)
    {
        const auto value = ir::valueOf(m_rewriter.graph(), &found.input);
        const auto sum = m_matching.maker(&found.input, m_rewriter.node(found.nodes.back()));
        const auto isOurs = [&](const ir::Use &use) {
            const auto *reader = std::get_if<NodeId>(&use);
            return reader && std::ranges::contains(found.nodes, *reader);
        };
        if (!sum || m_rewriter.kind(*sum) != ops::kind::add || !std::ranges::all_of((*value)->uses, isOurs))
            return std::nullopt;
        for (const std::size_t side : {0U, 1U}) {
            const Operand *bias = m_matching.operand(*sum, 1 - side), *operand = m_matching.operand(*sum, side);
            const auto type = bias ? m_matching.tensor(*bias) : std::nullopt;
            if (!type || type->shape->size() != 1 || !operand || !m_rewriter.constant(*bias)
                || !m_matching.haveOneType(*operand, found.input)
                || !ops::isSame(type->shape->front(), m_matching.tensor(found.input)->shape->back()))
                continue;
            make.name = "BiasGelu";
            make.arguments = {{{}, *operand}, {{}, *bias}};
            return sum->id();
        }
        return std::nullopt;
    }

    rewrite::Rewriter &m_rewriter;
    Matching m_matching;
    bool m_mayUseContrib;
};

} // namespace

extern const Pass fuseGelu;
const Pass fuseGelu{
    "fuse-gelu",
    "Fuses what Gelu, its tanh form and SiLU compute into one operator; results change within rounding.",
    {{"contrib", "whether ONNX Runtime's own operators are used where the operator set has none", false}},
    runOf<GeluFusion>,
    false};

} // namespace cutaway::passes
