// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/layout/describe.h"

#include "core/base/text.h"
#include "core/ir/opsets.h"
#include "core/ir/tensors/tensor_data.h"
#include "core/layout/card.h"
#include "core/ops/arguments/convolution_arguments.h"
#include "core/ops/calls.h"
#include "core/ops/category.h"
#include "core/ops/schemas/onnx_inputs.h"
#include "core/ops/torch/signatures.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>
#include <optional>

namespace cutaway::layout {

namespace {

constexpr std::size_t maxText = 40;
constexpr std::size_t maxDetails = 3;
constexpr std::size_t maxWeightLines = 3;
constexpr std::size_t maxListItems = 6;
constexpr std::int64_t maxInlineElements = 6;

/// Arguments that are of little interest on a card; the inspector has them.
constexpr std::array quietArguments = {
    "eps",           "epsilon",          "momentum",      "cudnn_enabled", "cudnn_enable", "pin_memory",
    "layout",        "device",           "memory_format", "non_blocking",  "copy",         "allow_tf32",
    "benchmark",     "deterministic",    "storage_order", "spatial",       "auto_pad",     "count_include_pad",
    "name",          "divisor_override", "output_dtype",  "stash_type",    "fmod",         "rounding_type",
    "requires_grad", "implicit",         "training",      "train",         "batch_first",  "has_biases",
    "allowzero",     "antialias",        "nearest_mode",  "training_mode", "generator",    "keepdim",
    "keepdims",
};
/// Arguments whose value speaks for itself: `add 2`, `view [1, -1]`.
constexpr std::array selfSpeaking = {"other", "size",  "shape", "exponent", "repeats",          "dtype",
                                     "to",    "value", "perm",  "equation", "normalized_shape", "fill_value"};
constexpr std::array kernelArguments = {"kernel_size", "kernel_shape", "output_size"};
/// Arguments that are shown only where they differ from the value that they mostly have: the default, or, for Gemm's
/// transB, the value of a linear layer.
struct Conventional {
    std::string_view name;
    std::int64_t value;
};
constexpr std::array conventional = {
    Conventional{"stride", 1},         Conventional{"strides", 1},  Conventional{"padding", 0},
    Conventional{"pads", 0},           Conventional{"dilation", 1}, Conventional{"dilations", 1},
    Conventional{"groups", 1},         Conventional{"group", 1},    Conventional{"alpha", 1},
    Conventional{"beta", 1},           Conventional{"step", 1},     Conventional{"start", 0},
    Conventional{"output_padding", 0}, Conventional{"offset", 0},   Conventional{"storage_offset", 0},
    Conventional{"ceil_mode", 0},      Conventional{"transA", 0},   Conventional{"transB", 1},
};

bool among(const auto &names, std::string_view name) { return std::ranges::find(names, name) != names.end(); }

template <class Sizes>
std::string times(const Sizes &sizes)
{
    std::string out;
    for (const auto size : sizes)
        out += (out.empty() ? "" : "×") + std::to_string(size);
    return out.empty() ? "scalar" : out;
}

/// Returns a number as text; "end" for the largest number, which exporters write for "up to the end".
std::string wholeNumber(std::int64_t n)
{
    return n == std::numeric_limits<std::int64_t>::max() ? "end" : std::to_string(n);
}

std::string number(double x)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.4g", x);
    return text.data();
}

std::optional<std::vector<std::int64_t>> integers(const ir::Operand &operand)
{
    if (const auto *n = operand.as<std::int64_t>())
        return std::vector{*n};
    const auto *list = operand.as<ir::List>();
    if (!list || list->items.empty())
        return std::nullopt;
    std::vector<std::int64_t> out;
    for (const ir::Operand &item : list->items)
        if (const auto *n = item.as<std::int64_t>())
            out.push_back(*n);
        else
            return std::nullopt;
    return out;
}

/// Returns the name of an element type by its number in ONNX.
std::string onnxDType(std::int64_t code)
{
    const auto dtype = ir::dtypeFromNumber(code, ir::Numbering::Onnx);
    return dtype ? std::string(ir::name(*dtype)) : "type " + std::to_string(code);
}

/// Returns "weight" for "layer1.0.conv1.weight"; "" for a name that an exporter made up ("onnx::Conv_193").
std::string_view lastName(std::string_view name)
{
    if (name.contains(':'))
        return {};
    const std::string_view last = name.substr(name.find_last_of("./") + 1);
    return std::ranges::any_of(last, [](char c) { return c >= 'a' && c <= 'z'; }) ? last : std::string_view();
}

bool allEqual(const std::vector<std::int64_t> &numbers)
{
    return std::ranges::all_of(numbers, [&](std::int64_t n) { return n == numbers.front(); });
}

bool isConventional(std::string_view name, const ir::Operand &operand)
{
    const auto numbers = integers(operand);
    const auto *real = operand.as<double>();
    return std::ranges::any_of(conventional, [&](const Conventional &known) {
        return name == known.name
            && ((numbers && numbers->front() == known.value && allEqual(*numbers))
                || (real && *real == static_cast<double>(known.value)));
    });
}

std::string shownText(std::string_view text) { return shortened(sanitized(text), maxText); }

/// Returns a kernel as "3×3", and other equal numbers as a single one, "stride 2"; nothing for numbers that are printed
/// in full.
std::optional<std::string> shortNumbers(std::string_view name, const std::vector<std::int64_t> &numbers)
{
    const std::string first = std::to_string(numbers.front());
    if (among(kernelArguments, name))
        return numbers.size() == 1 ? first + "×" + first : times(numbers);
    if (numbers.size() > 1 && allEqual(numbers) && !among(selfSpeaking, name))
        return shownText(name) + " " + first;
    return std::nullopt;
}

class Describer {
public:
    Describer(const ir::Model &model, const ir::NodeRef &node)
        : m_model(model),
          m_context(node.graph().context()),
          m_node(node)
    {
    }

    Line title() const;
    std::optional<Line> kind(ir::ScopeId within) const;
    std::optional<Line> details() const;
    std::vector<Line> weights() const;

private:
    const ir::Tensor *weight(const ir::Operand &operand, ir::TensorId *id = nullptr) const;
    std::string weightName(const ir::Argument &argument, std::size_t position) const;
    std::optional<std::string> elements(ir::TensorId id) const;
    std::optional<std::string> print(const ir::Operand &operand) const;
    static std::optional<std::string> printValue(const ir::ValueRef &value);
    std::optional<std::string> printList(const ir::List &list) const;
    std::optional<std::string> detail(const ir::Argument &argument) const;
    std::optional<std::string> channels() const;
    /// Whether the integer argument of this name is an element type, by its number in ONNX.
    bool isDTypeCode(std::string_view name) const
    {
        return (name == "to" || name == "dtype") && m_node.dialect() == "onnx";
    }

    const ir::Model &m_model;
    const ir::Context &m_context;
    const ir::NodeRef m_node;
};

std::size_t lettersOf(std::string_view text)
{
    return std::size_t(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

/// Joins parts with commas. If the text is too long, the longest part is cut: a cut through the whole text would join
/// the beginning of one part with the end of another.
std::string joinedWithin(std::vector<std::string> parts, std::size_t limit)
{
    constexpr std::size_t least = 12;
    for (std::size_t i = 0; i < parts.size() && lettersOf(joined(parts, ", ")) > limit; ++i) {
        std::string &longest = *std::ranges::max_element(parts, {}, lettersOf);
        const std::size_t others = lettersOf(joined(parts, ", ")) - lettersOf(longest);
        longest = shortened(longest, std::max(least, limit - std::min(limit, others)));
    }
    return joined(parts, ", ");
}

Line Describer::title() const { return {shownText(m_node.opName()), Line::Style::Title}; }

/// Returns the muted line beside the operator: its module's name, its dialect unless that is torch's or ONNX's, and its
/// overload.
std::optional<Line> Describer::kind(ir::ScopeId within) const
{
    const std::string_view dialect = m_node.dialect(), overload = m_node.overload();
    std::string text;
    const auto append = [&](std::string_view part) { text += (text.empty() ? "" : " · ") + shownText(part); };
    if (within.index != 0)
        append(m_context.text(m_context.at(within).name));
    constexpr std::array plainDialects = {"aten", "onnx", "prim", "higher_order", "_operator", ""};
    if (!among(plainDialects, dialect))
        append(dialect);
    if (!overload.empty() && overload != "default")
        append(std::string(".") + std::string(overload));
    return text.empty() ? std::nullopt : std::optional(Line{text, Line::Style::Muted});
}

const ir::Tensor *Describer::weight(const ir::Operand &operand, ir::TensorId *id) const
{
    std::optional<ir::TensorId> tensor;
    if (const auto *immediate = operand.as<ir::TensorId>())
        tensor = *immediate;
    else if (const auto value = ir::valueOf(m_node.graph(), &operand))
        tensor = value->weight();
    if (!tensor || tensor->index >= m_model.tensors.size())
        return nullptr;
    if (id)
        *id = *tensor;
    return &m_model.at(*tensor);
}

/// Returns the elements of a tensor that is a number or a short list of integers, as exporters write shapes and axes.
std::optional<std::string> Describer::elements(ir::TensorId id) const
{
    const ir::Tensor &tensor = m_model.at(id);
    const auto count = ir::elementCount(tensor);
    const bool isInteger = tensor.dtype <= ir::DType::Int64;
    if (!count || *count > (isInteger ? maxInlineElements : 1) || *count == 0 || tensor.shape.size() > 1)
        return std::nullopt;
    const auto texts = ir::firstElements(m_model, id, static_cast<std::size_t>(*count));
    if (!texts)
        return std::nullopt;
    std::string out;
    for (const std::string &text : *texts)
        out += (out.empty() ? "" : ", ")
            + (text == std::to_string(std::numeric_limits<std::int64_t>::max()) ? "end" : text);
    return tensor.shape.empty() || *count == 1 ? out : "[" + out + "]";
}

std::optional<std::string> Describer::printValue(const ir::ValueRef &value)
{
    if (const auto *numberType = std::get_if<ir::NumberType>(&value.type()))
        return numberType->value ? symbolic::print(*numberType->value) : shownText(value.name());
    return std::nullopt;
}

std::optional<std::string> Describer::printList(const ir::List &list) const
{
    std::string out;
    for (std::size_t i = 0; i < list.items.size() && i < maxListItems; ++i) {
        const auto item = print(list.items[i]);
        if (!item)
            return std::nullopt;
        out += (i > 0 ? ", " : "") + *item;
    }
    if (list.items.empty())
        return std::nullopt;
    return "[" + out + (list.items.size() > maxListItems ? ", …]" : "]");
}

std::optional<std::string> Describer::print(const ir::Operand &operand) const
{
    if (const auto *n = operand.as<std::int64_t>())
        return wholeNumber(*n);
    if (const auto *x = operand.as<double>())
        return number(*x);
    if (const auto *text = operand.as<ir::String>())
        return shownText(m_context.text(text->text));
    if (const auto *dtype = operand.as<ir::DType>())
        return std::string(name(*dtype));
    if (const auto *expr = operand.as<symbolic::Expr>())
        return symbolic::print(*expr);
    if (const auto value = ir::valueOf(m_node.graph(), &operand); value && !weight(operand))
        return printValue(*value);
    if (const auto *list = operand.as<ir::List>())
        return printList(*list);
    return std::nullopt;
}

std::optional<std::string> Describer::detail(const ir::Argument &argument) const
{
    const std::string_view name = m_context.text(argument.name);
    const ir::Operand &operand = argument.value;
    if (among(quietArguments, name))
        return std::nullopt;
    if (const auto *flag = operand.as<bool>())
        return *flag ? std::optional(shownText(name)) : std::nullopt;
    if (operand.as<ir::DType>())
        return print(operand);
    if (isConventional(name, operand))
        return std::nullopt;
    if (const auto *code = operand.as<std::int64_t>(); code && isDTypeCode(name))
        return onnxDType(*code);
    const auto numbers = integers(operand);
    if (numbers && numbers->back() == std::numeric_limits<std::int64_t>::max())
        return std::nullopt; // "to the end"
    if (auto shortened = numbers ? shortNumbers(name, *numbers) : std::nullopt)
        return shortened;
    ir::TensorId id;
    const auto text = weight(operand, &id) ? elements(id) : print(operand);
    if (!text || text->empty())
        return std::nullopt;
    return name.empty() || among(selfSpeaking, name) ? *text : shownText(name) + " " + *text;
}

/// Returns the output channels and the kernel of a convolution by its weight: "64, 7×7".
std::optional<std::string> Describer::channels() const
{
    if (ops::categoryOf(m_node) != ops::Category::Convolution)
        return std::nullopt;
    ops::Signatures signatures(m_context);
    ops::Calls calls(m_model, signatures);
    const ops::Call call = calls.of(m_node);
    const auto given = ops::convolutionArguments(call);
    const ir::Operand *operand =
        given ? ops::givenArgument(m_node, signatures.of(m_node->op), *given->weight) : nullptr;
    const ir::Tensor *tensor = operand ? weight(*operand) : nullptr;
    if (!tensor || tensor->shape.size() < 3 || !given->transposed)
        return std::nullopt;
    return ir::print(given->outputChannels(*call.shape(given->weight))) + ", "
        + times(std::vector(tensor->shape.begin() + 2, tensor->shape.end()));
}

std::optional<Line> Describer::details() const
{
    std::vector<std::string> parts;
    const auto append = [&](std::string part) { parts.push_back(std::move(part)); };
    const auto made = channels();
    if (made)
        append(*made);
    const auto isKernel = [&](const ir::Argument &argument) {
        return among(kernelArguments, m_context.text(argument.name));
    };
    for (const bool kernels : {true, false})
        for (const ir::Argument &argument : m_node->arguments) {
            if (isKernel(argument) != kernels || (made && kernels) || parts.size() == maxDetails)
                continue;
            if (const auto part = detail(argument))
                append(*part);
        }
    return parts.empty() ? std::nullopt : std::optional(Line{joinedWithin(parts, maxText), Line::Style::Detail});
}

/// Returns the name to show for an argument that is a weight: that of the argument or the weight or, if an exporter
/// made this up, ONNX's name for the operator's input.
std::string Describer::weightName(const ir::Argument &argument, std::size_t position) const
{
    const std::string_view name = m_context.text(argument.name);
    // The name of an arithmetic operator's parameter is no label, so the module's name for the weight is shown.
    const bool saysNothing = name.empty() || name == "self" || name == "other";
    const ir::Tensor *tensor = saysNothing ? weight(argument.value) : nullptr;
    const std::string_view own = tensor ? lastName(m_context.text(tensor->name)) : name;
    return shownText(own.empty() && m_node.dialect() == "onnx"
                         ? ops::onnxInputName(m_node.opName(), ir::opsetIn(m_model, m_node.graph(), "onnx"), position)
                         : own);
}

/// Returns lines for the weights. One or two weights of a shape share a line: "weight 64×3×7×7", "weight, bias 64".
std::vector<Line> Describer::weights() const
{
    struct Group {
        std::string names;
        std::string shape;
        int count = 0;
    };
    std::vector<Group> groups;
    const auto take = [&](const std::string &name, const ir::Operand &operand) {
        ir::TensorId id;
        const ir::Tensor *tensor = weight(operand, &id);
        if (!tensor || elements(id))
            return;
        const std::string shape = times(tensor->shape);
        if (!groups.empty() && groups.back().shape == shape && groups.back().count < 2) {
            groups.back().names += (groups.back().names.empty() ? "" : ", ") + name;
            ++groups.back().count;
        } else {
            groups.push_back({name, shape, 1});
        }
    };
    for (std::size_t position = 0; position < m_node->arguments.size(); ++position) {
        const ir::Argument &argument = m_node->arguments[position];
        const std::string name = weightName(argument, position);
        if (const auto *list = argument.value.as<ir::List>())
            for (std::size_t i = 0; i < list->items.size(); ++i)
                take(name + "." + std::to_string(i), list->items[i]);
        else
            take(name, argument.value);
    }
    std::vector<Line> lines;
    for (const Group &group : groups)
        if (lines.size() < maxWeightLines)
            lines.push_back({group.names + (group.names.empty() ? "" : " ") + group.shape, Line::Style::Weight});
    if (groups.size() > maxWeightLines)
        lines.back().text = "+ " + std::to_string(groups.size() - maxWeightLines + 1) + " more";
    return lines;
}

} // namespace

std::vector<Line> describeNode(const ir::Model &model, const ir::NodeRef &node, ir::ScopeId within)
{
    const Describer describer(model, node);
    std::vector<Line> lines{describer.title()};
    if (auto kind = describer.kind(within))
        lines.push_back(std::move(*kind));
    if (auto details = describer.details())
        lines.push_back(std::move(*details));
    for (Line &line : describer.weights())
        lines.push_back(std::move(line));
    return lines;
}

std::string describeTensor(std::optional<ir::DType> dtype, const std::optional<ir::Shape> &shape)
{
    std::string text(dtype ? name(*dtype) : "");
    if (shape)
        text += (text.empty() ? "" : " ") + print(*shape);
    return shortened(sanitized(text), 2 * maxText);
}

std::string describeType(const ir::Context &context, ir::TypeId type)
{
    if (const ir::TensorType *tensor = ir::tensorType(context, type))
        return describeTensor(tensor->dtype, tensor->shape);
    if (std::holds_alternative<ir::UnknownType>(context.at(type)))
        return {};
    return shortened(sanitized(context.print(type)), maxText);
}

std::string_view shortClassName(std::string_view className) { return className.substr(className.rfind('.') + 1); }

} // namespace cutaway::layout
