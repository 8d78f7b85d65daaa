// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/rules/rules.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cutaway::rules::to_onnx { // between versions

namespace {

using ir::Operand;
using Numbers = VersionChange::Numbers;

// ---- softmax: up to opset 12 over all axes from one on, from 13 on over one

constexpr std::int64_t axisBefore13 = 1;

void softmaxOfOneAxis(VersionChange &change)
{
    const std::int64_t axis = change.integer("axis", axisBefore13);
    const auto rank = change.knownRank(0);
    if (axis == -1 || (rank && axis == static_cast<std::int64_t>(*rank) - 1)) {
        change.setAttribute("axis", std::int64_t{-1});
        return;
    }
    const auto type = change.result();
    const auto dtype = type ? type->dtype : std::nullopt;
    const Operand shape = change.make("Shape", {change.input(0)}, {}, ops::tensorFact(ir::DType::Int64));
    const Operand flat = change.make("Flatten", {change.input(0)}, {{"axis", axis}}, ops::tensorFact(dtype));
    const Operand made = change.make(OnnxName::computed(change.node().opName()), {flat}, {{"axis", std::int64_t{-1}}},
                                     ops::tensorFact(dtype));
    change.replaceBy(change.make("Reshape", {made, shape}, {}, type));
}

/// Makes the softmax over one axis, which is moved to the end and back.
void softmaxOfTheRest(VersionChange &change)
{
    const std::int64_t given = change.integer("axis", -1);
    const auto rank = change.knownRank(0);
    if (!rank && given != -1)
        return change.reject("its rank is not known");
    const auto axis = rank ? ops::dimension(given, *rank) : std::nullopt;
    if (!rank || (axis && *axis == *rank - 1)) {
        change.setAttribute("axis", std::int64_t{-1});
        return;
    }
    if (!axis)
        return change.reject("its axis is out of range");
    Numbers order(*rank);
    std::iota(order.begin(), order.end(), std::int64_t{0});
    std::swap(order[*axis], order.back());
    const auto type = ops::tensorFact(change.knownDType(0));
    const auto turned = [&](const Operand &operand) {
        return change.make("Transpose", {operand}, {{"perm", VersionChange::list(order)}}, type);
    };
    const Operand made = change.make(OnnxName::computed(change.node().opName()), {turned(change.input(0))},
                                     {{"axis", static_cast<std::int64_t>(*rank - 1)}}, type);
    change.replaceBy(turned(made));
}

/// Makes the axis count from the front, as it must before opset 11.
void softmaxAxisFromFront(VersionChange &change)
{
    const std::int64_t axis = change.integer("axis", axisBefore13);
    const auto rank = change.knownRank(0);
    if (axis < 0 && !rank)
        return change.reject("an axis counts from the end, and the rank is not known");
    if (axis < 0)
        change.setAttribute("axis", axis + static_cast<std::int64_t>(*rank));
}

// ---- limits

void limitsToInputs(VersionChange &change)
{
    std::vector<Operand> inputs{change.input(0)};
    const ir::DType dtype = change.has("min") || change.has("max") ? change.dtype(0) : ir::DType::Float32;
    if (change.isRefused())
        return;
    for (const std::string_view limit : {"min", "max"}) {
        inputs.push_back(change.has(limit) ? change.scalar(dtype, change.number(limit)) : Operand(ir::None{}));
        change.dropAttribute(limit);
    }
    change.setInputs(std::move(inputs));
}

void limitsToAttributes(VersionChange &change)
{
    std::vector<std::pair<std::string_view, double>> limits;
    for (const auto &[limit, position] : {std::pair("min", 1U), std::pair("max", 2U)}) {
        const auto value = change.knownReals(position);
        if (change.has(position) && (!value || value->size() != 1))
            return change.reject("its limits are computed while the model runs");
        // An attribute is a float32, which expresses "no limit" only by infinity.
        if (value && (std::isnan(value->front()) || !isFloat32(value->front())))
            return change.reject("a limit is no float32");
        limits.emplace_back(
            limit, value ? value->front() : (position == 1 ? -1 : 1) * std::numeric_limits<double>::infinity());
    }
    change.setInputs({change.input(0)});
    for (const auto &[limit, value] : limits)
        change.setAttribute(limit, value);
}

// ---- dropouts: none of them drops anything outside of training

void maskIsUnread(VersionChange &change)
{
    if (change.isRead(1))
        change.reject("its mask is read, which is of another dtype from opset 10 on");
}

void ratioToInput(VersionChange &change)
{
    if (change.isRead(1))
        return change.reject("its mask is read");
    std::vector<Operand> inputs{change.input(0)};
    if (change.has("ratio"))
        inputs.push_back(change.scalar(ir::DType::Float32, change.number("ratio")));
    change.dropAttribute("ratio");
    change.setInputs(std::move(inputs));
}

void ratioToAttribute(VersionChange &change)
{
    if (change.isRead(1))
        return change.reject("its mask is read");
    const auto training = change.knownIntegers(2);
    const auto ratio = change.knownReals(1);
    if (change.has(2) && (!training || training->size() != 1 || training->front() != 0))
        return change.reject("it may be in training");
    change.setInputs({change.input(0)});
    change.dropAttribute("seed");
    if (ratio && ratio->size() == 1 && ratio->front() >= 0 && ratio->front() < 1)
        change.setAttribute("ratio", ratio->front());
}

// ---- normalizations

void hasOneResult(VersionChange &change)
{
    if (change.resultCount() > 1)
        change.reject("it is in training");
}

/// Replaces a normalization that has parameters for each position, as before opset 9, by arithmetic.
void placesToArithmetic(VersionChange &change)
{
    if (change.resultCount() > 1 || change.integer("spatial", 1) != 0)
        return hasOneResult(change);
    const ir::DType dtype = change.dtype(0);
    const auto type = change.result(), ofPlaces = change.tensor(4), x = change.tensor(0);
    if (x && x->shape && ofPlaces && ofPlaces->shape && ofPlaces->shape->size() + 1 != x->shape->size())
        change.reject(formatted("spatial = 0 asks for parameters of each place of {}, and they are of {}",
                                ir::print(*x->shape), ir::print(*ofPlaces->shape)));
    if (change.isRefused())
        return;
    const Operand epsilon = change.scalar(dtype, change.number("epsilon", 1e-5));
    const Operand deviation =
        change.make("Sqrt", {change.make("Add", {change.input(4), epsilon}, {}, ofPlaces)}, {}, ofPlaces);
    const Operand centred = change.make("Sub", {change.input(0), change.input(3)}, {}, type);
    const Operand scaled =
        change.make("Mul", {change.make("Div", {centred, deviation}, {}, type), change.input(1)}, {}, type);
    change.replaceBy(change.make("Add", {scaled, change.input(2)}, {}, type));
}

void hasOneDType(VersionChange &change)
{
    for (std::size_t i = 1; i < change.inputCount(); ++i)
        if (!change.knownDType(i) || change.knownDType(i) != change.knownDType(0))
            return change.reject("its inputs are not certain to be of one dtype");
}

/// Returns a vector of scales for the channels: the scale of each group, repeated for the channels of the group.
Operand ofEachChannel(VersionChange &change, std::size_t input, std::int64_t groups, std::int64_t channels)
{
    const auto type = ops::tensorFact(change.knownDType(input));
    const Operand column = change.make("Reshape", {change.input(input), change.constant({groups, 1})}, {}, type);
    const Operand wide = change.make("Expand", {column, change.constant({groups, channels / groups})}, {}, type);
    return change.make("Reshape", {wide, change.constant({channels})}, {}, type);
}

bool isWide(std::optional<ir::DType> dtype) { return dtype == ir::DType::Float32 || dtype == ir::DType::Float64; }

void scalesOfChannels(VersionChange &change)
{
    const std::int64_t groups = change.integer("num_groups"), channels = change.size(0, 1).value_or(-1);
    if (groups < 1 || channels < 0 || channels % groups != 0)
        return change.reject("the number of channels is not known");
    if (!isWide(change.knownDType(0)))
        return change.reject("opset 21 computes it in float32, and opset 18 does not");
    change.setInputs(
        {change.input(0), ofEachChannel(change, 1, groups, channels), ofEachChannel(change, 2, groups, channels)});
}

/// Returns a vector of channels in a shape that broadcasts along them.
Operand alongChannels(VersionChange &change, std::size_t input, std::size_t rank)
{
    Numbers shape(rank - 1, 1);
    shape.front() = -1;
    return change.make("Reshape", {change.input(input), change.constant(shape)}, {},
                       ops::tensorFact(change.knownDType(input)));
}

/// Replaces scales of channels by those of groups: normalizes with a scale of 1 for each group, and scales the channels
/// afterwards.
void scalesOfGroups(VersionChange &change)
{
    constexpr std::int64_t maxGroups = 1 << 20; // limited, since each group gets a scale and a bias
    const std::int64_t groups = change.integer("num_groups");
    const auto rank = change.knownRank(0);
    const auto dtype = change.knownDType(0);
    if (groups < 1 || groups > maxGroups)
        return change.reject("its number of groups makes no sense");
    if (!rank || *rank < 2 || !isWide(dtype))
        return change.reject("the rank is not known, or opset 18 computes it in another precision");
    const auto all = [&](double value) {
        return change.tensorOf(*dtype, {groups}, std::vector<double>(static_cast<std::size_t>(groups), value));
    };
    const auto type = change.result();
    const Operand normal = change.make("GroupNormalization", {change.input(0), all(1), all(0)},
                                       {{"num_groups", groups}, {"epsilon", change.number("epsilon", 1e-5)}}, type);
    const Operand scaled = change.make("Mul", {normal, alongChannels(change, 1, *rank)}, {}, type);
    change.replaceBy(change.make("Add", {scaled, alongChannels(change, 2, *rank)}, {}, type));
}

// ---- arithmetic

/// Gives the node a zero to add, since before opset 11 it has to add something; a zero broadcasts to every shape.
void addsZero(VersionChange &change)
{
    const ir::DType dtype = change.has(2) ? ir::DType::Float32 : change.dtype(0);
    if (!change.has(2) && !change.isRefused())
        change.setInputs({change.input(0), change.input(1), change.scalar(dtype, 0)});
}

/// Refuses operands that are not certain to have one shape, since they do not broadcast before opset 8.
void doesNotBroadcast(VersionChange &change)
{
    const auto first = change.tensor(0);
    for (std::size_t i = 1; i < change.inputCount(); ++i) {
        const auto other = change.tensor(i);
        if (!first || !other || !first->shape || !other->shape
            || !std::ranges::equal(*first->shape, *other->shape, ops::isSame))
            return change.reject("its inputs are not certain to be of one shape");
    }
}

/// Converts the exponent to the base's dtype, which it has to have before opset 12.
void exponentOfBase(VersionChange &change)
{
    const auto base = change.knownDType(0), exponent = change.knownDType(1);
    if (!base || !exponent)
        return change.reject("its dtypes are not known");
    if (base == exponent)
        return;
    if (!isWide(base) || !ir::isInteger(*exponent))
        return change.reject("its exponent is of another dtype");
    const Operand cast =
        change.make("Cast", {change.input(1)}, {{"to", ir::numberOf(*base, ir::Numbering::Onnx).value_or(1)}},
                    ops::tensorFact(base));
    change.setInputs({change.input(0), cast});
}

// ---- quantization

/// Refuses more than one scale, as there is a single one before opset 13.
void hasOneScale(VersionChange &change)
{
    if (change.knownRank(1) != 0U)
        return change.reject("it has a scale for each of an axis");
    change.dropAttribute("axis");
}

constexpr VersionRow numberVersions[] = {
    {"onnx::Softmax onnx::LogSoftmax onnx::Hardmax", 13, softmaxOfOneAxis, softmaxOfTheRest},
    {"onnx::Softmax onnx::LogSoftmax onnx::Hardmax", 11, nullptr, softmaxAxisFromFront},
    {"onnx::Clip", 11, limitsToInputs, limitsToAttributes},
    {"onnx::Dropout", 10, maskIsUnread, maskIsUnread},
    {"onnx::Dropout", 12, ratioToInput, ratioToAttribute},
    {"onnx::BatchNormalization", 9, placesToArithmetic, hasOneResult},
    {"onnx::BatchNormalization", 14, hasOneResult, hasOneResult},
    {"onnx::BatchNormalization", 15, nullptr, hasOneDType},
    {"onnx::GroupNormalization", 21, scalesOfChannels, scalesOfGroups},
    {"onnx::Gemm", 11, nullptr, addsZero},
    {"onnx::Max onnx::Min onnx::Mean onnx::Sum", 8, nullptr, doesNotBroadcast},
    {"onnx::Pow", 12, nullptr, exponentOfBase},
    {"onnx::QuantizeLinear onnx::DequantizeLinear", 13, nullptr, hasOneScale},
};

} // namespace

} // namespace cutaway::rules::to_onnx

namespace cutaway::rules {

Family numberVersions() { return {.versions = to_onnx::numberVersions}; }

} // namespace cutaway::rules
