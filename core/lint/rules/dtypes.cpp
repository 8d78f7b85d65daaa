// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/ir/context.h"
#include "core/ir/model_format.h"
#include "core/lint/rules/families.h"
#include "core/lint/subject.h"
#include "core/ops/arguments/convolution_arguments.h"
#include "core/ops/arguments/matrix_product_arguments.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/ops/facts/promotion.h"
#include "core/ops/network/convolution.h"
#include "core/ops/network/matrix_product.h"
#include "core/ops/tensor/cast.h"

#include <algorithm>
#include <array>

// Tensor cores take operands whose rows are multiples of 16 bytes: 8 elements of float16, 16 of int8. NVIDIA, Matrix
// Multiplication Background User's Guide, "Tensor Core Requirements":
// https://docs.nvidia.com/deeplearning/performance/dl-performance-matrix-multiplication/index.html

namespace cutaway::lint {

namespace {

using ir::DType;
using ops::TensorFact;

bool isFloat64(const std::optional<TensorFact> &tensor)
{
    return tensor && tensor->dtype == DType::Float64 && hasElements(*tensor);
}

/// Returns the tensors among the arguments of a node, those in lists included.
std::vector<TensorFact> tensorArguments(Subject &subject, const ir::NodeRef &node)
{
    std::vector<TensorFact> tensors;
    for (const ir::Argument &argument : node->arguments)
        forEachValue(argument.value, [&](ir::ValueId value) {
            if (auto tensor = subject.tensor(value))
                tensors.push_back(std::move(*tensor));
        });
    return tensors;
}

/// Reports nodes that make float64 from something else, but not nodes that only pass it on.
void checkFloat64(Subject &subject)
{
    for (const ir::FunctionInput &input : subject.function().inputs)
        if (const auto value = ir::valueOf(subject.graph(), &input.value); value && isFloat64(subject.tensor(*value)))
            subject.report(*value, formatted("the input \"{}\" is float64", value->name()));
    for (const ir::NodeRef &node : subject.nodes()) {
        const auto arguments = tensorArguments(subject, node);
        const bool isMade = std::ranges::any_of(
            node.outputs(), [&](const ir::ValueRef &value) { return isFloat64(subject.tensor(value)); });
        const auto isWide = [](const TensorFact &tensor) { return tensor.dtype == DType::Float64; };
        if (isMade && node->regions.empty() && std::ranges::none_of(arguments, isWide))
            subject.report(node, "gives float64, which none of its arguments is");
    }
    for (std::uint32_t i = 0; i < subject.graph().valueCount(); ++i)
        if (const ir::ValueRef value(subject.graph(), {i});
            value.weight() && !value->uses.empty() && isFloat64(subject.tensor(value)))
            subject.report(value, formatted("the weight \"{}\" is float64", value.name()));
}

/// Whether an operator may have tensors of two dtypes, as casts and copies into another tensor do.
bool joinsDTypes(const ops::Operator &row)
{
    return row.traits.keepsElements || row.traits.writesDifferently || row.traits.keepsDType;
}

/// Whether the operator computes with all its tensors alike, so that they should have one dtype.
bool computesAlike(Subject &subject, const ir::NodeRef &node)
{
    using namespace ops;
    const Operator *row = subject.reader().row(node);
    const OperatorKind kind = subject.reader().kind(node);
    constexpr std::array products{kind::conv, kind::convTranspose, kind::matmul, kind::linear, kind::baddbmm};
    return row && kind != kind::castLike && !joinsDTypes(*row)
        && (row->pattern == Pattern::Pointwise || std::ranges::contains(products, kind));
}

void checkMixedPrecision(Subject &subject)
{
    for (const ir::NodeRef &node : subject.nodes()) {
        const bool isError = node.dialect() == "onnx" && ir::isOnnx(subject.model()); // for the rule element-type
        if (isError || !computesAlike(subject, node))
            continue;
        std::vector<DType> dtypes; // tensors without dimensions do not take part in type promotion
        for (const TensorFact &tensor : tensorArguments(subject, node))
            if (tensor.dtype && ir::isFloating(*tensor.dtype) && tensor.shape && !tensor.shape->empty()
                && !std::ranges::contains(dtypes, *tensor.dtype))
                dtypes.push_back(*tensor.dtype);
        if (dtypes.size() > 1)
            subject.report(node,
                           formatted("computes with {} and {} at once", ir::name(dtypes[0]), ir::name(dtypes[1])));
    }
}

/// A conversion to a dtype by a node that does nothing else.
struct Conversion {
    ir::ValueRef source;
    DType from, to;
    TensorFact tensor; ///< the tensor with the new dtype
};

std::optional<Conversion> conversionOf(Subject &subject, const ir::NodeRef &node)
{
    if (subject.reader().kind(node) != ops::kind::cast || node->arguments.empty() || node.outputCount() != 1)
        return std::nullopt;
    for (const std::string_view other : {"device", "layout", "memory_format", "copy"})
        if (const ir::Operand *given = subject.reader().argument(node, other);
            given && !given->as<ir::None>() && *given != ir::Operand(false))
            return std::nullopt;
    const auto source = ir::valueOf(subject.graph(), &node->arguments.front().value);
    const auto before = source ? subject.tensor(*source) : std::nullopt, after = subject.tensor(node.output(0));
    if (!before || !after || !before->dtype || !after->dtype)
        return std::nullopt;
    return Conversion{*source, *before->dtype, *after->dtype, *after};
}

/// Whether the conversion undoes an earlier one that loses nothing.
bool isUndoing(Subject &subject, const Conversion &conversion)
{
    const auto producer = conversion.source.producer();
    const auto before = producer ? conversionOf(subject, *producer) : std::nullopt;
    return before && before->from == conversion.to && conversion.from != conversion.to
        && ops::promote(conversion.to, conversion.from) == conversion.from;
}

void checkCasts(Subject &subject)
{
    for (const ir::NodeRef &node : subject.nodes()) {
        const auto conversion = conversionOf(subject, node);
        if (!conversion)
            continue;
        // torch returns the tensor itself; casts of sizes cost nothing.
        const bool isCopy = node.isOnnx() && ir::isFloating(conversion->to) && hasElements(conversion->tensor);
        if (conversion->from == conversion->to && isCopy)
            subject.report(node, formatted("casts {} to itself", ir::name(conversion->to)));
        else if (isUndoing(subject, *conversion))
            subject.report(node,
                           formatted("casts {} back to {}, from which it was cast", ir::name(conversion->from),
                                     ir::name(conversion->to)));
    }
}

/// Returns the number of which sizes should be multiples for tensor cores; nothing for dtypes without such a rule.
std::optional<std::int64_t> alignmentOf(std::optional<DType> dtype)
{
    if (dtype == DType::Float16 || dtype == DType::BFloat16)
        return 8;
    if (dtype == DType::Int8 || dtype == DType::UInt8)
        return 16;
    return std::nullopt;
}

struct NamedSize {
    std::string_view name;
    ir::Dim size;
};

/// Returns the sizes of a product with a weight, which can be padded; nothing for other products.
std::vector<NamedSize> productSizes(const ops::Call &call)
{
    const auto arguments = ops::matrixProductArguments(call);
    const auto factor = arguments.shapeOfB(call);
    const ops::TensorFact *weight = call.tensor(arguments.b);
    if (!factor || factor->size() < 2 || !weight || weight->storage != ops::StorageNumber::Weights)
        return {};
    return {{"inner size", (*factor)[factor->size() - 2]}, {"number of columns", factor->back()}};
}

/// Whether an image has one pixel, as in a squeeze-and-excitation, so that its convolution costs nothing.
bool isOnePixel(const ir::Shape *image)
{
    return image && image->size() > 2 && std::all_of(image->begin() + 2, image->end(), [](const ir::Dim &size) {
               return ops::number(size) == std::optional<std::int64_t>(1);
           });
}

/// Returns the sizes of a convolution that can be padded; none if it has groups.
std::vector<NamedSize> convolutionSizes(const ops::Call &call)
{
    const auto arguments = ops::convolutionArguments(call);
    const ir::Shape *weight = arguments && arguments->transposed ? call.shape(arguments->weight) : nullptr;
    if (!weight || weight->size() < 3 || isOnePixel(call.shape(arguments->input))
        || ops::number(arguments->groups) != std::optional<std::int64_t>(1))
        return {};
    return {{"number of input channels", arguments->inputChannels(*weight)},
            {"number of output channels", arguments->outputChannels(*weight)}};
}

void checkAlignment(Subject &subject)
{
    using namespace ops;
    constexpr std::array products{kind::matmul, kind::linear, kind::gemm, kind::baddbmm};
    constexpr std::int64_t leastPadded = 5;
    for (const ir::NodeRef &node : subject.nodes()) {
        const OperatorKind kind = subject.reader().kind(node);
        const bool isProduct = std::ranges::contains(products, kind);
        if (!isProduct && kind != kind::conv && kind != kind::convTranspose)
            continue;
        const Call call = subject.reader().call(node);
        const auto alignment = alignmentOf(call.dtypeOf(0u));
        for (const NamedSize &named : !alignment ? std::vector<NamedSize>()
                 : isProduct                     ? productSizes(call)
                                                 : convolutionSizes(call))
            if (const auto size = ops::number(named.size); size && *size >= leastPadded && *size % *alignment != 0)
                subject.report(node, formatted("the {} is {}, no multiple of {}", named.name, *size, *alignment));
    }
}

using enum Rule::Asked;
using enum Rule::Scope;
using enum ir::Severity;

constexpr Rule dtypeRows[] = {
    {"float64", Warning, "Where float64 comes into the graph: an input, a weight, a cast.", ByDefault, Function,
     checkFloat64},
    {"mixed-precision", Warning, "An operator computes with tensors of two floating dtypes at once.", ByDefault,
     Function, checkMixedPrecision},
    {"needless-cast", Info, "A cast to the dtype that is there, or back to the one before without a change.",
     WhenChosen, Function, checkCasts},
    {"unaligned-size", Info, "Sizes of half-precision or int8 products that keep tensor cores from full speed.",
     WhenChosen, Function, checkAlignment},
};

} // namespace

std::span<const Rule> dtypeRules() { return dtypeRows; }

} // namespace cutaway::lint
