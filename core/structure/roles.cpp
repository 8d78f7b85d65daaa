// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/structure/roles.h"

#include "core/ir/context.h"
#include "core/ops/category.h"
#include "core/ops/network/activation.h"
#include "core/ops/network/convolution.h"
#include "core/ops/network/pooling.h"
#include "core/ops/operator.h"
#include "core/ops/tensor/arithmetic.h"
#include "core/ops/tensor/indexing.h"
#include "core/ops/tensor/joining.h"

#include <algorithm>
#include <boost/algorithm/string/predicate.hpp>
#include <boost/container_hash/hash.hpp>
#include <optional>

namespace cutaway::structure {

namespace {

constexpr int mostCopies = 4; ///< limit of copies between a weight and the node that computes with it

bool isOneOf(ops::OperatorKind kind, std::initializer_list<std::string_view> names)
{
    return std::ranges::any_of(names, [&](std::string_view name) { return kind == ops::OperatorKind(name); });
}

/// Whether an operator whose kind has no trait belongs to a family, by its name: "MaxPool" or "max_pool2d".
bool isNamedAfter(ops::OperatorKind kind, std::string_view word)
{
    return boost::algorithm::icontains(kind.name(), word);
}

std::size_t hashOf(const ir::Operand &operand)
{
    std::size_t seed = operand.v.index();
    if (const auto *whole = operand.as<std::int64_t>())
        boost::hash_combine(seed, *whole);
    else if (const auto *real = operand.as<double>())
        boost::hash_combine(seed, *real);
    else if (const auto *flag = operand.as<bool>())
        boost::hash_combine(seed, *flag);
    else if (const auto *text = operand.as<ir::String>())
        boost::hash_combine(seed, text->text.index);
    else if (const auto *list = operand.as<ir::List>())
        for (const ir::Operand &item : list->items)
            boost::hash_combine(seed, hashOf(item));
    return seed;
}

/// Returns the largest number in an argument; 1 if there is none.
std::int64_t largestOf(const ir::Operand *operand)
{
    std::int64_t largest = 1;
    if (!operand)
        return largest;
    if (const auto *whole = operand->as<std::int64_t>())
        largest = std::max(largest, *whole);
    if (const auto *list = operand->as<ir::List>())
        for (const ir::Operand &item : list->items)
            if (const auto *whole = item.as<std::int64_t>())
                largest = std::max(largest, *whole);
    return largest;
}

const ir::Operand *firstOf(const ir::NodeRef &node, std::initializer_list<std::string_view> names)
{
    for (const std::string_view name : names)
        if (const ir::Operand *operand = node.argument(name))
            return operand;
    return nullptr;
}

std::int64_t numberOf(const ir::Dim &dim)
{
    const auto *size = std::get_if<std::int64_t>(&dim);
    return size ? *size : 0;
}

std::int64_t widthOf(const ir::Shape &weight, Role role)
{
    const bool isLast = role == Role::Linear || role == Role::UpConvolution;
    return numberOf(isLast ? weight[weight.size() > 2 && role == Role::UpConvolution ? 1 : weight.size() - 1]
                           : weight[0]);
}

Role convolutionRole(const ir::NodeRef &node, ops::OperatorKind kind, const ir::Shape *weight)
{
    if (kind == ops::kind::convTranspose)
        return Role::UpConvolution;
    const bool isGrouped = largestOf(firstOf(node, {"group", "groups"})) > 1;
    if (isGrouped && weight && numberOf((*weight)[1]) == 1)
        return Role::Depthwise;
    const bool isPointwise = weight && weight->size() > 2
        && std::all_of(weight->begin() + 2, weight->end(), [](const ir::Dim &dim) { return numberOf(dim) == 1; });
    return isPointwise ? Role::Pointwise : Role::Convolution;
}

Role activationRole(ops::OperatorKind kind)
{
    if (kind == ops::kind::sigmoid || kind == ops::kind::hardSigmoid)
        return Role::Sigmoid;
    if (kind == ops::kind::tanh)
        return Role::Tanh;
    if (kind == ops::kind::softmax || kind == ops::kind::logSoftmax)
        return Role::Softmax;
    return Role::Activation;
}

Role arithmeticRole(ops::OperatorKind kind)
{
    if (kind == ops::kind::clamp)
        return Role::Activation;
    if (kind == ops::kind::add || isOneOf(kind, {"sum"}))
        return Role::Add;
    return kind == ops::kind::mul ? Role::Mul : Role::Arithmetic;
}

Role reductionRole(ops::OperatorKind kind)
{
    if (isOneOf(kind, {"globalaveragepool", "globalmaxpool"}) || kind == ops::kind::adaptiveAvgPool
        || kind == ops::kind::adaptiveMaxPool)
        return Role::GlobalPool;
    return isNamedAfter(kind, "pool") ? Role::Pool : Role::Mean;
}

Role viewRole(ops::OperatorKind kind)
{
    if (kind == ops::kind::cat || isOneOf(kind, {"stack"}))
        return Role::Concat;
    if (isOneOf(kind, {"split", "chunk", "splitwithsizes", "unbind", "tensorsplit"}))
        return Role::Split;
    if (isOneOf(kind, {"resize", "depthtospace", "pixelshuffle", "interpolate"}) || isNamedAfter(kind, "upsample"))
        return Role::Resize;
    return Role::View;
}

bool isSuppression(ops::OperatorKind kind) { return isNamedAfter(kind, "suppression") || isOneOf(kind, {"nms"}); }

Role roleOf(const ir::NodeRef &node, ops::OperatorKind kind, const ir::Shape *weight)
{
    if (isSuppression(kind))
        return Role::Suppression;
    switch (ops::categoryOf(node)) {
    case ops::Category::Convolution:
        return convolutionRole(node, kind, weight);
    case ops::Category::MatrixProduct:
        return weight ? Role::Linear : Role::Product;
    case ops::Category::Attention:
        return Role::Attention;
    case ops::Category::Recurrent:
        return Role::Recurrent;
    case ops::Category::Normalization:
        return Role::Norm;
    case ops::Category::Activation:
        return activationRole(kind);
    case ops::Category::Elementwise:
        return arithmeticRole(kind);
    case ops::Category::Reduction:
        return reductionRole(kind);
    case ops::Category::ShapeView:
        return viewRole(kind);
    case ops::Category::Indexing:
        return weight ? Role::Embedding : viewRole(kind);
    default:
        return viewRole(kind) == Role::Resize ? Role::Resize : Role::Other;
    }
}

int scaleOf(const ir::NodeRef &node, ops::OperatorKind kind, Role role)
{
    const ir::Operand *stride = firstOf(node, {"strides", "stride"});
    switch (role) {
    case Role::Convolution:
    case Role::Pointwise:
    case Role::Depthwise:
        return largestOf(stride) > 1 ? 1 : 0;
    case Role::Pool: {
        const auto *list = stride ? stride->as<ir::List>() : nullptr;
        const bool isLeftOut = node.isOnnx() ? false : !list || list->items.empty();
        return largestOf(isLeftOut ? firstOf(node, {"kernel_size"}) : stride) > 1 ? 1 : 0;
    }
    case Role::UpConvolution:
        return largestOf(stride) > 1 ? -1 : 0;
    case Role::Resize:
        return -1;
    default:
        return isOneOf(kind, {"spacetodepth", "pixelunshuffle"}) ? 1 : 0;
    }
}

} // namespace

bool isWeighted(Role role)
{
    switch (role) {
    case Role::Convolution:
    case Role::Pointwise:
    case Role::Depthwise:
    case Role::UpConvolution:
    case Role::Linear:
    case Role::Product:
    case Role::Attention:
    case Role::Recurrent:
        return true;
    default:
        return false;
    }
}

void RoleFinder::describe(std::span<const ir::NodeId> step, Place &place) const
{
    if (step.size() == 1)
        return describe(ir::NodeRef(m_graph, step.front()), place);
    place.role = Role::Module;
    for (const ir::NodeId node : step)
        boost::hash_combine(place.token, m_graph.at(node).op.index);
    place.print = place.token;
}

void RoleFinder::describe(const ir::NodeRef &node, Place &place) const
{
    const ops::OperatorKind kind = ops::kindOf(node);
    const ir::Shape *weight = weightOf(node);
    place.role = roleOf(node, kind, weight);
    place.scale = scaleOf(node, kind, place.role);
    if (weight && isWeighted(place.role))
        place.width = widthOf(*weight, place.role);
    place.isErf = kind == ops::kind::erf;
    place.isRoot = kind == ops::kind::sqrt || isOneOf(kind, {"rsqrt"});
    place.isVariance = isOneOf(kind, {"var", "varmean"});
    place.token = static_cast<std::size_t>(place.role);
    const bool isPlainRole = place.role == Role::Arithmetic || place.role == Role::Other || place.role == Role::View
        || place.role == Role::Mean;
    place.op = node->op;
    if (isPlainRole)
        boost::hash_combine(place.token, node->op.index);
    place.print = node->op.index;
    for (const ir::Argument &argument : node->arguments)
        boost::hash_combine(place.print, hashOf(argument.value));
    forEachRead(*node, [&](ir::ValueId id) {
        const ir::ValueRef value(m_graph, id);
        if (const ir::TensorType *type = value.weight() ? value.tensorType() : nullptr; type && type->shape)
            for (const ir::Dim &dim : *type->shape)
                boost::hash_combine(place.print, numberOf(dim));
    });
}

const ir::Shape *RoleFinder::shapeBehind(ir::ValueId id) const
{
    for (int i = 0; i < mostCopies; ++i) {
        const ir::ValueRef value(m_graph, id);
        if (value.weight()) {
            const ir::TensorType *type = value.tensorType();
            return type && type->shape ? &*type->shape : nullptr;
        }
        const auto maker = value.producer();
        std::optional<ir::ValueId> first;
        if (maker && m_prepares(id))
            forEachRead(**maker, [&](ir::ValueId read) { first = first ? first : std::optional(read); });
        if (!first)
            return nullptr;
        id = *first;
    }
    return nullptr;
}

const ir::Shape *RoleFinder::weightOf(const ir::NodeRef &node) const
{
    const ops::Category category = ops::categoryOf(node);
    const bool may = category == ops::Category::Convolution || category == ops::Category::MatrixProduct
        || category == ops::Category::Indexing || category == ops::Category::Recurrent;
    const ir::Shape *found = nullptr;
    if (may)
        forEachRead(*node, [&](ir::ValueId read) {
            const ir::Shape *shape = found ? nullptr : shapeBehind(read);
            if (shape && shape->size() >= 2)
                found = shape;
        });
    return found;
}

} // namespace cutaway::structure
