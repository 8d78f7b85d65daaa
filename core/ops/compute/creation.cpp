// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/compute/rules.h"
#include "core/ops/compute/tensor_rules.h"

namespace cutaway::compute {

namespace {

/// Returns the value at every position of the shape that the shape rule found.
Answer filledWith(const Call &call, const Array &value)
{
    const auto shape = call.shape();
    return shape ? answer(broadcast(value, *shape)) : std::nullopt;
}

} // namespace

Answer filledWith(const Call &call, std::int64_t value)
{
    return filledWith(call, filled(ir::DType::Int64, {}, value));
}

Answer filledWithArgument(const Call &call, std::size_t position)
{
    const Array *value = call.array(position);
    return value ? filledWith(call, *value) : std::nullopt;
}

Answer uninitialized(const Call &call) { return call.isOverwritten() ? filledWith(call, 0) : std::nullopt; }

Answer constantOfShape(const Call &call)
{
    const auto shape = call.shape();
    const Array *value = call.array("value");
    if (!shape || (call.facts().has("value") && !value))
        return std::nullopt;
    return answer(broadcast(value ? reshaped(*value, {}) : filled(ir::DType::Float32, {}, 0.0), *shape));
}

namespace {

/// Returns the start or step of a range as a tensor of one element. Nothing if it is given and not known.
std::optional<Array> rangeNumber(const Call &call, std::string_view aten, std::size_t onnx, std::int64_t defaultValue)
{
    if (const Array *given = call.isOnnx() ? call.array(onnx) : call.array(aten))
        return given->count() == 1 ? std::optional(*given) : std::nullopt;
    const bool isLeftOut = !call.isOnnx() && !call.facts().has(aten);
    return isLeftOut ? std::optional(filled(ir::DType::Int64, {}, defaultValue)) : std::nullopt;
}

} // namespace

/// Numbers from a start in equal steps, as many as the result's shape has elements.
Answer arange(const Call &call)
{
    const auto shape = call.shape();
    const auto dtype = call.dtype();
    const auto start = rangeNumber(call, "start", 0, 0), step = rangeNumber(call, "step", 2, 1);
    if (!areKnown(shape, dtype, start, step) || shape->size() != 1)
        return std::nullopt;
    const auto count = static_cast<std::size_t>(shape->front());
    if (!ir::isFloat(*dtype) && start->isWhole() && step->isWhole()) {
        std::vector<Whole> wholes(count);
        std::uint64_t next = bits(start->as<Whole>().front());
        for (Whole &x : wholes) {
            x = static_cast<Whole>(next);
            next += bits(step->as<Whole>().front());
        }
        return answer(Array{*dtype, *shape, std::move(wholes)});
    }
    std::vector<double> floats(count);
    const double first = floatsOf(*start).front(), width = floatsOf(*step).front();
    for (std::size_t i = 0; i < count; ++i)
        floats[i] = first + static_cast<double>(i) * width;
    return answer(*shape, std::move(floats));
}

/// onnx::Constant with a tensor or numbers as its attribute.
Answer constant(const Call &call)
{
    const auto shape = call.shape();
    if (const Array *value = call.array("value"))
        return answer(*value);
    if (!shape)
        return std::nullopt;
    for (const std::string_view name : {"value_float", "value_int"})
        if (const Array *value = call.array(name))
            return answer(reshaped(*value, *shape));
    for (const std::string_view name : {"value_floats", "value_ints"}) {
        const auto *list = call.facts()[name].as<ops::SequenceFact>();
        std::vector<double> floats;
        for (const ops::Fact &item : list ? list->each() : std::span<const ops::Fact>())
            floats.push_back(ops::asFloat(item).value_or(0));
        if (list && name == "value_floats" && std::ssize(floats) == countOf(*shape))
            return answer(Array{ir::DType::Float64, *shape, std::move(floats)});
    }
    return std::nullopt;
}

/// prim::NumToTensor, aten::tensor of one number
Answer ofNumber(const Call &call)
{
    const Array *value = call.array(0);
    const auto shape = call.shape();
    return value && shape && value->shape.empty() && shape->empty() ? answer(*value) : std::nullopt;
}

/// onnx::EyeLike, aten::eye
Answer identityMatrix(const Call &call)
{
    const auto shape = call.shape();
    const auto k = call.integer("", "k", 0);
    if (!shape || shape->size() != 2 || !k)
        return std::nullopt;
    const std::int64_t diagonal = call.isOnnx() ? *k : 0;
    std::vector<Whole> elements(static_cast<std::size_t>(countOf(*shape)), 0);
    for (std::int64_t row = 0; row < (*shape)[0]; ++row)
        if (const std::int64_t column = row + diagonal; column >= 0 && column < (*shape)[1])
            elements[static_cast<std::size_t>(row * (*shape)[1] + column)] = 1;
    return answer(Array{ir::DType::Int64, *shape, std::move(elements)});
}

} // namespace cutaway::compute
