// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/convert/float16.h"

#include "core/base/formatted.h"
#include "core/base/quantity.h"
#include "core/base/result.h"
#include "core/convert/inlined_functions.h"
#include "core/convert/opset/element_types.h"
#include "core/ir/model_format.h"
#include "core/ir/tensors/tensor_numbers.h"
#include "core/ir/verify.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/ops/network/activation.h"
#include "core/ops/network/attention.h"
#include "core/ops/tensor/arithmetic.h"
#include "core/ops/tensor/cast.h"
#include "core/passes/cutting/cut.h"
#include "core/rewrite/rewriter.h"

#include <algorithm>
#include <cmath>
#include <map>

// First each node of the body is decided on, in execution order, so that the range of its operands is known; then
// arguments are replaced in the same order, so that a cast stands before the first node that reads it.

namespace cutaway::convert {

namespace {

using ir::DType;
using ir::NodeRef;
using ir::Operand;
using ir::ValueId;

constexpr std::string_view tooLarge = "numbers may be too large or too small";

/// The operators whose results are small whatever their operands are.
constexpr ops::OperatorKind boundedKinds[] = {ops::kind::softmax,      ops::kind::sigmoid,     ops::kind::tanh,
                                              ops::kind::erf,          ops::kind::hardSigmoid, ops::OperatorKind{"sin"},
                                              ops::OperatorKind{"cos"}};

class Halving {
public:
    Halving(ir::Model &model, const Float16Options &options, const Task &task)
        : m_before(model),
          m_shapes(analysis::inferShapes(m_before, ir::FunctionId{0},
                                         analysis::whateverOverrides(m_before, ir::FunctionId{0}), task)),
          m_rewriter(
              model, ir::FunctionId{0}, [this]() -> const analysis::Shapes & { return m_shapes; }, task),
          m_options(options),
          m_opset(model.opset("onnx")),
          m_nodes(m_rewriter.graph().at(ir::Graph::body).nodes)
    {
    }

    std::vector<std::string> run()
    {
        for (const ir::NodeId node : m_nodes)
            decide(m_rewriter.node(node));
        const std::vector<ValueId> results = floatResults();
        if (!m_options.keepsInputsAndResults)
            halveInputs();
        halveDefaults();
        for (const ir::NodeId id : m_nodes) {
            const NodeRef node = m_rewriter.node(id);
            if (m_half.contains(node))
                halve(node);
            else
                feed(node);
        }
        for (const ValueId result : results)
            finishResult(result);
        dropIdleCasts();
        dropUnreadWeights();
        m_rewriter.finish();
        return notes();
    }

private:
    const ir::Graph &graph() const { return m_rewriter.graph(); }

    std::optional<DType> dtypeOf(ValueId value) const
    {
        const ops::TensorFact *fact = value.index < m_shapes.facts.size() ? ops::asTensor(m_shapes.of(value)) : nullptr;
        return fact ? fact->dtype : std::nullopt;
    }
    bool isSingle(ValueId value) const { return dtypeOf(value) == DType::Float32; }
    bool wasSingle(ValueId value) const { return isSingle(value) || m_isHalf.contains(value); }

    // ---- which nodes

    void decide(const NodeRef &node)
    {
        const auto reads = passes::valuesReadBy(node);
        const bool isBounded = std::ranges::contains(boundedKinds, m_rewriter.kind(node));
        const bool readsLarge = std::ranges::any_of(reads, [&](ValueId value) { return m_large.contains(value); });
        const bool hasLarge = std::ranges::any_of(reads, [&](ValueId value) { return isTooLarge(value); });
        const bool makesLarge =
            std::ranges::any_of(node->outputs, [&](ValueId value) { return m_options.tooLarge.contains(value); });
        const bool isLarge = readsLarge || hasLarge || makesLarge || mayCountFar(node);
        if (isLarge && (makesLarge || !isBounded))
            m_large.insert(node->outputs.begin(), node->outputs.end());
        const bool isOfFloats = std::ranges::any_of(reads, [&](ValueId value) { return isSingle(value); })
            || std::ranges::any_of(node->outputs, [&](ValueId value) { return isSingle(value); });
        if (!isOfFloats)
            return;
        const std::string reason = isLarge ? std::string(tooLarge) : whyNotHalf(node);
        if (reason.empty())
            m_half.insert(node);
        else
            ++m_reasons[formatted("{}: {}", node.fullName(), reason)];
    }

    std::string whyNotHalf(const NodeRef &node) const
    {
        if (node.dialect() != "onnx")
            return "it is no operator of ONNX";
        if (!node->regions.empty())
            return "it has regions";
        bool readsFloats = false, takesHalf = false;
        for (std::size_t i = 0; i < node.inputCount(); ++i)
            if (const auto *value = node.input(i)->as<ValueId>()) {
                if (!dtypeOf(*value))
                    return "the dtype of an input is not known";
                readsFloats = readsFloats || isSingle(*value);
                takesHalf = takesHalf || (isSingle(*value) && takes(node, i));
            }
        if (readsFloats && !takesHalf)
            return "it does not take float16";
        const auto isUnknown = [&](ValueId value) { return !dtypeOf(value); };
        if (std::ranges::any_of(node->outputs, isUnknown))
            return "the dtype of a result is not known";
        return readsFloats || isCast(node) ? whyItsTypeIsFixed(node) : "its dtype is an attribute, or is made of none";
    }

    /// Whether the operator takes float16 as this input. An input that only takes other types, such as the scales of a
    /// Resize, stays as it is when the node's other inputs become float16.
    bool takes(const NodeRef &node, std::size_t input) const
    {
        return takesInput(node.opName(), m_opset, input, DType::Float16).value_or(false);
    }
    bool makes(const NodeRef &node, std::size_t result) const
    {
        return makesResult(node.opName(), m_opset, result, DType::Float16).value_or(false);
    }

    bool isCast(const NodeRef &node) const { return ops::kindOf(node) == ops::kind::cast; }

    /// Returns why the dtype of a node's result is fixed: an attribute says it. "" for other nodes, and for casts.
    std::string whyItsTypeIsFixed(const NodeRef &node) const
    {
        const bool says = node.argument("dtype") || node.argument("output_dtype") || node.argument("output_datatype");
        return says && !isCast(node) ? "its dtype is an attribute" : std::string();
    }

    /// Whether float16 cannot hold a constant. Elements of a vector that are near to zero may become 0; a single number
    /// may not.
    bool isTooLarge(ValueId value)
    {
        const auto [known, isNew] = m_tooLarge.try_emplace(value, false);
        if (!isNew || !isSingle(value))
            return known->second;
        const auto id = ir::ValueRef(graph(), value).weight();
        const auto numbers = id ? ir::numbersOf(m_before, *id) : Result<ir::Numbers>(unreadable(""));
        const auto *floats = numbers ? std::get_if<std::vector<double>>(&*numbers) : nullptr;
        if (!floats)
            return false;
        const bool isAlone = floats->size() == 1;
        return known->second = std::ranges::any_of(*floats, [&](double x) {
                   return (std::isfinite(x) && std::abs(x) > maxFloat16)
                       || (isAlone && x != 0 && ir::rounded(DType::Float16, x) == 0);
               });
    }

    /// Whether a node converts numbers that may be counters or indices to floats: float16 ends at 65504.
    bool mayCountFar(const NodeRef &node) const
    {
        if (!isCast(node) || node.inputCount() == 0 || !node.input(0)->as<ValueId>() || !isSingle(node.output(0)))
            return false;
        const auto from = dtypeOf(*node.input(0)->as<ValueId>());
        const auto bits = from ? ir::bitWidth(*from) : std::nullopt;
        return !from || (ir::isInteger(*from) && bits.value_or(64) > 15) || *from == DType::Float64;
    }

    // ---- the change

    ir::TypeId typeOf(ValueId value, DType dtype) const
    {
        const ir::TensorType *recorded = ir::ValueRef(graph(), value).tensorType();
        ir::TensorType type = recorded ? *recorded : ir::TensorType();
        type.dtype = dtype;
        if (!type.shape && value.index < m_shapes.facts.size())
            if (const auto *fact = ops::asTensor(m_shapes.of(value)))
                type.shape = fact->shape;
        return m_rewriter.context().type(type);
    }

    ValueId cast(ValueId value, DType dtype, const NodeRef &reader)
    {
        m_rewriter.from({reader});
        const std::int64_t number = ir::numberOf(dtype, ir::Numbering::Onnx).value_or(1);
        return m_rewriter.makeBefore(
            reader, {.dialect = "onnx", .name = "Cast", .arguments = {{{}, value}, {m_rewriter.text("to"), number}}},
            typeOf(value, dtype));
    }

    /// Returns a new constant with the elements of the tensor in float16; nothing if the file lacks the elements.
    std::optional<ValueId> halfConstant(ir::TensorId id)
    {
        const ir::Tensor tensor = m_before.at(id);
        const auto numbers = ir::numbersOf(m_before, id);
        const std::string name = formatted("{}_float16", m_rewriter.context().text(tensor.name));
        if (!numbers)
            return std::nullopt;
        const bool isPacked = tensor.kind == ir::Tensor::Kind::Packed; // a sparse tensor, which becomes a dense one
        return m_rewriter.addConstant(name, DType::Float16, tensor.shape, ir::encodeNumbers(DType::Float16, *numbers),
                                      isPacked ? ir::Tensor::Kind::Parameter : tensor.kind);
    }

    /// Returns the value in float16, cast in front of `reader` if necessary.
    ValueId halfOf(ValueId value, const NodeRef &reader)
    {
        if (m_isHalf.contains(value))
            return value;
        const auto [known, isNew] = m_halves.try_emplace(value);
        if (!isNew)
            return known->second;
        const auto constant = m_rewriter.constant(value);
        const auto made = constant ? halfConstant(*constant) : std::nullopt;
        return m_halves[value] = made ? *made : cast(value, DType::Float16, reader);
    }

    ValueId singleOf(ValueId value, const NodeRef &reader)
    {
        if (!m_isHalf.contains(value))
            return value;
        const auto [known, isNew] = m_singles.try_emplace(value);
        if (isNew)
            known->second = cast(value, DType::Float32, reader);
        return m_singles[value];
    }

    void halve(const NodeRef &node)
    {
        std::vector<ir::Argument> arguments = node->arguments;
        std::size_t position = 0;
        for (ir::Argument &argument : arguments) {
            if (argument.name != ir::NameId{})
                continue;
            if (const auto *value = argument.value.as<ValueId>(); value && wasSingle(*value))
                argument.value = takes(node, position) ? halfOf(*value, node) : singleOf(*value, node);
            ++position;
        }
        m_rewriter.setArguments(node, std::move(arguments));
        if (isCast(node) && isSingle(node.output(0)))
            m_rewriter.setArgument(node, "to", ir::numberOf(DType::Float16, ir::Numbering::Onnx).value_or(1));
        for (std::size_t i = 0; i < node.outputCount(); ++i)
            if (const ValueId output = node.output(i); isSingle(output) && makes(node, i)) {
                m_rewriter.setType(output, typeOf(output, DType::Float16));
                m_isHalf.insert(output);
            }
    }

    /// Makes a node that stays in float32, and the nodes in its regions, read values in float32.
    void feed(const NodeRef &node) { feed(node, node); }

    void feed(const NodeRef &node, const NodeRef &outer)
    {
        const auto single = [&](ValueId value) { return Operand(singleOf(value, outer)); };
        std::vector<ir::Argument> arguments = node->arguments;
        for (ir::Argument &argument : arguments)
            argument.value = ir::withValues(argument.value, single);
        if (arguments != node->arguments)
            m_rewriter.setArguments(node, std::move(arguments));
        const auto regions = node->regions;
        for (const ir::RegionId region : regions) {
            const std::vector<ir::NodeId> inner = graph().at(region).nodes;
            for (const ir::NodeId each : inner)
                feed(m_rewriter.node(each), outer);
            std::vector<Operand> outputs = graph().at(region).outputs;
            for (Operand &output : outputs)
                output = ir::withValues(output, single);
            if (outputs != graph().at(region).outputs)
                m_rewriter.setOutputs(region, std::move(outputs));
        }
    }

    // ---- inputs and results

    void halveInputs()
    {
        for (const ir::FunctionInput &input : m_rewriter.function().inputs)
            if (const auto *value = input.value.as<ValueId>(); value && isSingle(*value) && !input.tensor) {
                m_rewriter.setType(*value, typeOf(*value, DType::Float16));
                m_isHalf.insert(*value);
            }
    }

    /// Converts weights that a caller may replace, as a whole and for all readers: otherwise the numbers of a caller
    /// would reach only some readers. The weights keep their names.
    void halveDefaults()
    {
        const std::vector<ir::FunctionInput> inputs = m_rewriter.function().inputs;
        for (const ir::FunctionInput &input : inputs) {
            const auto *value = input.value.as<ValueId>();
            if (!value || !ir::isOverridable(input) || !isSingle(*value) || !isReadHalf(*value))
                continue;
            const std::string name(ir::ValueRef(graph(), *value).name());
            const auto half = halfConstant(*input.tensor);
            if (!half)
                continue;
            m_rewriter.replaceDefault(*value, *half);
            m_rewriter.setName(*half, name);
            m_isHalf.insert(*half);
        }
    }

    bool isReadHalf(ValueId value) const
    {
        return std::ranges::any_of(graph().at(value).uses, [&](const ir::Use &use) {
            const auto *reader = std::get_if<ir::NodeId>(&use);
            return reader && m_half.contains(*reader);
        });
    }

    std::vector<ValueId> floatResults() const
    {
        std::vector<ValueId> values;
        for (const ir::FunctionOutput &output : m_rewriter.function().outputs)
            if (const auto *value = output.value.as<ValueId>();
                value && isSingle(*value) && !std::ranges::contains(values, *value))
                values.push_back(*value);
        return values;
    }

    /// Appends the cast to the dtype that a result of the function has to have, if it needs one. The cast value takes
    /// over the result's name, and the value in front of the cast gets another one.
    void finishResult(ValueId result)
    {
        const DType wanted = m_options.keepsInputsAndResults ? DType::Float32 : DType::Float16;
        const bool isHalf = m_isHalf.contains(result);
        if (isHalf == (wanted == DType::Float16))
            return;
        const std::string name(ir::ValueRef(graph(), result).name());
        const auto to = ir::numberOf(wanted, ir::Numbering::Onnx).value_or(1);
        m_rewriter.from({});
        const NodeRef made = m_rewriter.append(ir::Graph::body,
                                               {.op = m_rewriter.context().op("onnx", "Cast"),
                                                .name = {},
                                                .scope = {},
                                                .location = {},
                                                .arguments = {{{}, result}, {m_rewriter.text("to"), to}},
                                                .origins = {},
                                                .metadata = {}});
        const bool isMade = ir::ValueRef(graph(), result).producer().has_value();
        const ValueId value = m_rewriter.addOutput(made, typeOf(result, wanted), isMade ? name : "");
        if (isMade)
            m_rewriter.setName(result, name + (isHalf ? "_float16" : "_float32"));
        std::vector<Operand> outputs = graph().at(ir::Graph::body).outputs;
        std::ranges::replace(outputs, Operand(result), Operand(value));
        m_rewriter.setOutputs(ir::Graph::body, std::move(outputs));
    }

    /// Removes casts to float16 of values that are float16 by now. A cast that makes a result of the function becomes
    /// an Identity, which keeps the result's name.
    void dropIdleCasts()
    {
        for (const ir::NodeId id : m_nodes) {
            const NodeRef node = m_rewriter.node(id);
            const auto *read = node.inputCount() == 1 && isCast(node) ? node.input(0)->as<ValueId>() : nullptr;
            if (!read || dtypeNow(*read) != DType::Float16 || dtypeNow(node.output(0)) != DType::Float16)
                continue;
            const ValueId made = node.output(0);
            if (m_rewriter.isReturned(made)) {
                m_rewriter.setArguments(node, {{{}, *read}});
                m_rewriter.setOperator(node, "onnx", "Identity", "");
                continue;
            }
            m_rewriter.replaceUses(made, *read);
            m_rewriter.remove(node);
        }
    }

    std::optional<DType> dtypeNow(ValueId value) const
    {
        if (m_isHalf.contains(value))
            return DType::Float16;
        const ir::TensorType *made =
            value.index < m_shapes.facts.size() ? nullptr : ir::ValueRef(graph(), value).tensorType();
        return made ? made->dtype : dtypeOf(value);
    }

    void dropUnreadWeights()
    {
        for (const auto &[value, half] : m_halves)
            if (ir::ValueRef(graph(), value).weight() && m_rewriter.useCount(value) == 0)
                m_rewriter.removeWeight(value);
    }

    std::vector<std::string> notes() const
    {
        std::vector<std::string> all;
        for (const auto &[reason, count] : m_reasons)
            all.push_back(
                formatted("{} {} float32: {}", quantity(count, "node"), count == 1 ? "stays" : "stay", reason));
        return all;
    }

    const ir::Model m_before;
    const analysis::Shapes m_shapes;
    rewrite::Rewriter m_rewriter;
    const Float16Options &m_options;
    std::int64_t m_opset;
    const std::vector<ir::NodeId> m_nodes; ///< the body's nodes before the conversion
    std::unordered_set<ir::NodeId> m_half;
    std::unordered_set<ValueId> m_large;  ///< values that may have numbers that float16 does not hold
    std::unordered_set<ValueId> m_isHalf; ///< values that are float16 now
    std::map<ValueId, bool> m_tooLarge;
    std::map<ValueId, ValueId> m_halves, m_singles;
    std::map<std::string, std::size_t> m_reasons; ///< by reason: the number of nodes
};

} // namespace

Result<Converted> toFloat16(const ir::Model &model, const Float16Options &options, const Task &task)
{
    if (!ir::isOnnx(model))
        return usageError("the model is no ONNX model");
    CUTAWAY_TRY(auto state, withoutFunctions(model, task));
    Converted converted;
    converted.model = std::move(state);
    converted.notes = Halving(converted.model, options, task).run();
    if (const auto faults = ir::verify(converted.model); !faults.empty())
        return backendError("the conversion made an invalid graph: " + faults.front());
    return converted;
}

} // namespace cutaway::convert
