// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/rules.h"

#include <functional>
#include <limits>

// Operators that process a dimension element by element become a Scan if ONNX has no operator for them.

namespace cutaway::rules::to_onnx { // from aten

namespace {

using L = Lowering;
using ir::DType;

/// The results of one step of a scan: the states of the next step, and a slice of each result.
struct ScanStep {
    std::vector<Term> states, results;
};
using ScanBody = std::function<ScanStep(const std::vector<Term> &states, const Term &slice)>;

/// A tensor that is scanned along an axis, and the states of the first step with their types.
struct Scanned {
    Term tensor;
    std::int64_t axis = 0;
    ir::Shape slice;
    std::vector<Term> initial;
    std::vector<ir::Shape> states;
};

Term regionInput(L &l, ir::RegionId region, std::string_view name, DType dtype, const ir::Shape &shape)
{
    ir::TensorType type;
    type.dtype = dtype;
    type.shape = shape;
    return {&l, l.graph().addInput(region, name, type), dtype};
}

/// Makes `x` an output of a region. ONNX Runtime wants each output to have a shape and to be a value of its own.
ir::Operand regionOutput(L &l, const Term &x, const ir::Shape &shape)
{
    const Term made = applied("Identity", x);
    ir::TensorType type;
    type.dtype = x.dtype;
    type.shape = shape;
    l.graph().setType(*made.operand.as<ir::ValueId>(), type);
    return made.operand;
}

/// Returns the results of all steps, joined along the axis.
std::vector<Term> scan(L &l, const Scanned &given, const std::vector<DType> &results, const ScanBody &body)
{
    std::vector<Term> inputs = given.initial;
    inputs.push_back(given.tensor);
    std::vector<DType> dtypes;
    for (const Term &state : given.initial)
        dtypes.push_back(state.dtype);
    dtypes.insert(dtypes.end(), results.begin(), results.end());
    const std::vector<std::int64_t> axes(results.size(), given.axis);
    std::vector<Term> made = l.makeAll("Scan", inputs,
                                       {{"num_scan_inputs", std::int64_t{1}},
                                        {"scan_input_axes", L::list(std::vector{given.axis})},
                                        {"scan_output_axes", L::list(axes)}},
                                       dtypes);
    OnnxGraph &graph = l.graph();
    const ir::RegionId around = graph.region();
    const ir::ValueRef first(graph.graph(), *made.front().operand.as<ir::ValueId>());
    const ir::RegionId region = graph.graph().addRegion(first.producer()->id(), graph.context().name("body"));
    graph.enter(region);
    std::vector<Term> states;
    for (std::size_t i = 0; i < given.initial.size(); ++i)
        states.push_back(regionInput(l, region, "state", given.initial[i].dtype, given.states[i]));
    const ScanStep step = body(states, regionInput(l, region, "slice", given.tensor.dtype, given.slice));
    std::vector<ir::Operand> outputs;
    for (std::size_t i = 0; i < step.states.size(); ++i)
        outputs.push_back(regionOutput(l, step.states[i], given.states[i]));
    for (const Term &result : step.results)
        outputs.push_back(regionOutput(l, result, given.slice));
    graph.graph().setOutputs(region, std::move(outputs));
    graph.enter(around);
    made.erase(made.begin(), made.begin() + static_cast<std::ptrdiff_t>(given.initial.size()));
    return made;
}

/// Returns the sizes of a slice as a vector.
Term sliceSizes(L &l, const Term &x, std::int64_t axis, const ir::Shape &part)
{
    if (ops::numbers(part))
        return l.ints(l.numbersOf(part, "the slice"));
    const Term sizes = shapeOf(x), zero = l.scalar(std::int64_t{0});
    const auto rank = static_cast<std::int64_t>(part.size()) + 1;
    return concat({slice(sizes, 0, zero, l.scalar(axis)), slice(sizes, 0, axis + 1, rank)}, 0);
}

Scanned scannedAlong(const Term &x, std::int64_t axis, const ir::Shape &shape)
{
    Scanned made{x, axis, shape, {}, {}};
    made.slice.erase(made.slice.begin() + axis);
    return made;
}

void addState(L &l, Scanned &given, const Term &number)
{
    given.initial.push_back(expand(number, sliceSizes(l, given.tensor, given.axis, given.slice)));
    given.states.push_back(given.slice);
}

DType scannedDType(DType dtype) { return ir::isFloating(dtype) || dtype == DType::Int64 ? dtype : DType::Int32; }

/// Returns the lowest number of a dtype or, without `isLowest`, the highest.
Term outermost(L &l, DType dtype, bool isLowest)
{
    if (ir::isFloating(dtype)) {
        const double infinity = std::numeric_limits<double>::infinity();
        return l.scalar(isLowest ? -infinity : infinity, dtype);
    }
    using Small = std::numeric_limits<std::int32_t>;
    using Large = std::numeric_limits<std::int64_t>;
    if (dtype == DType::Int32)
        return l.scalar(isLowest ? Small::min() : Small::max(), dtype);
    return l.scalar(isLowest ? Large::min() : Large::max());
}

enum class Extreme { Largest, Smallest };

/// Computes, for each position along a dimension, the largest or smallest element so far and its position. From a NaN
/// on, that element is NaN.
Results runningExtremeRule(L &l, Extreme extreme)
{
    const auto known = l.tensor(0);
    const Term x = cast(l[0], scannedDType(l[0].dtype));
    if (known.rank() == 0)
        return {x, l.scalar(std::int64_t{0})};
    const bool isMax = extreme == Extreme::Largest;
    Scanned given = scannedAlong(x, l.axis("dim", known.rank()), known.shape);
    addState(l, given, outermost(l, x.dtype, isMax));
    addState(l, given, l.scalar(std::int64_t{0}));
    given.initial.push_back(l.scalar(std::int64_t{0}));
    given.states.emplace_back();
    const auto made = scan(l, given, {x.dtype, DType::Int64}, [&](const std::vector<Term> &states, const Term &slice) {
        Term isNew = compared(isMax ? OnnxName("GreaterOrEqual") : OnnxName("LessOrEqual"), slice, states[0]);
        if (ir::isFloating(x.dtype))
            isNew = l.make("Or", {isNew, l.make("IsNaN", {slice}, {}, DType::Bool)});
        const Term best = where(isNew, slice, states[0]);
        const Term place = where(isNew, states[2], states[1]);
        return ScanStep{{best, place, states[2] + l.scalar(std::int64_t{1})}, {best, place}};
    });
    return {made[0], made[1]};
}

Results cumprodRule(L &l)
{
    const auto known = l.tensor(0);
    const DType dtype = l.resultDType();
    const Term x = cast(l[0], scannedDType(dtype));
    if (known.rank() == 0)
        return {x};
    Scanned given = scannedAlong(x, l.axis("dim", known.rank()), known.shape);
    addState(l, given, l.scalar(1, x.dtype));
    return {scan(l, given, {x.dtype}, [](const std::vector<Term> &states, const Term &slice) {
                const Term product = states[0] * slice;
                return ScanStep{{product}, {product}};
            }).front()};
}

/// Computes log(eᵃ + eᵇ); the larger of a and b may be infinite.
Term logAdded(L &l, const Term &a, const Term &b)
{
    const Term larger = l.make("Max", {a, b});
    const Term infinity = l.scalar(std::numeric_limits<double>::infinity(), a.dtype);
    const Term isInfinite = compared("Equal", applied("Abs", larger), infinity);
    const Term ofA = applied("Exp", a - larger), ofB = applied("Exp", b - larger);
    const Term sum = applied("Log", ofA + ofB) + larger;
    return where(isInfinite, larger, sum);
}

Results logcumsumexpRule(L &l)
{
    const auto known = l.tensor(0);
    const Term x = l[0];
    if (known.rank() == 0)
        return {x};
    Scanned given = scannedAlong(x, l.axis("dim", known.rank()), known.shape);
    addState(l, given, outermost(l, x.dtype, true));
    return {scan(l, given, {x.dtype}, [&](const std::vector<Term> &states, const Term &slice) {
                const Term sum = logAdded(l, states[0], slice);
                return ScanStep{{sum}, {sum}};
            }).front()};
}

constexpr LoweringRule cumulativeRules[] = {
    {"aten::cummax", with<runningExtremeRule, Extreme::Largest>},
    {"aten::cummin", with<runningExtremeRule, Extreme::Smallest>},
    {"aten::cumprod", cumprodRule},
    {"aten::logcumsumexp", logcumsumexpRule},
};

} // namespace

} // namespace cutaway::rules::to_onnx

namespace cutaway::rules {

Family cumulative() { return {.toOnnx = to_onnx::cumulativeRules}; }

} // namespace cutaway::rules
