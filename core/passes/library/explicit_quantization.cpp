// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/ir/context.h"
#include "core/ir/tensors/tensor_numbers.h"
#include "core/ops/operator.h"
#include "core/ops/row_names.h"
#include "core/passes/library/packed_weights.h"
#include "core/passes/matching.h"
#include "core/passes/pass.h"
#include "core/rewrite/rewriter.h"
#include "core/rules/rule_table.h"

#include <algorithm>
#include <map>

// A quantized tensor of PyTorch has the scale and zero point of its integers, and its operators compute with these. The
// equivalent with plain tensors is an operator on floats between dequantize and quantize, as exported programs and ONNX
// files have it; runtimes make integer kernels from that again. Operators that only move elements need no rounding. A
// bias is rounded to multiples of the input's scale times the weight's, as PyTorch's kernels do it.

namespace cutaway::passes {

namespace {

using ir::DType;
using ir::NodeRef;
using ir::Operand;
using ir::ValueId;

/// The quantization parameters of a tensor: an integer q stands for (q - zero)·scale.
struct QuantizedSteps {
    double scale = 1;
    std::int64_t zero = 0;
    DType dtype = DType::UInt8;
};

bool isQuantized(const ops::Fact &fact)
{
    bool found = false;
    ops::forEachTensor(fact, [&](const ops::TensorFact &tensor) {
        found = found || tensor.dtype == DType::QInt8 || tensor.dtype == DType::QUInt8 || tensor.dtype == DType::QInt32;
    });
    return found;
}

std::pair<std::int64_t, std::int64_t> rangeOf(DType dtype)
{
    return dtype == DType::UInt8 ? std::pair<std::int64_t, std::int64_t>(0, 255)
                                 : std::pair<std::int64_t, std::int64_t>(-128, 127);
}

class ExplicitQuantization {
public:
    explicit ExplicitQuantization(rewrite::Rewriter &rewriter) : m_rewriter(rewriter), m_matching(rewriter) { }

    Result<void> run()
    {
        for (const NodeRef node : m_rewriter.nodes()) {
            if (m_rewriter.isRemoved(node) || !concerns(node))
                continue;
            m_rewriter.from({node});
            if (!rewritten(node))
                return usageError(formatted("there is no rule for {} of what it is given here", node.fullName()));
        }
        return {};
    }

private:
    struct QuantizedRule {
        ops::RowNames names;
        bool (ExplicitQuantization::*rewrite)(const NodeRef &node, const QuantizedRule &rule);
        bool isActivated = false;                      ///< whether a ReLU follows
        std::string_view plain = {};                   ///< the operator of aten that computes the same with floats
        std::vector<std::string_view> parameters = {}; ///< the names that `plain` has for the first arguments, in order
        /// The scale and zero point of the result, if the operator fixes them; its integers are then unsigned.
        std::optional<QuantizedSteps> own = {};
    };

    bool concerns(const NodeRef &node)
    {
        const bool reads = std::ranges::any_of(
            node->arguments, [&](const ir::Argument &argument) { return stepsIn(argument.value) != nullptr; });
        return reads || node.dialect() == "quantized"
            || std::ranges::any_of(node->outputs, [&](ValueId id) { return isQuantized(m_rewriter.fact(id)); });
    }

    bool rewritten(const NodeRef &node)
    {
        const QuantizedRule *rule = node->regions.empty() ? ruleOf(node) : nullptr;
        if (!rule)
            return false;
        m_isActivated = rule->isActivated;
        return (this->*rule->rewrite)(node, *rule);
    }

    // ---- what is known

    /// Returns the quantization parameters of a value, or of the first value of a list that has some; nullptr if there
    /// are none.
    const QuantizedSteps *stepsIn(const Operand &operand) const
    {
        const QuantizedSteps *found = nullptr;
        ir::forEachValue(operand, [&](ValueId id) {
            const auto known = m_steps.find(id);
            found = found || known == m_steps.end() ? found : &known->second;
        });
        return found;
    }

    const QuantizedSteps *stepsRead(const NodeRef &node) const
    {
        for (const ir::Argument &argument : node->arguments)
            if (const QuantizedSteps *found = stepsIn(argument.value))
                return found;
        return nullptr;
    }

    const Operand *argument(const NodeRef &node, std::size_t position)
    {
        return m_rewriter.argument(node, ops::Position(position));
    }

    std::optional<double> number(const Operand *operand)
    {
        if (const auto known = m_matching.number(operand))
            return known;
        return operand ? ops::asFloat(m_rewriter.fact(*operand)) : std::nullopt;
    }

    /// Reads the scale and the zero point, which are two consecutive arguments.
    std::optional<QuantizedSteps> stepsAt(const NodeRef &node, std::size_t position, DType dtype)
    {
        const auto scale = number(argument(node, position)), zero = number(argument(node, position + 1));
        const auto [least, most] = rangeOf(dtype);
        if (!scale || !zero || !(*scale > 0) || !(*zero >= double(least) && *zero <= double(most)))
            return std::nullopt;
        return QuantizedSteps{*scale, static_cast<std::int64_t>(*zero), dtype};
    }

    /// Returns the quantization parameters of a result: the last two arguments of the schema, or those of the input if
    /// the node leaves both out.
    std::optional<QuantizedSteps> stepsOfResult(const NodeRef &node)
    {
        const ops::Signature *schema = m_rewriter.signature(node->op);
        const QuantizedSteps *read = stepsRead(node);
        if (!schema || schema->schema.arguments.size() < 2 || !read)
            return std::nullopt;
        const std::size_t position = schema->schema.arguments.size() - 2;
        if (!argument(node, position) && !argument(node, position + 1))
            return *read;
        return stepsAt(node, position, read->dtype);
    }

    // ---- what is made

    std::optional<ir::Shape> shapeOf(ValueId value)
    {
        const ops::Fact fact = m_rewriter.fact(value);
        const ops::TensorFact *known = ops::asTensor(fact);
        return known ? known->shape : std::nullopt;
    }

    ir::TypeId typeOf(DType dtype, std::optional<ir::Shape> shape)
    {
        ir::TensorType type;
        type.dtype = dtype;
        type.shape = std::move(shape);
        return m_rewriter.context().type(type);
    }

    ir::TypeId typeOf(const NodeRef &node, DType dtype, std::size_t output = 0)
    {
        return typeOf(dtype, shapeOf(node.output(output).id()));
    }

    struct Named {
        std::string_view name;
        Operand value;
    };

    std::vector<ir::Argument> named(std::initializer_list<Named> given)
    {
        std::vector<ir::Argument> arguments;
        for (const Named &each : given)
            arguments.push_back({m_rewriter.text(each.name), each.value});
        return arguments;
    }

    /// `target` is the operator's name with its overload, "add.Tensor".
    ValueId make(const NodeRef &node, std::string_view dialect, std::string_view target,
                 std::vector<ir::Argument> arguments, ir::TypeId type)
    {
        const std::size_t dot = std::min(target.find('.'), target.size());
        return m_rewriter.makeBefore(node,
                                     {.dialect = dialect,
                                      .name = target.substr(0, dot),
                                      .overload = target.substr(std::min(dot + 1, target.size())),
                                      .arguments = std::move(arguments)},
                                     type);
    }

    /// The quantization parameters as arguments: numbers, or tensors for the overload ".tensor".
    struct Parameters {
        Operand scale, zero;
        std::int64_t least, most;
        DType dtype;
        std::string_view overload = {};
    };

    /// Returns x, quantized and dequantized again.
    ValueId thereAndBack(const NodeRef &node, const Operand &x, const std::optional<ir::Shape> &shape,
                         const Parameters &by)
    {
        const auto step = [&](std::string_view op, const Operand &given, DType dtype) {
            return make(node, "quantized_decomposed", std::string(op).append(by.overload),
                        named({{"input", given},
                               {"scale", by.scale},
                               {"zero_point", by.zero},
                               {"quant_min", by.least},
                               {"quant_max", by.most},
                               {"dtype", by.dtype}}),
                        typeOf(dtype, shape));
        };
        return step("dequantize_per_tensor", step("quantize_per_tensor", x, by.dtype), DType::Float32);
    }

    /// Returns x, rounded to multiples of the scale.
    ValueId rounded(const NodeRef &node, const Operand &x, const QuantizedSteps &steps)
    {
        const auto [least, most] = rangeOf(steps.dtype);
        const ValueId made =
            thereAndBack(node, x, shapeOf(node.output(0).id()), {steps.scale, steps.zero, least, most, steps.dtype});
        m_steps[made] = steps;
        return made;
    }

    bool replace(const NodeRef &node, const Operand &made)
    {
        m_rewriter.replaceUses(node.output(0).id(), made);
        m_rewriter.remove(node);
        return true;
    }

    // ---- rules

    bool quantize(const NodeRef &node, const QuantizedRule &)
    {
        const auto dtype = m_rewriter.call(node).dtype("dtype");
        if (dtype != DType::QUInt8 && dtype != DType::QInt8)
            return false;
        const auto steps = stepsAt(node, 1, dtype == DType::QUInt8 ? DType::UInt8 : DType::Int8);
        const Operand *x = argument(node, 0);
        return steps && x && x->as<ValueId>() && replace(node, rounded(node, Operand(*x), *steps));
    }

    bool dequantize(const NodeRef &node, const QuantizedRule &)
    {
        const Operand *x = argument(node, 0);
        return x && x->as<ValueId>() && node.outputCount() == 1 && stepsIn(*x) && replace(node, Operand(*x));
    }

    /// Keeps a node that moves or picks elements. Its result gets the quantization parameters of the input.
    bool kept(const NodeRef &node, const QuantizedRule &)
    {
        const QuantizedSteps steps = *stepsRead(node);
        for (std::size_t i = 0; i < node.outputCount(); ++i) {
            m_steps[node.output(i).id()] = steps;
            if (node.output(i).tensorType())
                m_rewriter.setType(node.output(i).id(), typeOf(node, DType::Float32, i));
        }
        return true;
    }

    /// Keeps a node that only reads sizes.
    bool sized(const NodeRef &, const QuantizedRule &) { return true; }

    /// Replaces the node by aten's operator, and rounds the result with the quantization parameters of the input, or
    /// those that the operator fixes.
    bool roundedAsInput(const NodeRef &node, const QuantizedRule &rule)
    {
        const QuantizedSteps *read = stepsRead(node);
        if (!read || node.outputCount() != 1 || (rule.own && read->dtype != rule.own->dtype))
            return false;
        const QuantizedSteps steps = rule.own.value_or(*read);
        std::string target(rule.plain);
        std::vector<ir::Argument> arguments = node->arguments;
        if (target.empty())
            target = formatted("{}{}{}", node.opName(), node.overload().empty() ? "" : ".", node.overload());
        else
            arguments = named({{rule.parameters.front(), *argument(node, 0)}});
        const ValueId made = make(node, "aten", target, std::move(arguments), typeOf(node, DType::Float32));
        return replace(node, rounded(node, made, steps));
    }

    /// Replaces the node by an operator of aten whose result is quantized by the last two arguments.
    bool requantized(const NodeRef &node, const QuantizedRule &rule)
    {
        const auto steps = stepsOfResult(node);
        if (!steps)
            return false;
        std::vector<ir::Argument> arguments;
        for (std::size_t i = 0; i < rule.parameters.size(); ++i)
            if (const Operand *given = argument(node, i))
                arguments.push_back({m_rewriter.text(rule.parameters[i]), *given});
        const ValueId made = make(node, "aten", rule.plain, std::move(arguments), typeOf(node, DType::Float32));
        return replace(node, rounded(node, activated(node, made), *steps));
    }

    ValueId activated(const NodeRef &node, ValueId made)
    {
        return m_isActivated ? make(node, "aten", "relu", named({{"self", made}}), typeOf(node, DType::Float32)) : made;
    }

    /// Rewrites a layer with a packed weight.
    bool layer(const NodeRef &node, const QuantizedRule &)
    {
        const Operand *x = argument(node, 0), *packed = argument(node, 1);
        const QuantizedSteps *read = x ? stepsIn(*x) : nullptr;
        const auto steps = stepsOfResult(node);
        const auto weight = packed ? PackedWeight::of(m_rewriter, *packed) : std::nullopt;
        if (!read || !steps || !weight)
            return false;
        const auto made = weight->applied(m_rewriter, node, Operand(*x), read->scale, typeOf(node, DType::Float32));
        return made && replace(node, rounded(node, activated(node, *made), *steps));
    }

    /// Replaces a layer that takes floats and has a packed weight. The input is quantized by its own range to 8 bits,
    /// or to 7 if the node sets `reduce_range`.
    bool dynamicLayer(const NodeRef &node, const QuantizedRule &)
    {
        const Operand *x = argument(node, 0), *packed = argument(node, 1);
        const auto reduced = m_rewriter.call(node).flag("reduce_range");
        const auto weight = packed ? PackedWeight::of(m_rewriter, *packed) : std::nullopt;
        const ops::Fact fact = x ? m_rewriter.fact(*x) : ops::Fact();
        const ops::TensorFact *tensor = ops::asTensor(fact);
        if (!x || !tensor || !weight || !reduced)
            return false;
        const std::int64_t most = *reduced ? 127 : 255;
        const NodeRef chosen = m_rewriter.insertBefore(node,
                                                       {.dialect = "quantized_decomposed",
                                                        .name = "choose_qparams",
                                                        .overload = "tensor",
                                                        .arguments = named({{"input", *x},
                                                                            {"quant_min", std::int64_t{0}},
                                                                            {"quant_max", most},
                                                                            {"eps", 0x1p-23},
                                                                            {"dtype", DType::UInt8}})});
        const ir::Shape one{std::int64_t{1}};
        const ValueId scale = m_rewriter.addOutput(chosen, typeOf(DType::Float64, one)),
                      zero = m_rewriter.addOutput(chosen, typeOf(DType::Int64, one));
        const ValueId input =
            thereAndBack(node, Operand(*x), tensor->shape, {scale, zero, 0, most, DType::UInt8, ".tensor"});
        const auto made = weight->applied(m_rewriter, node, input, std::nullopt, typeOf(node, DType::Float32));
        return made && replace(node, activated(node, *made));
    }

    // ---- which rule

    static const QuantizedRule *ruleOf(const NodeRef &node)
    {
        using Self = ExplicitQuantization;
        static const QuantizedRule rows[] = {
            {"aten::quantize_per_tensor", &Self::quantize},
            {"aten::dequantize", &Self::dequantize},
            {"quantized::conv1d quantized::conv2d quantized::conv3d quantized::conv_transpose1d "
             "quantized::conv_transpose2d "
             "quantized::conv_transpose3d quantized::linear",
             &Self::layer},
            {"quantized::conv1d_relu quantized::conv2d_relu quantized::conv3d_relu quantized::linear_relu",
             &Self::layer, true},
            {"quantized::linear_dynamic", &Self::dynamicLayer},
            {"quantized::linear_relu_dynamic", &Self::dynamicLayer, true},
            {"quantized::add", &Self::requantized, false, "add.Tensor", {"self", "other"}},
            {"quantized::add_relu", &Self::requantized, true, "add.Tensor", {"self", "other"}},
            {"quantized::mul", &Self::requantized, false, "mul.Tensor", {"self", "other"}},
            {"quantized::mul_relu", &Self::requantized, true, "mul.Tensor", {"self", "other"}},
            {"quantized::matmul", &Self::requantized, false, "matmul", {"self", "other"}},
            {"quantized::cat", &Self::requantized, false, "cat", {"tensors", "dim"}},
            {"quantized::cat_relu", &Self::requantized, true, "cat", {"tensors", "dim"}},
            {"quantized::hardswish", &Self::requantized, false, "hardswish", {"self"}},
            {"quantized::sigmoid", &Self::requantized, false, "sigmoid", {"self"}},
            {"quantized::softmax", &Self::requantized, false, "softmax.int", {"self", "dim"}},
            {"quantized::leaky_relu", &Self::requantized, false, "leaky_relu", {"self", "negative_slope"}},
            {"quantized::layer_norm",
             &Self::requantized,
             false,
             "layer_norm",
             {"input", "normalized_shape", "weight", "bias", "eps"}},
            {"quantized::relu6", &Self::roundedAsInput, false, "relu6", {"self"}},
        };
        static const rules::RuleTable<QuantizedRule> table{rows};
        const QuantizedRule *rule = table.first(node.dialect(), node.opName());
        return rule ? rule : ruleOfRow(node);
    }

    /// Returns the rule for an operator of aten or prim, according to its row.
    static const QuantizedRule *ruleOfRow(const NodeRef &node)
    {
        using Self = ExplicitQuantization;
        static const std::map<ops::OnQuantized, QuantizedRule> rules{
            {ops::OnQuantized::KeepsSteps, {"", &Self::kept}},
            {ops::OnQuantized::RoundsAgain, {"", &Self::roundedAsInput}},
            {ops::OnQuantized::TakesUnit,
             {"", &Self::roundedAsInput, false, {}, {}, QuantizedSteps{1.0 / 256, 0, DType::UInt8}}},
            {ops::OnQuantized::TakesSigned,
             {"", &Self::roundedAsInput, false, {}, {}, QuantizedSteps{2.0 / 256, 128, DType::UInt8}}},
            {ops::OnQuantized::AsksSizes, {"", &Self::sized}}};
        const ops::Operator *row = ops::findOperator(node.dialect(), node.opName());
        const auto rule = row ? rules.find(row->traits.onQuantized) : rules.end();
        return rule == rules.end() ? nullptr : &rule->second;
    }

    rewrite::Rewriter &m_rewriter;
    Matching m_matching;
    bool m_isActivated = false; ///< whether a ReLU follows the current node
    /// By value that stands for a quantized tensor: its quantization parameters.
    std::unordered_map<ValueId, QuantizedSteps> m_steps;
};

Result<void> runExplicitQuantization(rewrite::Rewriter &rewriter, const Settings &)
{
    return ExplicitQuantization(rewriter).run();
}

} // namespace

extern const Pass explicitQuantization;
const Pass explicitQuantization{
    "explicit-quantization",
    "Makes operators of quantized tensors ones of floats between quantize and dequantize; results change within "
    "rounding.",
    {},
    runExplicitQuantization,
    false,
    {"functionalize"},
    {"dead-code"}};

} // namespace cutaway::passes
