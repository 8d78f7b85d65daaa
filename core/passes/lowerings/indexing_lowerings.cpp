// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/lowerings/onnx_node.h"

#include <algorithm>
#include <array>
#include <limits>

namespace cutaway::passes {

namespace {

using N = OnnxNode;
using Numbers = N::Numbers;

/// One known index takes its dimension away; others are as torch's brackets take them, negative ones from the end.
Parts gather(N &n)
{
    const auto axis = n.dimension(n.integer("axis", 0));
    const auto indices = n.tensor(1);
    if (!axis || !indices)
        return {};
    const auto known = n.elements(1);
    if (indices->rank() == 0 && known && known->size() == 1)
        return {n.d.make("select.int", {n.input(0), static_cast<std::int64_t>(*axis), known->front()})};
    std::vector<ir::Operand> places(*axis);
    places.push_back(n.d.cast(n.input(1), ir::DType::Int64).operand);
    return {n.d.make("index.Tensor", {n.input(0), ir::List{std::move(places)}})};
}

/// Places along a dimension, which torch's gather and scatter do not count from the end.
std::optional<Term> placesAlong(N &n, std::size_t axis)
{
    const auto x = n.tensor(0);
    const auto size = x ? ops::number(x->shape[axis]) : std::nullopt;
    if (!size || *size == 0)
        return std::nullopt;
    return n.d.make("remainder.Scalar", {n.d.cast(n.input(1), ir::DType::Int64), *size});
}

Parts gatherElements(N &n)
{
    const auto axis = n.dimension(n.integer("axis", 0));
    const auto places = axis ? placesAlong(n, *axis) : std::nullopt;
    return places ? Parts{n.d.make("gather", {n.input(0), static_cast<std::int64_t>(*axis), *places})} : Parts{};
}

/// The name that torch has for the node's reduction; "" for none.
std::optional<std::string_view> reductionOf(const N &n)
{
    const std::string_view name = n.text("reduction", "none");
    if (name == "none")
        return "";
    if (name == "add")
        return "sum";
    if (name == "mul")
        return "prod";
    if (name == "max")
        return "amax";
    return name == "min" ? std::optional<std::string_view>("amin") : std::nullopt;
}

Parts scatterElements(N &n)
{
    const auto axis = n.dimension(n.integer("axis", 0));
    const auto reduction = reductionOf(n);
    const auto places = axis && reduction ? placesAlong(n, *axis) : std::nullopt;
    if (!places)
        return {};
    const auto dim = static_cast<std::int64_t>(*axis);
    if (reduction->empty())
        return {n.d.make("scatter.src", {n.input(0), dim, *places, n.input(2)})};
    return {n.d.make("scatter_reduce.two", {n.input(0), dim, *places, n.input(2), n.d.word(*reduction)})};
}

/// The last dimension of the indices as a list of tensors: one for each dimension that is indexed.
std::optional<ir::Operand> indicesApart(N &n)
{
    const auto x = n.tensor(0), indices = n.tensor(1);
    const auto count = indices && indices->rank() > 0 ? ops::number(indices->shape.back()) : std::nullopt;
    if (!count || *count < 1 || !x || *count > std::ssize(x->shape))
        return std::nullopt;
    std::vector<Term> apart;
    for (std::int64_t i = 0; i < *count; ++i)
        apart.push_back(n.d.make("select.int", {n.d.cast(n.input(1), ir::DType::Int64), -1, i}));
    return Decomposition::list(apart);
}

/// The first dimensions are those of a batch: each sample is picked from by its own indices.
Parts gatherNd(N &n)
{
    const auto x = n.tensor(0), given = n.tensor(1);
    const auto apart = indicesApart(n);
    const auto batch = static_cast<std::size_t>(n.integer("batch_dims", 0));
    if (!apart || !x || !given)
        return n.refuse("how many dimensions it indexes is not known");
    if (batch == 0)
        return {n.d.make("index.Tensor", {n.input(0), *apart})};
    if (batch >= given->rank() || batch >= x->rank())
        return {};
    ir::List all;
    for (std::size_t i = 0; i < batch; ++i) {
        ir::Shape shape(given->rank() - 1, ir::Dim(std::int64_t{1}));
        shape[i] = x->shape[i];
        all.items.push_back(n.d.reshape(n.d.arange(x->shape[i]), shape).operand);
    }
    for (const ir::Operand &index : apart->as<ir::List>()->items)
        all.items.push_back(index);
    return {n.d.make("index.Tensor", {n.input(0), std::move(all)})};
}

Parts scatterNd(N &n)
{
    const auto reduction = reductionOf(n);
    const bool isPlain = reduction && (reduction->empty() || *reduction == "sum");
    const auto indices = isPlain ? indicesApart(n) : std::nullopt;
    return indices ? Parts{n.d.make("index_put", {n.input(0), *indices, n.input(2), !reduction->empty()})}
                   : n.refuse("torch puts or adds at such places, and does nothing else");
}

/// The first elements along one dimension in reverse, as many as a sample of the batch has.
Parts reverseSequence(N &n)
{
    const auto x = n.tensor(0);
    const std::int64_t time = n.integer("time_axis", 0), batch = n.integer("batch_axis", 1);
    if (!x || x->rank() < 2 || time < 0 || time > 1 || batch != 1 - time)
        return {};
    const ir::Dim &steps = x->shape[static_cast<std::size_t>(time)];
    const Term places = n.d.unsqueeze(n.d.arange(steps), 1), lengths = n.d.unsqueeze(n.input(1), 0);
    const Term turned = n.d.make("add.Scalar", {lengths - places, -1});
    Term source = where(compared("lt", places, lengths), turned, n.d.expand(places, {steps, x->shape[1 - time]}));
    if (time == 1)
        source = n.d.transposed(source, 0, 1);
    for (std::size_t i = 2; i < x->rank(); ++i)
        source = n.d.unsqueeze(source, static_cast<std::int64_t>(i));
    return {n.d.make("gather", {n.input(0), time, n.d.expand(source, x->shape)})};
}

Parts dataDecidesSize(N &n) { return n.refuse("only the data decides the size of its result"); }

Parts nonZero(N &n)
{
    const auto x = n.tensor(0);
    return x && x->rank() > 0 ? Parts{n.d.make("t", {n.d.make("nonzero", {n.input(0)})})} : Parts{};
}

/// Indices from -depth to depth - 1 name a place; others none.
Parts oneHot(N &n)
{
    const auto depth = n.elements(1);
    const auto indices = n.tensor(0);
    if (!depth || depth->size() != 1 || !indices || indices->rank() == 0)
        return {};
    const auto rank = static_cast<std::int64_t>(indices->rank());
    std::int64_t axis = n.integer("axis", -1);
    axis += axis < 0 ? rank + 1 : 0;
    if (axis < 0 || axis > rank)
        return {};
    const Term given = n.d.cast(n.input(0), ir::DType::Int64), zero = n.d.term(std::int64_t{0});
    const Term places = where(compared("lt", given, zero), n.d.make("add.Scalar", {given, depth->front()}), given);
    const Term isOn = compared("eq", n.d.unsqueeze(places, -1), n.d.arange(depth->front()));
    const Term on = n.d.make("select.int", {n.input(2), 0, 1}), off = n.d.make("select.int", {n.input(2), 0, 0});
    const Term made = where(isOn, on, off);
    return {axis == rank ? made : n.d.make("movedim.int", {made, -1, axis})};
}

Parts trilu(N &n)
{
    const auto k = n.has(1) ? n.elements(1) : std::optional(Numbers{0});
    if (!k || k->size() != 1)
        return {};
    return {n.d.make(n.integer("upper", 1) != 0 ? "triu" : "tril", {n.input(0), k->front()})};
}

Parts topK(N &n)
{
    const auto k = n.opset() < 10 ? std::optional(Numbers{n.integer("k", 1)}) : n.elements(1);
    if (!k || k->size() != 1)
        return n.refuse("how many it takes is not known");
    if (n.resultCount() != 2)
        return {};
    const auto made = n.d.makeAll(
        "topk",
        {n.input(0), k->front(), n.integer("axis", -1), n.integer("largest", 1) != 0, n.integer("sorted", 1) != 0}, 2);
    return {made[0], made[1]};
}

/// Blocks of a plane, each padded alike on both sides.
Parts columnsToImage(N &n)
{
    const auto image = n.elements(1), block = n.elements(2);
    const auto numbersOr = [&](std::string_view attribute, const Numbers &byDefault) {
        return n.hasAttribute(attribute) ? n.integers(attribute) : std::optional(byDefault);
    };
    const auto dilations = numbersOr("dilations", {1, 1}), strides = numbersOr("strides", {1, 1});
    const auto pads = numbersOr("pads", {0, 0, 0, 0});
    if (!image || !block || !dilations || !strides || !pads || image->size() != 2 || block->size() != 2
        || pads->size() != 4 || (*pads)[0] != (*pads)[2] || (*pads)[1] != (*pads)[3])
        return {};
    return {
        n.d.make("col2im",
                 {n.input(0), Decomposition::list(*image), Decomposition::list(*block), Decomposition::list(*dilations),
                  Decomposition::list({(*pads)[0], (*pads)[1]}), Decomposition::list(*strides)})};
}

constexpr std::array indexingRules{
    OnnxLowering{"onnx::Col2Im", columnsToImage},
    OnnxLowering{"onnx::Compress", dataDecidesSize},
    OnnxLowering{"onnx::Gather", gather},
    OnnxLowering{"onnx::GatherElements", gatherElements},
    OnnxLowering{"onnx::GatherND", gatherNd},
    OnnxLowering{"onnx::NonZero", nonZero},
    OnnxLowering{"onnx::OneHot", oneHot},
    OnnxLowering{"onnx::ReverseSequence", reverseSequence},
    OnnxLowering{"onnx::Scatter", scatterElements},
    OnnxLowering{"onnx::ScatterElements", scatterElements},
    OnnxLowering{"onnx::ScatterND", scatterNd},
    OnnxLowering{"onnx::TopK", topK},
    OnnxLowering{"onnx::Trilu", trilu},
    OnnxLowering{"onnx::Unique", dataDecidesSize},
    OnnxLowering{"com.microsoft::Trilu", trilu},
};

} // namespace

std::span<const OnnxLowering> indexingLowerings() { return indexingRules; }

} // namespace cutaway::passes
