// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diff/labels.h"

#include "core/base/overloaded.h"
#include "core/ir/context.h"
#include "core/ops/operator.h"

#include <algorithm>
#include <bit>
#include <span>

namespace cutaway::diff {

namespace {

Hash hashOf(const ir::Dim &dim)
{
    if (const auto *size = std::get_if<std::int64_t>(&dim))
        return mixed(1, static_cast<Hash>(*size));
    return std::holds_alternative<symbolic::Expr>(dim) ? 2 : 3;
}

bool isOne(const ir::Dim &dim)
{
    const auto *size = std::get_if<std::int64_t>(&dim);
    return size && *size == 1;
}

Hash spelling(const ir::NodeRef &node) { return mixed(diff::hashOf(node.dialect()), diff::hashOf(node.opName())); }

} // namespace

Hash kindOf(const ir::NodeRef &node)
{
    using enum ops::Category;
    const auto category = ops::categoryOf(node);
    if (category == Convolution || category == MatrixProduct || category == Attention || category == Normalization
        || category == Recurrent)
        return mixed(1, static_cast<Hash>(category));
    const ops::Operator *row = ops::findOperator(node.dialect(), node.opName());
    return diff::hashOf(row ? row->names : node.opName());
}

std::optional<ir::TensorId> mainWeight(const ir::Model &model, const Item &item)
{
    const auto size = [&](ir::TensorId id) { return elementCount(model.at(id)).value_or(0); };
    const auto largest = std::ranges::max_element(item.weights, {}, size);
    return largest == item.weights.end() ? std::nullopt : std::optional(*largest);
}

Labels Labeller::labels(const Item &item, Stage stage)
{
    if (!item.node)
        return {};
    switch (stage) {
    case Stage::Weighted:
        return ofWeighted(item);
    case Stage::Data:
        return ofData(item);
    case Stage::Everything:
        break;
    }
    return ofNode(item);
}

Labels Labeller::ofWeighted(const Item &item)
{
    const ir::NodeRef &node = *item.node;
    const auto weight = mainWeight(m_side.model, item);
    const Hash category = mixed(1, static_cast<Hash>(ops::categoryOf(node)));
    const Hash shape = mixed(category, weight ? m_weights.shape(*weight) : 0);
    const Hash sizes = mixed(shape, resultSizes(node));
    const Hash content = mixed(sizes, weight ? m_weights.content(*weight).value_or(0) : 0);
    return {content, sizes, shape, category};
}

Labels Labeller::ofData(const Item &item)
{
    const ir::NodeRef &node = *item.node;
    // Adding a bias differs from adding two tensors, so it counts whether a node has weights. A convolution always has
    // weights, even if they are packed.
    const bool isConvolution = ops::categoryOf(node) == ops::Category::Convolution;
    const Hash kind =
        mixed(mixed(kindOf(node), isConvolution || item.weights.empty() ? 0 : 1), givesWholeNumbers(node) ? 1 : 0);
    const Hash sizes = mixed(kind, resultSizes(node));
    const Hash written = mixed(sizes, mixed(spelling(node), arguments(node)));
    return {mixed(written, weightContents(item)), written, sizes, kind};
}

Labels Labeller::ofNode(const Item &item)
{
    const ir::NodeRef &node = *item.node;
    const Hash op = mixed(spelling(node), node->regions.size());
    const Hash shapes = mixed(op, weightShapes(item));
    const Hash given = mixed(shapes, arguments(node));
    return {mixed(mixed(given, results(node)), weightContents(item)), given, shapes, op};
}

/// Whether a node's results are integers. A node that computes indices or sizes does not match one that computes with
/// data, though the operator is the same.
bool Labeller::givesWholeNumbers(const ir::NodeRef &node) const
{
    const ops::TensorFact *tensor =
        node->outputs.empty() ? nullptr : ops::asTensor(m_side.analysis.shapes.of(node->outputs[0]));
    return tensor && (tensor->dtype == ir::DType::Int64 || tensor->dtype == ir::DType::Int32);
}

/// Hashes the sizes of the first result, independently of the order of dimensions.
Hash Labeller::resultSizes(const ir::NodeRef &node) const
{
    const ops::TensorFact *tensor =
        node->outputs.empty() ? nullptr : ops::asTensor(m_side.analysis.shapes.of(node->outputs[0]));
    if (!tensor || !tensor->shape)
        return 0;
    std::vector<Hash> sizes;
    for (const ir::Dim &dim : *tensor->shape)
        if (!isOne(dim))
            sizes.push_back(hashOf(dim));
    return mixedInAnyOrder(1, std::move(sizes));
}

Hash Labeller::results(const ir::NodeRef &node) const
{
    Hash hash = node.outputCount();
    for (const ir::ValueId output : node->outputs) {
        const ops::TensorFact *tensor = ops::asTensor(m_side.analysis.shapes.of(output));
        hash = mixed(hash, tensor && tensor->dtype ? 2 + static_cast<Hash>(*tensor->dtype) : 1);
        for (const ir::Dim &dim : tensor && tensor->shape ? *tensor->shape : ir::Shape())
            hash = mixed(hash, hashOf(dim));
    }
    return hash;
}

Hash Labeller::arguments(const ir::NodeRef &node) const
{
    Hash hash = node->arguments.size();
    for (const ir::Argument &argument : node->arguments)
        hash = mixed(mixed(hash, diff::hashOf(m_side.graph().context().text(argument.name))), operand(argument.value));
    return hash;
}

Hash Labeller::operand(const ir::Operand &given) const
{
    const auto items = [&](std::span<const ir::Operand> list) {
        Hash hash = list.size();
        for (const ir::Operand &item : list)
            hash = mixed(hash, operand(item));
        return hash;
    };
    const Hash value =
        std::visit(Overloaded{
                       [](std::int64_t n) { return static_cast<Hash>(n); },
                       [](double x) { return std::bit_cast<Hash>(x); },
                       [](bool b) { return Hash{b}; },
                       [&](const ir::String &s) { return diff::hashOf(m_side.graph().context().text(s.text)); },
                       [](ir::DType dtype) { return static_cast<Hash>(dtype); },
                       [](const symbolic::Expr &expr) { return diff::hashOf(symbolic::print(expr)); },
                       [&](const ir::List &list) { return items(list.items); },
                       [&](const ir::Dict &dict) { return items(dict.items); },
                       [](const auto &) { return Hash{0}; },
                   },
                   given.v);
    return mixed(given.as<ir::TensorId>() ? 1 : given.v.index(), value);
}

Hash Labeller::weightShapes(const Item &item) const
{
    Hash hash = item.weights.size();
    for (const ir::TensorId weight : item.weights)
        hash = mixed(hash, m_weights.shape(weight));
    return hash;
}

Hash Labeller::weightContents(const Item &item)
{
    Hash hash = weightShapes(item);
    for (const ir::TensorId weight : item.weights)
        hash = mixed(hash, m_weights.content(weight).value_or(0));
    return hash;
}

} // namespace cutaway::diff
