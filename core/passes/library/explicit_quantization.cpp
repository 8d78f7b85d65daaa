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
#include <cmath>

// A quantized tensor of PyTorch knows what its integers stand for, and its operators compute with these. The same is
// said with plain tensors: an operator of floats between dequantize and quantize, as exported programs and ONNX have
// it, from which runtimes make integer kernels again. What only moves elements needs no rounding. A bias is in steps of
// both scales, as PyTorch's kernels have it.

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

enum class How : std::uint8_t {
    Quantize,
    Dequantize,
    Layer,        ///< with a packed weight
    DynamicLayer, ///< of floats, which are quantized by what their range is
    Requantized,  ///< as an operator of aten; the last two arguments quantize its result
    Rounded,      ///< as aten's, its result rounded to the steps of its input
    Kept,         ///< moves or picks elements, which keep their steps
    Sized,        ///< asks only for sizes
};

struct QuantizedRule {
    ops::RowNames names;
    How how;
    bool isActivated = false;                      ///< a ReLU stands after it
    std::string_view plain = {};                   ///< the operator of aten
    std::vector<std::string_view> parameters = {}; ///< of that, in the order of the first arguments
    std::optional<QuantizedSteps> own = {};        ///< of what is rounded to these: of unsigned tensors
};

const QuantizedRule quantizedRules[] = {
    {"aten::quantize_per_tensor", How::Quantize},
    {"aten::dequantize", How::Dequantize},
    {"quantized::conv1d quantized::conv2d quantized::conv3d quantized::conv_transpose1d quantized::conv_transpose2d "
     "quantized::conv_transpose3d quantized::linear",
     How::Layer},
    {"quantized::conv1d_relu quantized::conv2d_relu quantized::conv3d_relu quantized::linear_relu", How::Layer, true},
    {"quantized::linear_dynamic", How::DynamicLayer},
    {"quantized::linear_relu_dynamic", How::DynamicLayer, true},
    {"quantized::add", How::Requantized, false, "add.Tensor", {"self", "other"}},
    {"quantized::add_relu", How::Requantized, true, "add.Tensor", {"self", "other"}},
    {"quantized::mul", How::Requantized, false, "mul.Tensor", {"self", "other"}},
    {"quantized::mul_relu", How::Requantized, true, "mul.Tensor", {"self", "other"}},
    {"quantized::matmul", How::Requantized, false, "matmul", {"self", "other"}},
    {"quantized::cat", How::Requantized, false, "cat", {"tensors", "dim"}},
    {"quantized::cat_relu", How::Requantized, true, "cat", {"tensors", "dim"}},
    {"quantized::hardswish", How::Requantized, false, "hardswish", {"self"}},
    {"quantized::sigmoid", How::Requantized, false, "sigmoid", {"self"}},
    {"quantized::softmax", How::Requantized, false, "softmax.int", {"self", "dim"}},
    {"quantized::leaky_relu", How::Requantized, false, "leaky_relu", {"self", "negative_slope"}},
    {"quantized::layer_norm",
     How::Requantized,
     false,
     "layer_norm",
     {"input", "normalized_shape", "weight", "bias", "eps"}},
    {"quantized::relu6", How::Rounded, false, "relu6", {"self"}},
};

/// The rule for an operator of aten or prim, by what its row says.
const QuantizedRule *ruleOfRow(const NodeRef &node)
{
    static const QuantizedRule kept{"", How::Kept}, rounded{"", How::Rounded}, sized{"", How::Sized},
        unit{"", How::Rounded, false, {}, {}, QuantizedSteps{1.0 / 256, 0, DType::UInt8}},
        sign{"", How::Rounded, false, {}, {}, QuantizedSteps{2.0 / 256, 128, DType::UInt8}};
    const ops::Operator *row = ops::findOperator(node.dialect(), node.opName());
    switch (row ? row->traits.onQuantized : ops::OnQuantized::Unsupported) {
    case ops::OnQuantized::Unsupported:
        return nullptr;
    case ops::OnQuantized::KeepsSteps:
        return &kept;
    case ops::OnQuantized::RoundsAgain:
        return &rounded;
    case ops::OnQuantized::TakesUnit:
        return &unit;
    case ops::OnQuantized::TakesSigned:
        return &sign;
    case ops::OnQuantized::AsksSizes:
        return &sized;
    }
    return nullptr;
}

const QuantizedRule *ruleOf(const NodeRef &node)
{
    static const rules::RuleTable<QuantizedRule> table{quantizedRules};
    const QuantizedRule *rule = table.first(node.dialect(), node.opName());
    return rule ? rule : ruleOfRow(node);
}

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
        switch (rule->how) {
        case How::Quantize:
            return quantize(node);
        case How::Dequantize:
            return dequantize(node);
        case How::Layer:
            return layer(node);
        case How::DynamicLayer:
            return dynamicLayer(node);
        case How::Requantized:
            return requantized(node, *rule);
        case How::Rounded:
            return rounded(node, *rule);
        case How::Kept:
            return kept(node);
        case How::Sized:
            return true;
        }
        return false;
    }

    // ---- what is known

    /// The quantization parameters of a value, or of the first value of a list that has some.
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

    /// By scale and zero point, two arguments that follow each other.
    std::optional<QuantizedSteps> stepsAt(const NodeRef &node, std::size_t position, DType dtype)
    {
        const auto scale = number(argument(node, position)), zero = number(argument(node, position + 1));
        const auto [least, most] = rangeOf(dtype);
        if (!scale || !zero || !(*scale > 0) || !(*zero >= double(least) && *zero <= double(most)))
            return std::nullopt;
        return QuantizedSteps{*scale, static_cast<std::int64_t>(*zero), dtype};
    }

    /// The quantization parameters of a result: the last two arguments of the schema, or the input's if the node leaves
    /// both out.
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

    ir::TypeId typeOf(const NodeRef &node, DType dtype, std::size_t output = 0)
    {
        const ops::Fact fact = m_rewriter.fact(node.output(output).id());
        const ops::TensorFact *known = ops::asTensor(fact);
        ir::TensorType type;
        type.dtype = dtype;
        type.shape = known ? known->shape : std::nullopt;
        return m_rewriter.context().type(type);
    }

    struct Named {
        std::string_view name;
        Operand value;
    };

    ValueId make(const NodeRef &node, std::string_view dialect, std::string_view target,
                 std::initializer_list<Named> given, ir::TypeId type)
    {
        std::vector<ir::Argument> arguments;
        for (const Named &each : given)
            arguments.push_back({m_rewriter.text(each.name), each.value});
        const std::size_t dot = std::min(target.find('.'), target.size());
        return m_rewriter.makeBefore(node,
                                     {.dialect = dialect,
                                      .name = target.substr(0, dot),
                                      .overload = target.substr(std::min(dot + 1, target.size())),
                                      .arguments = std::move(arguments)},
                                     type);
    }

    /// Rounded to the steps.
    ValueId thereAndBack(const NodeRef &node, const Operand &x, const QuantizedSteps &steps)
    {
        const auto [least, most] = rangeOf(steps.dtype);
        const auto step = [&](std::string_view op, const Operand &given, DType dtype) {
            return make(node, "quantized_decomposed", op,
                        {{"input", given},
                         {"scale", steps.scale},
                         {"zero_point", steps.zero},
                         {"quant_min", least},
                         {"quant_max", most},
                         {"dtype", steps.dtype}},
                        typeOf(node, dtype));
        };
        const ValueId made = step("dequantize_per_tensor", step("quantize_per_tensor", x, steps.dtype), DType::Float32);
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

    bool quantize(const NodeRef &node)
    {
        const auto dtype = m_rewriter.call(node).dtype("dtype");
        if (dtype != DType::QUInt8 && dtype != DType::QInt8)
            return false;
        const auto steps = stepsAt(node, 1, dtype == DType::QUInt8 ? DType::UInt8 : DType::Int8);
        const Operand *x = argument(node, 0);
        return steps && x && x->as<ValueId>() && replace(node, thereAndBack(node, Operand(*x), *steps));
    }

    bool dequantize(const NodeRef &node)
    {
        const Operand *x = argument(node, 0);
        return x && x->as<ValueId>() && node.outputCount() == 1 && stepsIn(*x) && replace(node, Operand(*x));
    }

    bool kept(const NodeRef &node)
    {
        const QuantizedSteps steps = *stepsRead(node);
        for (std::size_t i = 0; i < node.outputCount(); ++i) {
            m_steps[node.output(i).id()] = steps;
            if (node.output(i).tensorType())
                m_rewriter.setType(node.output(i).id(), typeOf(node, DType::Float32, i));
        }
        return true;
    }

    /// Everybody else reads what is rounded.
    bool rounded(const NodeRef &node, const QuantizedRule &rule)
    {
        const QuantizedSteps *read = stepsRead(node);
        if (!read || node.outputCount() != 1 || (rule.own && read->dtype != rule.own->dtype))
            return false;
        const QuantizedSteps steps = rule.own.value_or(*read);
        std::vector<ir::Argument> arguments = node->arguments;
        std::string target(rule.plain);
        if (target.empty())
            target = formatted("{}{}{}", node.opName(), node.overload().empty() ? "" : ".", node.overload());
        else
            arguments = {{m_rewriter.text(rule.parameters.front()), Operand(*argument(node, 0))}};
        const std::size_t dot = std::min(target.find('.'), target.size());
        const ValueId made = m_rewriter.makeBefore(node,
                                                   {.dialect = "aten",
                                                    .name = std::string_view(target).substr(0, dot),
                                                    .overload = node.dialect() == "aten" ? node.overload() : "",
                                                    .arguments = std::move(arguments)},
                                                   typeOf(node, DType::Float32));
        return replace(node, thereAndBack(node, made, steps));
    }

    bool requantized(const NodeRef &node, const QuantizedRule &rule)
    {
        const auto steps = stepsOfResult(node);
        if (!steps)
            return false;
        std::vector<ir::Argument> arguments;
        for (std::size_t i = 0; i < rule.parameters.size(); ++i)
            if (const Operand *given = argument(node, i))
                arguments.push_back({m_rewriter.text(rule.parameters[i]), *given});
        const std::size_t dot = std::min(rule.plain.find('.'), rule.plain.size());
        const ValueId made = m_rewriter.makeBefore(node,
                                                   {.dialect = "aten",
                                                    .name = rule.plain.substr(0, dot),
                                                    .overload = rule.plain.substr(std::min(dot + 1, rule.plain.size())),
                                                    .arguments = std::move(arguments)},
                                                   typeOf(node, DType::Float32));
        return replace(node, thereAndBack(node, activated(node, made), *steps));
    }

    ValueId activated(const NodeRef &node, ValueId made)
    {
        return m_isActivated ? make(node, "aten", "relu", {{"self", made}}, typeOf(node, DType::Float32)) : made;
    }

    bool layer(const NodeRef &node)
    {
        const Operand *x = argument(node, 0), *packed = argument(node, 1);
        const QuantizedSteps *read = x ? stepsIn(*x) : nullptr;
        const auto steps = stepsOfResult(node);
        const auto weight = packed ? PackedWeight::of(m_rewriter, *packed) : std::nullopt;
        if (!read || !steps || !weight)
            return false;
        const auto made = weight->applied(m_rewriter, node, Operand(*x), read->scale, typeOf(node, DType::Float32));
        return made && replace(node, thereAndBack(node, activated(node, *made), *steps));
    }

    /// The input is rounded to 8 bits, or 7 where the products would not fit into 16, of what range it has.
    bool dynamicLayer(const NodeRef &node)
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
                                                        .arguments = {{m_rewriter.text("input"), *x},
                                                                      {m_rewriter.text("quant_min"), std::int64_t{0}},
                                                                      {m_rewriter.text("quant_max"), most},
                                                                      {m_rewriter.text("eps"), 0x1p-23},
                                                                      {m_rewriter.text("dtype"), DType::UInt8}}});
        const auto vector = [&](DType dtype) {
            ir::TensorType type;
            type.dtype = dtype;
            type.shape = ir::Shape{std::int64_t{1}};
            return m_rewriter.context().type(type);
        };
        const ValueId scale = m_rewriter.addOutput(chosen, vector(DType::Float64)),
                      zero = m_rewriter.addOutput(chosen, vector(DType::Int64));
        const auto step = [&](std::string_view op, const Operand &given, DType dtype) {
            ir::TensorType type;
            type.dtype = dtype;
            type.shape = tensor->shape;
            return make(node, "quantized_decomposed", op,
                        {{"input", given},
                         {"scale", scale},
                         {"zero_point", zero},
                         {"quant_min", std::int64_t{0}},
                         {"quant_max", most},
                         {"dtype", DType::UInt8}},
                        m_rewriter.context().type(type));
        };
        const ValueId input = step("dequantize_per_tensor.tensor",
                                   step("quantize_per_tensor.tensor", Operand(*x), DType::UInt8), DType::Float32);
        const auto made = weight->applied(m_rewriter, node, input, std::nullopt, typeOf(node, DType::Float32));
        return made && replace(node, activated(node, *made));
    }

    rewrite::Rewriter &m_rewriter;
    Matching m_matching;
    bool m_isActivated = false;                          ///< of the node at hand
    std::unordered_map<ValueId, QuantizedSteps> m_steps; ///< of values that stand for quantized tensors
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
