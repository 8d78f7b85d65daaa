// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/torch/operators.h"
#include "plugins/torch/run.h"
#include "plugins/torch/types.h"

#include <ATen/Functions.h>
#include <ATen/autocast_mode.h>
#include <ATen/core/grad_mode.h>
#include <ATen/functorch/BatchedTensorImpl.h>
#include <ATen/functorch/DynamicLayer.h>
#include <algorithm>
#include <cmath>

namespace cutaway::plugins {

namespace {

using c10::IValue;

// ---- Python's functions on numbers

/// Computes a function of two numbers, with integers if both are.
template <class Whole, class Floating>
Action ofTwo(Whole whole, Floating floating)
{
    return [whole, floating](Run &, Frame &, Stack &stack) {
        const c10::Scalar a = stack.at(0).toScalar(), b = stack.at(1).toScalar();
        stack = {a.isFloatingPoint() || b.isFloatingPoint() ? IValue(floating(a.toDouble(), b.toDouble()))
                                                            : IValue(whole(a.toLong(), b.toLong()))};
    };
}
template <class Function>
Action ofTwo(Function function)
{
    return ofTwo(function, function);
}

template <class Function>
Action ofOne(Function function)
{
    return [function](Run &, Frame &, Stack &stack) {
        const c10::Scalar x = stack.at(0).toScalar();
        stack = {x.isFloatingPoint() ? IValue(function(x.toDouble())) : IValue(function(x.toLong()))};
    };
}

std::int64_t floorDivided(std::int64_t a, std::int64_t b)
{
    TORCH_CHECK(b != 0, "a division by zero");
    return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}
std::int64_t remainder(std::int64_t a, std::int64_t b) { return a - floorDivided(a, b) * b; }
double floatRemainder(double a, double b) { return a - std::floor(a / b) * b; }
std::int64_t power(std::int64_t a, std::int64_t b) { return static_cast<std::int64_t>(std::pow(a, b)); }

Action choice()
{
    return [](Run &, Frame &, Stack &stack) { stack = {stack.at(0).toBool() ? stack.at(1) : stack.at(2)}; };
}
Action item()
{
    return [](Run &, Frame &, Stack &stack) {
        const auto place = static_cast<std::size_t>(stack.at(1).toInt());
        stack = {stack[0].isTuple() ? stack[0].toTupleRef().elements().at(place) : stack[0].toListRef().at(place)};
    };
}
Action leaveNothing()
{
    return [](Run &, Frame &, Stack &stack) { stack.clear(); };
}

const std::map<std::string_view, Action> &functions()
{
    using Int = std::int64_t;
    static const std::map<std::string_view, Action> table{
        {"add", ofTwo([](auto a, auto b) { return a + b; })},
        {"sub", ofTwo([](auto a, auto b) { return a - b; })},
        {"mul", ofTwo([](auto a, auto b) { return a * b; })},
        {"floordiv", ofTwo(floorDivided, [](double a, double b) { return std::floor(a / b); })},
        {"truediv", ofTwo([](auto a, auto b) { return static_cast<double>(a) / static_cast<double>(b); })},
        {"mod", ofTwo(remainder, floatRemainder)},
        {"pow", ofTwo(power, [](double a, double b) { return std::pow(a, b); })},
        {"sym_min", ofTwo([](auto a, auto b) { return std::min(a, b); })},
        {"sym_max", ofTwo([](auto a, auto b) { return std::max(a, b); })},
        {"eq", ofTwo([](auto a, auto b) { return a == b; })},
        {"ne", ofTwo([](auto a, auto b) { return a != b; })},
        {"lt", ofTwo([](auto a, auto b) { return a < b; })},
        {"le", ofTwo([](auto a, auto b) { return a <= b; })},
        {"gt", ofTwo([](auto a, auto b) { return a > b; })},
        {"ge", ofTwo([](auto a, auto b) { return a >= b; })},
        {"and_", ofTwo([](auto a, auto b) { return a != 0 && b != 0; })},
        {"or_", ofTwo([](auto a, auto b) { return a != 0 || b != 0; })},
        {"neg", ofOne([](auto x) { return -x; })},
        {"abs", ofOne([](auto x) { return x < 0 ? -x : x; })},
        {"not_", ofOne([](auto x) { return x == 0; })},
        {"sym_not", ofOne([](auto x) { return x == 0; })},
        {"sym_float", ofOne([](auto x) { return static_cast<double>(x); })},
        {"sym_int", ofOne([](auto x) { return static_cast<Int>(x); })},
        {"trunc", ofOne([](auto x) { return static_cast<Int>(x); })},
        {"floor", ofOne([](auto x) { return static_cast<Int>(std::floor(static_cast<double>(x))); })},
        {"ceil", ofOne([](auto x) { return static_cast<Int>(std::ceil(static_cast<double>(x))); })},
        {"sym_sqrt", ofOne([](auto x) { return std::sqrt(static_cast<double>(x)); })},
        {"_sym_sqrt", ofOne([](auto x) { return std::sqrt(static_cast<double>(x)); })},
        {"sqrt", ofOne([](auto x) { return std::sqrt(static_cast<double>(x)); })},
        {"sym_ite", choice()},
        {"getitem", item()},
    };
    return table;
}

// ---- higher-order operators

Values items(const IValue &value)
{
    return value.isTuple() ? Values(value.toTupleRef().elements().vec()) : value.toListRef().vec();
}

void append(Values &values, const Values &more) { values.insert(values.end(), more.begin(), more.end()); }

bool boolean(const IValue &value)
{
    return value.isTensor() ? value.toTensor().item().toBool() : value.toScalar().toBool();
}

using Regions = std::vector<ir::RegionId>;

Action cond(const Regions &regions)
{
    return [regions](Run &run, Frame &frame, Stack &stack) {
        stack = run.block(frame, regions.at(boolean(stack.at(0)) ? 0 : 1), items(stack.at(1)));
    };
}

/// Runs a loop with the arguments (carried values, further inputs). The first region is the condition, the second the
/// body.
Action whileLoop(const Regions &regions)
{
    return [regions](Run &run, Frame &frame, Stack &stack) {
        Values carried = items(stack.at(0));
        const Values further = items(stack.at(1));
        const auto inputs = [&] {
            Values all = carried;
            append(all, further);
            return all;
        };
        while (boolean(run.block(frame, regions.at(0), inputs()).at(0)))
            carried = run.block(frame, regions.at(1), inputs());
        stack = std::move(carried);
    };
}

Values slices(const Values &values, std::int64_t at, std::int64_t dimension)
{
    Values taken;
    for (const IValue &value : values)
        taken.emplace_back(value.toTensor().select(dimension, at));
    return taken;
}

/// Stacks the results of all iterations, from the result with the index `first` on, along a new dimension.
Values stacked(const std::vector<Values> &iterations, std::size_t first, std::int64_t dimension)
{
    Values all;
    for (std::size_t i = first; !iterations.empty() && i < iterations.front().size(); ++i) {
        std::vector<at::Tensor> tensors;
        for (const Values &iteration : iterations)
            tensors.push_back(iteration[i].toTensor());
        all.emplace_back(at::stack(tensors, dimension));
    }
    return all;
}

/// Runs a map with the arguments (tensors to iterate over, further inputs).
Action map(const Regions &regions)
{
    return [regions](Run &run, Frame &frame, Stack &stack) {
        const Values through = items(stack.at(0)), further = items(stack.at(1));
        std::vector<Values> iterations;
        for (std::int64_t i = 0; i < through.at(0).toTensor().size(0); ++i) {
            Values inputs = slices(through, i, 0);
            append(inputs, further);
            iterations.push_back(run.block(frame, regions.at(0), std::move(inputs)));
        }
        stack = stacked(iterations, 0, 0);
    };
}

/// Runs a scan with the arguments (carried values, tensors to iterate over, [dimension, direction,] further inputs).
/// Only older programs have the arguments in brackets.
Action scan(const Regions &regions)
{
    return [regions](Run &run, Frame &frame, Stack &stack) {
        Values carried = items(stack.at(0));
        const Values through = items(stack.at(1)), further = items(stack.back());
        const std::int64_t dimension = stack.size() > 3 && stack[2].isInt() ? stack[2].toInt() : 0;
        const bool isReverse = stack.size() > 4 && stack[3].isBool() && stack[3].toBool();
        const std::int64_t count = through.at(0).toTensor().size(dimension);
        std::vector<Values> iterations;
        for (std::int64_t i = 0; i < count; ++i) {
            Values inputs = carried;
            append(inputs, slices(through, isReverse ? count - 1 - i : i, dimension));
            append(inputs, further);
            iterations.push_back(run.block(frame, regions.at(0), std::move(inputs)));
            std::copy_n(iterations.back().begin(), carried.size(), carried.begin());
        }
        if (isReverse)
            std::ranges::reverse(iterations);
        Values results = carried;
        append(results, stacked(iterations, carried.size(), dimension));
        stack = std::move(results);
    };
}

Action withGradients(const Regions &regions)
{
    return [regions](Run &run, Frame &frame, Stack &stack) {
        TORCH_CHECK(!stack.empty(), "it has no argument that says whether gradients are wanted");
        // A block without gradients has the same results, since gradients are never computed.
        stack = run.block(frame, regions.at(0), Values(stack.begin() + 1, stack.end()));
    };
}

/// Runs a region under autocast, with the arguments (device, dtype, enabled, cache of casts, inputs of the region…).
Action withAutocast(const Regions &regions)
{
    return [regions](Run &run, Frame &frame, Stack &stack) {
        TORCH_CHECK(stack.size() >= 4, "it has fewer arguments than the four that say how to cast");
        const auto device = run.program().device().type();
        const bool before = at::autocast::is_autocast_enabled(device);
        const auto dtypeBefore = at::autocast::get_autocast_dtype(device);
        const auto restore = [&] {
            at::autocast::clear_cache();
            at::autocast::set_autocast_enabled(device, before);
            at::autocast::set_autocast_dtype(device, dtypeBefore);
        };
        at::autocast::set_autocast_enabled(device, boolean(stack.at(2)));
        if (!stack.at(1).isNone())
            at::autocast::set_autocast_dtype(device, static_cast<c10::ScalarType>(stack[1].toInt()));
        try {
            stack = run.block(frame, regions.at(0), Values(stack.begin() + 4, stack.end()));
        } catch (...) {
            restore();
            throw;
        }
        restore();
    };
}

/// Runs a subgraph inline. Texts among the arguments are names, and are left out.
Action inlined(const Regions &regions)
{
    return [regions](Run &run, Frame &frame, Stack &stack) {
        std::erase_if(stack, [](const IValue &value) { return value.isString(); });
        stack = run.block(frame, regions.at(0), std::move(stack));
    };
}

std::optional<Action> higherOrder(std::string_view name, const Regions &regions)
{
    using Make = Action (*)(const Regions &);
    static const std::map<std::string_view, Make> table{
        {"cond", cond},
        {"while_loop", whileLoop},
        {"map_impl", map},
        {"scan", scan},
        {"wrap_with_set_grad_enabled", withGradients},
        {"wrap_with_autocast", withAutocast},
        {"invoke_subgraph", inlined},
        {"hints_wrapper", inlined},
        {"strict_mode", inlined},
    };
    const auto found = table.find(name);
    return found == table.end() || regions.empty() ? std::nullopt : std::optional(found->second(regions));
}

// ---- batches of vmap

const std::map<std::string_view, Action> &batching()
{
    static const std::map<std::string_view, Action> table{
        {"lazy_load_decompositions", leaveNothing()},
        {"_vmap_increment_nesting",
         [](Run &, Frame &, Stack &stack) {
             const auto level = at::functorch::initAndPushDynamicLayer(at::functorch::TransformType::Vmap,
                                                                       c10::SymInt(stack.at(0).toInt()),
                                                                       at::functorch::RandomnessType::Error);
             stack = {IValue(level)};
         }},
        {"_vmap_decrement_nesting",
         [](Run &, Frame &, Stack &stack) {
             stack = {IValue(at::functorch::popDynamicLayerAndDeleteMetadata().layerId())};
         }},
        {"_add_batch_dim",
         [](Run &, Frame &, Stack &stack) {
             stack = {at::functorch::addBatchDim(stack.at(0).toTensor(), stack.at(1).toInt(), stack.at(2).toInt())};
         }},
        {"_remove_batch_dim",
         [](Run &, Frame &, Stack &stack) {
             const at::Tensor tensor = stack.at(0).toTensor();
             const auto *batched = at::functorch::maybeGetBatchedImpl(tensor);
             const std::int64_t place = stack.at(3).toInt();
             if (!batched || batched->level() != stack.at(1).toInt()) {
                 auto sizes = tensor.sizes().vec();
                 sizes.insert(sizes.begin() + place, stack.at(2).toInt());
                 stack = {tensor.unsqueeze(place).expand(sizes)};
                 return;
             }
             stack = {batched->value().movedim(batched->bdim(), place)};
         }},
    };
    return table;
}

} // namespace

std::optional<Operator> findExportedOperator(const ir::NodeRef &node)
{
    const std::string_view dialect = node.dialect(), name = node.opName();
    if (dialect == "higher_order") {
        auto action = higherOrder(name, node->regions);
        return action ? std::optional(Operator{std::move(*action), nullptr, true}) : std::nullopt;
    }
    const auto &table = dialect == "torch._functorch.predispatch" ? batching() : functions();
    if (dialect == "aten" || dialect == "prim")
        return std::nullopt;
    const auto found = table.find(name);
    return found == table.end() ? std::nullopt : std::optional(Operator{found->second});
}

} // namespace cutaway::plugins
