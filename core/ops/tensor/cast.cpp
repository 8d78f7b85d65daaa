// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/tensor/cast.h"

#include "core/ops/compute/rules.h"
#include "core/ops/elementwise.h"
#include "core/ops/facts/promotion.h"

#include <array>
#include <charconv>

namespace cutaway::ops {

namespace {

/// Returns an element in another dtype: a Boolean is 0 or 1, floats are truncated to integers. In dtypes of less than
/// 32 bits only small numbers that are not negative stay known.
ir::Dim castElement(const ir::Dim &element, ir::DType to)
{
    if (to == ir::DType::Bool)
        return compute(Arithmetic::NotEqual, element, std::int64_t{0});
    if (!isInteger(to))
        return element;
    ir::Dim whole = compute(Function::Truncate, element);
    const int bits = ir::bitWidth(to).value_or(0);
    const auto value = number(whole);
    if (bits >= 32)
        return whole;
    return value && *value >= 0 && *value < (std::int64_t{1} << (bits - 1)) ? whole : ir::Dim(ir::UnknownDim{});
}

/// Returns the tensor in another dtype; numbers become tensors without dimensions.
Answer converted(const Call &call, const Fact &given, std::optional<ir::DType> dtype)
{
    const std::array operands{&given};
    return elementwise(call, operands, dtype,
                       [&](std::span<const ir::Dim> row) { return castElement(row[0], *dtype); });
}

/// The dtype argument decides; if it is not known, neither is the result's dtype.
Answer to(const Call &call)
{
    const TensorFact *self = call.tensor(0u);
    const TensorFact *other = call.tensor("other");
    if (call.has("dtype"))
        return converted(call, call[0u], call.dtype("dtype"));
    if (call.has("other"))
        return converted(call, call[0u], other ? other->dtype : std::nullopt);
    return converted(call, call[0u], self ? self->dtype : std::nullopt);
}

Answer toTypeOfSecond(const Call &call) { return converted(call, call[0u], call.dtypeOf(1u)); }

template <ir::DType dtype>
Answer toDType(const Call &call)
{
    return converted(call, call[0u], dtype);
}

Answer onlyDTypeOf(ir::DType dtype) { return {Facts{tensorFact(dtype)}, unknown("its input is not known")}; }

/// The operand of ONNX's Cast is a tensor, even if nothing is known of it.
Answer onnxCast(const Call &call)
{
    const auto dtype = call.dtype("to");
    return dtype && call.has(0u) && !call.tensor(0u) ? onlyDTypeOf(*dtype) : converted(call, call[0u], dtype);
}

/// Returns the dtype with this name in TensorProto.DataType, which Cast used before opset 6.
std::optional<ir::DType> dtypeOfOldName(std::string_view name)
{
    struct Old {
        std::string_view name;
        ir::DType dtype;
    };
    constexpr std::array names{
        Old{"FLOAT", ir::DType::Float32}, Old{"DOUBLE", ir::DType::Float64}, Old{"FLOAT16", ir::DType::Float16},
        Old{"INT64", ir::DType::Int64},   Old{"INT32", ir::DType::Int32},    Old{"INT16", ir::DType::Int16},
        Old{"INT8", ir::DType::Int8},     Old{"UINT8", ir::DType::UInt8},    Old{"UINT16", ir::DType::UInt16},
        Old{"UINT32", ir::DType::UInt32}, Old{"UINT64", ir::DType::UInt64},  Old{"BOOL", ir::DType::Bool},
        Old{"STRING", ir::DType::String},
    };
    for (const Old &old : names)
        if (old.name == name)
            return old.dtype;
    return std::nullopt;
}

Answer cast(const Call &call)
{
    const std::string_view name = call.text("to");
    return name.empty() ? onnxCast(call) : converted(call, call[0u], dtypeOfOldName(name));
}

/// Reinterprets the bits in another dtype. ONNX allows only dtypes of the same width, so the sizes stay.
Answer bitCast(const Call &call)
{
    Operands operands{&call[0u]};
    return elementwise(call, operands, call.dtype("to"));
}

// Tensors of one element and numbers of Python.

std::optional<NumberFact::Kind> kindOf(std::optional<ir::DType> dtype)
{
    if (!dtype)
        return std::nullopt;
    if (*dtype == ir::DType::Bool)
        return NumberFact::Kind::Bool;
    if (isComplex(*dtype))
        return NumberFact::Kind::Complex;
    return isFloating(*dtype) ? NumberFact::Kind::Float : NumberFact::Kind::Int;
}

/// Returns the only element of a tensor as a number. For an int that only the data decides, it makes a new symbol.
NumberFact itemOf(const Call &call, const TensorFact &tensor)
{
    const auto kind = kindOf(tensor.dtype).value_or(NumberFact::Kind::Number);
    if (tensor.elements && tensor.elements->size() == 1 && isKnown(tensor.elements->front()))
        return numberOf(tensor.elements->front(), kind);
    return kind == NumberFact::Kind::Int ? intFact(call.freshSize(itemHint)) : NumberFact{kind, {}};
}

Answer item(const Call &call)
{
    const TensorFact *tensor = call.tensor(0u);
    if (tensor && tensor->shape && number(elementsOf(*tensor->shape)).value_or(1) != 1)
        return wrong("a tensor of shape " + ir::print(*tensor->shape) + " has not one element");
    if (tensor)
        return {itemOf(call, *tensor)};
    const NumberFact *given = asNumber(call[0u]);
    return {given ? *given : NumberFact{NumberFact::Kind::Number, {}}};
}

std::optional<double> parsed(std::string_view text)
{
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

template <NumberFact::Kind kind>
Answer pythonNumber(const Call &call)
{
    if (const TensorFact *tensor = call.tensor(0u)) {
        if (tensor->elements)
            return {convert(itemOf(call, *tensor), kind)};
        return {kind == NumberFact::Kind::Int ? intFact(call.freshSize(itemHint)) : NumberFact{kind, {}}};
    }
    if (const auto *text = call[0u].as<TextFact>())
        return {convert(floatFact(parsed(text->text)), kind)};
    const NumberFact *given = asNumber(call[0u]);
    return {given ? convert(*given, kind) : NumberFact{kind, {}}};
}

/// Returns a number as a tensor without dimensions, in the widest dtype of its kind.
Answer numberToTensor(const Call &call)
{
    const NumberFact *given = asNumber(call[0u]);
    if (!given || given->kind == NumberFact::Kind::Number)
        return {tensorFact(std::nullopt, ir::Shape{})};
    const std::array dtypes{ir::DType::Int64, ir::DType::Float64, ir::DType::Bool, ir::DType::Complex128};
    return converted(call, call[0u], dtypes[static_cast<std::size_t>(given->kind)]);
}

Answer promotedType(const Call &call)
{
    const Operands operands = operandsOf(call, 2);
    const auto *a = call[0u].as<ir::DType>(), *b = call[1u].as<ir::DType>();
    const auto dtype = a && b ? std::optional(promote(*a, *b)) : resultType(operands);
    return {dtype ? Fact(*dtype) : Fact()};
}

using enum ir::DType;
using NumberKind = NumberFact::Kind;

constexpr Operator castRows[] = {
    Operator("aten::_to_copy", Category::Elementwise, Pattern::Pointwise, to, nullptr,
             {.kind = kind::cast,
              .compute = compute::sameElements,
              .place = placeOfCopy,
              .keepsElements = true,
              .roundsOnce = true}),
    Operator("aten::to prims::convert_element_type", Category::Elementwise, Pattern::Pointwise, to, nullptr,
             {.kind = kind::cast,
              .compute = compute::sameElements,
              .place = placeOfConversion,
              .keepsElements = true,
              .roundsOnce = true}),
    Operator("aten::_autocast_to_full_precision aten::_autocast_to_reduced_precision "
             "quantized_decomposed::convert_element_type",
             Category::Elementwise, Pattern::Pointwise, to, nullptr, {.place = placeOfConversion}),
    Operator("aten::type_as", Category::Elementwise, Pattern::Pointwise, toTypeOfSecond, nullptr,
             {.compute = compute::sameElements,
              .formula = "cast(self, dtype(other))",
              .place = placeOfConversion,
              .keepsElements = true,
              .roundsOnce = true}),
    Operator("onnx::CastLike", Category::Elementwise, Pattern::Pointwise, toTypeOfSecond, nullptr,
             {.compute = compute::onnxCast, .place = placeOfConversion}),
    Operator("onnx::Cast", Category::Elementwise, Pattern::Pointwise, cast, nullptr,
             {.kind = kind::cast, .compute = compute::onnxCast, .keepsElements = true, .roundsOnce = true}),
    Operator("onnx::BitCast", Category::Elementwise, Pattern::Pointwise, bitCast),
    Operator("torch.Tensor::bool", Category::Elementwise, Pattern::Pointwise, toDType<Bool>),
    Operator("torch.Tensor::bfloat16", Category::Elementwise, Pattern::Pointwise, toDType<BFloat16>),
    Operator("torch.Tensor::cfloat", Category::Elementwise, Pattern::Pointwise, toDType<Complex64>),
    Operator("torch.Tensor::cdouble", Category::Elementwise, Pattern::Pointwise, toDType<Complex128>),
    Operator("aten::_cast_Byte torch.Tensor::byte", Category::Elementwise, Pattern::Pointwise, toDType<UInt8>),
    Operator("aten::_cast_Char torch.Tensor::char", Category::Elementwise, Pattern::Pointwise, toDType<Int8>),
    Operator("aten::_cast_Short torch.Tensor::short", Category::Elementwise, Pattern::Pointwise, toDType<Int16>),
    Operator("aten::_cast_Int torch.Tensor::int", Category::Elementwise, Pattern::Pointwise, toDType<Int32>),
    Operator("aten::_cast_Long torch.Tensor::long", Category::Elementwise, Pattern::Pointwise, toDType<Int64>),
    Operator("aten::_cast_Half torch.Tensor::half", Category::Elementwise, Pattern::Pointwise, toDType<Float16>),
    Operator("aten::chalf", Category::Elementwise, Pattern::Pointwise, toDType<Complex32>),
    Operator("aten::_cast_Float torch.Tensor::float", Category::Elementwise, Pattern::Pointwise, toDType<Float32>),
    Operator("aten::_cast_Double torch.Tensor::double", Category::Elementwise, Pattern::Pointwise, toDType<Float64>),
    Operator("aten::item aten::_local_scalar_dense aten::ScalarImplicit prims::item", Category::Elementwise,
             Pattern::Pointwise, item, nullptr, {.compute = compute::item}),
    Operator("aten::Int aten::IntImplicit builtins::int", Category::Elementwise, Pattern::Pointwise,
             pythonNumber<NumberKind::Int>, nullptr, {.compute = compute::toInt}),
    Operator("torch::sym_int", Category::Elementwise, Pattern::Pointwise, pythonNumber<NumberKind::Int>),
    Operator("aten::Float aten::FloatImplicit builtins::float", Category::Elementwise, Pattern::Pointwise,
             pythonNumber<NumberKind::Float>, nullptr, {.compute = compute::toFloat}),
    Operator("torch::sym_float", Category::Elementwise, Pattern::Pointwise, pythonNumber<NumberKind::Float>),
    Operator("aten::Bool aten::is_nonzero builtins::bool", Category::Elementwise, Pattern::Pointwise,
             pythonNumber<NumberKind::Bool>, nullptr, {.compute = compute::toBool}),
    Operator("aten::ComplexImplicit", Category::Elementwise, Pattern::Pointwise, pythonNumber<NumberKind::Complex>),
    Operator("aten::result_type aten::promote_types", Category::Elementwise, Pattern::Pointwise, promotedType),
    Operator("prim::NumToTensor", Category::Elementwise, Pattern::Pointwise, numberToTensor, nullptr,
             {.compute = compute::ofNumber, .isOfTracing = true}),
};

} // namespace

std::span<const Operator> castOperators() { return castRows; }

} // namespace cutaway::ops
