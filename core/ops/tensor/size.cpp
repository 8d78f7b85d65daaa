// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/tensor/size.h"

#include "core/base/formatted.h"
#include "core/ops/compute/rules.h"
#include "core/ops/facts/moved_elements.h"
#include "core/ops/facts/promotion.h"
#include "core/ops/facts/sequences.h"
#include "core/ops/facts/size_algebra.h"

#include <algorithm>

namespace cutaway::ops {

namespace {

using ir::Dim;
using ir::Shape;

constexpr std::string_view rankUnknown = "input rank unknown";

Answer unknownInt() { return {Facts{intFact()}, unknown(std::string(rankUnknown))}; }

std::vector<Fact> ints(std::span<const Dim> dims)
{
    std::vector<Fact> items;
    for (const Dim &dim : dims)
        items.emplace_back(intFact(dim));
    return items;
}

// Operators about sizes.

Answer size(const Call &call)
{
    const Shape *shape = call.shape(0u);
    if (!call.has("dim"))
        return {shape ? Fact(listFact(ints(*shape))) : manyOf(intFact())};
    if (!shape)
        return unknownInt();
    const auto at = axis(call["dim"], shape->size());
    if (!at)
        return {Facts{intFact()}, at.error()};
    if (shape->empty())
        return wrong("a size of a tensor without dimensions");
    return {intFact((*shape)[*at])};
}

Answer rank(const Call &call)
{
    const Shape *shape = call.shape(0u);
    return shape ? Answer{intFact(std::ssize(*shape))} : unknownInt();
}

Answer elementCount(const Call &call)
{
    const Shape *shape = call.shape(0u);
    return shape ? Answer{intFact(elementsOf(*shape))} : unknownInt();
}

Answer length(const Call &call)
{
    if (call[0u].as<SequenceFact>())
        return {intFact(lengthOf(call[0u]))};
    if (const auto *text = call[0u].as<TextFact>())
        return {intFact(std::ssize(text->text))};
    if (const auto *dict = call[0u].as<DictFact>())
        return {dict->entries() ? intFact(std::ssize(*dict->entries()) / 2) : intFact()};
    const Shape *shape = call.shape(0u);
    return {shape && !shape->empty() ? intFact(shape->front()) : intFact()};
}

/// Returns the strides as a list. Their values depend on the tensor's layout in memory, and are not known here.
Answer strides(const Call &call)
{
    const Shape *shape = call.shape(0u);
    if (call.has("dim"))
        return {intFact()};
    return {shape ? Fact(listFact(std::vector<Fact>(shape->size(), intFact()))) : manyOf(intFact())};
}

Answer shapeTensor(const Call &call)
{
    const Shape *shape = call.shape(0u);
    if (!shape)
        return {tensorFact(ir::DType::Int64, Shape(1, ir::UnknownDim{}))};
    const std::int64_t all = std::ssize(*shape);
    const auto border = [&](std::string_view name, std::int64_t defaultValue) {
        const std::int64_t given = call.integer(name).value_or(defaultValue);
        return static_cast<std::size_t>(std::clamp(given < 0 ? given + all : given, std::int64_t{0}, all));
    };
    const std::size_t start = border("start", 0), end = border("end", all);
    const std::span<const Dim> dims = std::span(*shape).subspan(start, end > start ? end - start : 0);
    return {vectorTensor(ir::DType::Int64, {dims.begin(), dims.end()})};
}

Answer sizeTensor(const Call &call)
{
    const Shape *shape = call.shape(0u);
    return {shape ? scalarTensor(ir::DType::Int64, elementsOf(*shape)) : tensorFact(ir::DType::Int64, Shape())};
}

// Other questions about tensors.

Answer dtype(const Call &call)
{
    const auto known = call.dtypeOf(0u);
    return known ? Answer{*known} : unknown("dtype of its input unknown");
}

Answer itemBytes(const Call &call)
{
    const auto known = call.dtypeOf(0u);
    const auto bits = known ? ir::bitWidth(*known) : std::nullopt;
    return {bits ? intFact(std::int64_t{(*bits + 7) / 8}) : intFact()};
}

Answer allBytes(const Call &call)
{
    const Shape *shape = call.shape(0u);
    const auto each = asInt(itemBytes(call).facts.front());
    return {shape && each ? intFact(times(elementsOf(*shape), *each)) : intFact()};
}

template <bool (*test)(ir::DType)>
Answer dtypeIs(const Call &call)
{
    const auto known = call.dtypeOf(0u);
    return {known ? boolFact(test(*known)) : boolFact()};
}

bool isSigned(ir::DType dtype)
{
    return isFloating(dtype) || isComplex(dtype) || (isInteger(dtype) && elementKind(dtype) == ir::ElementKind::Signed);
}

/// Whether a tensor is nested. One with a known shape is not: no operator that is followed makes nested tensors.
Answer isNested(const Call &call) { return {call.shape(0u) ? boolFact(false) : boolFact()}; }

/// Returns the layout, which is a number in TorchScript. A tensor with a known shape is strided.
Answer layout(const Call &call)
{
    return {call.shape(0u) ? intFact(static_cast<std::int64_t>(ir::Layout::Strided)) : intFact()};
}

/// Returns false, for modes that are only on in training: a model is analysed as it is used for inference.
Answer notInInference(const Call &) { return {boolFact(false)}; }
Answer something(const Call &call) { return Facts(call.resultCount()); }
Answer someObject(const Call &call) { return Facts(call.resultCount(), ObjectFact{}); }
Answer noResult(const Call &) { return {}; }

/// Checks an assertion. It is wrong if it certainly does not hold, because the program then fails.
Answer assertedMetadata(const Call &call)
{
    const TensorFact *tensor = call.tensor("a");
    const auto dtype = call.dtype("dtype");
    if (tensor && tensor->dtype && dtype && *dtype != *tensor->dtype)
        return wrong(formatted("it asserts {} of a tensor that is {}", ir::name(*dtype), ir::name(*tensor->dtype)));
    const auto sizes = call.sizes("size");
    if (sizes && tensor && tensor->shape
        && !std::ranges::equal(*sizes, *tensor->shape, [](const Dim &a, const Dim &b) { return !isDifferent(a, b); }))
        return wrong(formatted("it asserts {} of a tensor that is {}", ir::print(*sizes), ir::print(*tensor->shape)));
    return {};
}
Answer itself(const Call &call) { return {call[0u]}; }

constexpr Operator sizeRows[] = {
    Operator("aten::size aten::sym_size", Category::ShapeView, Pattern::Moving, size, nullptr,
             {.onQuantized = OnQuantized::AsksSizes}),
    Operator("aten::dim aten::_dimI", Category::ShapeView, Pattern::Moving, rank, nullptr,
             {.onQuantized = OnQuantized::AsksSizes}),
    Operator("aten::numel", Category::ShapeView, Pattern::Moving, elementCount, nullptr,
             {.kind = kind::numel, .onQuantized = OnQuantized::AsksSizes}),
    Operator("aten::sym_numel", Category::ShapeView, Pattern::Moving, elementCount),
    Operator("aten::len", Category::ShapeView, Pattern::Moving, length, nullptr,
             {.onQuantized = OnQuantized::AsksSizes}),
    Operator("aten::stride aten::sym_stride", Category::ShapeView, Pattern::Moving, strides),
    Operator("aten::storage_offset aten::sym_storage_offset aten::_version aten::get_device aten::_nnz aten::_dimV "
             "aten::output_nr prim::id",
             Category::ShapeView, Pattern::Moving, someInt),
    Operator("aten::_shape_as_tensor onnx::Shape", Category::ShapeView, Pattern::Moving, shapeTensor, nullptr,
             {.kind = kind::shape}),
    Operator("onnx::Size", Category::ShapeView, Pattern::Moving, sizeTensor, nullptr, {.kind = kind::numel}),
    Operator("aten::Size", Category::ShapeView, Pattern::Moving, itself),
    Operator("prim::dtype", Category::ControlFlow, Pattern::Control, dtype),
    Operator("prim::itemsize aten::element_size", Category::ShapeView, Pattern::Moving, itemBytes),
    Operator("prim::nbytes", Category::ShapeView, Pattern::Moving, allBytes),
    Operator("aten::is_floating_point", Category::ControlFlow, Pattern::Control, dtypeIs<ir::isFloating>, nullptr,
             {.onQuantized = OnQuantized::AsksSizes}),
    Operator("aten::is_complex", Category::ControlFlow, Pattern::Control, dtypeIs<ir::isComplex>),
    Operator("aten::is_signed", Category::ControlFlow, Pattern::Control, dtypeIs<isSigned>),
    Operator("prim::is_nested prim::is_sparse prim::is_sparse_csr prim::is_mkldnn", Category::ControlFlow,
             Pattern::Control, isNested),
    Operator("prim::is_cuda prim::is_ipu prim::is_maia prim::is_meta prim::is_mps prim::is_mtia prim::is_ort "
             "prim::is_vulkan prim::is_xla prim::is_xpu",
             Category::ControlFlow, Pattern::Control, someBool, nullptr, {.compute = compute::liesOnCpu<false>}),
    Operator("prim::is_cpu", Category::ControlFlow, Pattern::Control, someBool, nullptr,
             {.compute = compute::liesOnCpu<true>}),
    Operator(
        "prim::requires_grad prim::is_quantized aten::is_leaf "
        "aten::is_contiguous aten::is_pinned aten::is_non_overlapping_and_dense aten::is_conj aten::is_neg "
        "aten::is_inference aten::sym_is_contiguous aten::is_strides_like_format aten::retains_grad aten::is_coalesced "
        "aten::is_distributed aten::has_torch_function aten::_is_zerotensor aten::_has_compatible_shallow_copy_type "
        "aten::is_vulkan_available aten::cudnn_is_acceptable aten::_nnpack_available aten::_use_cudnn_ctc_loss "
        "aten::_use_miopen_ctc_loss aten::_use_cudnn_rnn_flatten_weight aten::_has_same_storage_numel aten::can_cast",
        Category::ControlFlow, Pattern::Control, someBool),
    Operator("aten::is_grad_enabled", Category::ControlFlow, Pattern::Control, notInInference),
    Operator("aten::is_autocast_enabled aten::is_autocast_cpu_enabled", Category::ControlFlow, Pattern::Control,
             notInInference, nullptr, {.kind = kind::isAutocastEnabled}),
    Operator("prim::device", Category::ControlFlow, Pattern::Control, someObject, nullptr,
             {.compute = compute::deviceOf, .onQuantized = OnQuantized::AsksSizes}),
    Operator("prim::layout", Category::ControlFlow, Pattern::Control, layout),
    Operator("aten::device", Category::ControlFlow, Pattern::Control, someObject),
    Operator("prim::type", Category::ControlFlow, Pattern::Control, something, nullptr,
             {.compute = compute::typeOfDevice}),
    Operator("prim::name prim::index", Category::ControlFlow, Pattern::Control, something),
    Operator("aten::_assert_tensor_metadata", Category::ControlFlow, Pattern::Control, assertedMetadata, nullptr,
             {.effect = Effect::Acts}),
    Operator("aten::_assert_async aten::_assert_scalar aten::sym_constrain_range "
             "aten::sym_constrain_range_for_size aten::_linalg_check_errors",
             Category::ControlFlow, Pattern::Control, noResult, nullptr, {.effect = Effect::Acts}),
    Operator("aten::_functional_assert_scalar aten::_functional_assert_async aten::_functional_sym_constrain_range "
             "aten::_functional_sym_constrain_range_for_size aten::_make_dep_token",
             Category::ControlFlow, Pattern::Control, something, nullptr, {.effect = Effect::Acts}),
};

} // namespace

std::span<const Operator> sizeOperators() { return sizeRows; }

} // namespace cutaway::ops
