// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/compute/rules.h"

namespace cutaway::compute {

namespace {

/// The value in every place of the shape that is derived.
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

/// Numbers from a start in equal steps; so many as the shape says.
Answer arange(const Call &call)
{
    const auto shape = call.shape();
    const auto dtype = call.dtype();
    const bool hasStart = call.isOnnx() || call.facts().has("start");
    const Array *start = call.isOnnx() ? call.array(0) : call.array("start");
    const Array *step = call.isOnnx() ? call.array(2) : call.array("step");
    if (!shape || shape->size() != 1 || !dtype || (hasStart && !start) || (call.facts().has("step") && !step))
        return std::nullopt;
    if (!ir::isFloat(*dtype) && (!start || start->isWhole()) && (!step || step->isWhole())) {
        std::vector<std::int64_t> wholes(static_cast<std::size_t>(shape->front()));
        auto next = static_cast<std::uint64_t>(start ? start->as<std::int64_t>()[0] : 0);
        for (std::int64_t &x : wholes) {
            x = static_cast<std::int64_t>(next);
            next += static_cast<std::uint64_t>(step ? step->as<std::int64_t>()[0] : 1);
        }
        return answer(Array{*dtype, *shape, std::move(wholes)});
    }
    std::vector<double> floats(static_cast<std::size_t>(shape->front()));
    for (std::size_t i = 0; i < floats.size(); ++i)
        floats[i] = (start ? floatsOf(*start)[0] : 0) + static_cast<double>(i) * (step ? floatsOf(*step)[0] : 1);
    return answer(Array{ir::DType::Float64, *shape, std::move(floats)});
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

} // namespace cutaway::compute
