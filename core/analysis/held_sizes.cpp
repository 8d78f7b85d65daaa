// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/held_sizes.h"

#include "core/base/checked.h"
#include "core/base/formatted.h"
#include "core/ir/context.h"
#include "core/ops/fact_source.h"
#include "core/ops/kind.h"
#include "core/ops/operator.h"
#include "core/ops/tensor/expanding.h"
#include "core/ops/tensor/slicing.h"
#include "core/ops/tensor/view.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

// Exporters write sizes as numbers: a Reshape to [1, 2048], a Slice that ends at 512. With other sizes given such a
// node fails, or works and mixes up what belongs to different examples. No shape alone says that a number is a size of
// the input, so two propagations are compared, one with the file's sizes and one with those that are given. If an
// operand has another size in the second propagation, a number that equals its size in the first one, and is the same
// in the second, holds the size back.
//
// A reshape is cut into groups of dimensions with as many elements on both sides, [1, 12, 64] to [1, 768] into 1 to 1
// and 12, 64 to 768. A group whose target sizes are all numbers can only have as many elements as before.

namespace cutaway::analysis {

namespace {

using ir::Dim;
using ir::Shape;

using Sizes = std::vector<std::int64_t>;

std::optional<Sizes> numbersOf(const Shape &shape)
{
    Sizes sizes;
    for (const Dim &dim : shape)
        if (const auto n = ops::number(dim))
            sizes.push_back(*n);
    return sizes.size() == shape.size() ? std::optional(std::move(sizes)) : std::nullopt;
}

/// A range of dimensions in each of two shapes; both ranges have the same number of elements.
struct Group {
    std::size_t firstIn, endIn, firstOut, endOut;
};

/// Divides two shapes into groups. Returns nothing if the shapes have different numbers of elements, or no elements.
std::vector<Group> groupsOf(const Sizes &in, const Sizes &out)
{
    std::vector<Group> groups;
    std::size_t i = 0, o = 0;
    while (i < in.size() && o < out.size()) {
        Group group{i, i + 1, o, o + 1};
        std::optional<std::int64_t> a = in[i++], b = out[o++];
        while (a && b && *a != *b && (*a < *b ? i < in.size() : o < out.size())) {
            if (*a < *b)
                a = checkedMultiply(*a, in[i++]);
            else
                b = checkedMultiply(*b, out[o++]);
        }
        if (!a || a != b || *a == 0)
            return {};
        group.endIn = i;
        group.endOut = o;
        groups.push_back(group);
    }
    if (!groups.empty() && o == out.size())
        groups.back().endIn = in.size(); // the dimensions that are left have size 1
    return groups;
}

/// The shapes of one tensor: with the file's sizes, and with the given ones.
struct Both {
    const Shape *file = nullptr, *given = nullptr; ///< nullptr: of unknown rank

    bool areKnown() const { return file && given && file->size() == given->size(); }
    bool differ() const { return areKnown() && !std::ranges::equal(*file, *given, ops::isSame); }
};

class Search {
public:
    Search(const ir::Model &model, const ir::Graph &graph, const Shapes &file, const Shapes &given)
        : m_model(model),
          m_graph(graph),
          m_file(file),
          m_given(given)
    {
        for (const Stop &stop : file.stops)
            if (stop.isContradiction)
                m_wrongInFile.insert(stop.node.index);
        for (const Stop &stop : given.stops)
            if (stop.isContradiction)
                m_wrong.emplace(stop.node, &stop);
    }

    std::vector<HeldSize> run()
    {
        std::vector<HeldSize> found;
        for (std::uint32_t i = 0; i < m_graph.nodeCount(); ++i) {
            const ir::NodeRef node(m_graph, ir::NodeId{i});
            if (node->removed || node->arguments.empty())
                continue;
            std::string message = heldBy(node);
            if (message.empty())
                message = contradictionAt(node);
            if (!message.empty())
                found.push_back({node, std::move(message)});
        }
        return found;
    }

private:
    Both of(ir::ValueId value) const
    {
        const auto shapeOf = [&](const Shapes &shapes) {
            const auto *tensor = ops::asTensor(shapes.of(value));
            return tensor && tensor->shape ? &*tensor->shape : nullptr;
        };
        return {shapeOf(m_file), shapeOf(m_given)};
    }

    Both of(const ir::Operand &operand) const
    {
        const auto *value = operand.as<ir::ValueId>();
        return value ? of(*value) : Both{};
    }

    std::string heldBy(const ir::NodeRef &node) const
    {
        const Both operand = of(node->arguments.front().value);
        if (!operand.differ() || node->outputs.empty())
            return {};
        const Both result = of(node->outputs.front());
        const ops::OperatorKind kind = ops::kindOf(node);
        if (kind == ops::kind::reshape)
            return heldByReshape(node, operand, result);
        if (kind == ops::kind::expand)
            return heldByExpand(node, operand, result);
        const bool isSlice = kind == ops::kind::slice || kind == ops::kind::narrow;
        return isSlice ? heldBySlice(operand, result) : std::string();
    }

    /// The sizes that a node takes as an argument, if they are the same with the file's sizes and with the given ones.
    struct Target {
        std::vector<Dim> sizes;
        bool isConstant = false;

        std::string text(std::string_view held) const
        {
            return "its target " + ir::print(Shape(sizes)) + (isConstant ? " is a constant: " : " stays as it is: ")
                + std::string(held);
        }
    };
    std::optional<Target> targetOf(const ir::NodeRef &node) const
    {
        for (const ir::Argument &argument : std::span(node->arguments).subspan(1)) {
            auto sizes = sizesOf(argument.value, m_given);
            if (!sizes)
                continue;
            const auto before = sizesOf(argument.value, m_file);
            if (before != sizes)
                return std::nullopt;
            return Target{std::move(*sizes), isConstant(argument.value)};
        }
        return std::nullopt;
    }

    std::optional<std::vector<Dim>> sizesOf(const ir::Operand &operand, const Shapes &shapes) const
    {
        const ops::FactsOfValues source([&](ir::ValueId id) -> const ops::Fact & { return shapes.of(id); });
        return ops::asInts(ops::factOf(*m_model.context, source, operand));
    }

    /// Whether the operand is a constant of the file, or computed from constants alone.
    bool isConstant(const ir::Operand &operand, int depth = 0) const
    {
        bool isConstantSoFar = depth < maxConstantDepth;
        ir::forEachValue(operand, [&](ir::ValueId id) {
            const ir::ValueRef value(m_graph, id);
            const auto maker = value.producer();
            const auto isMadeOfConstants = [&] {
                return maker && std::ranges::all_of((*maker)->arguments, [&](const ir::Argument &argument) {
                           return isConstant(argument.value, depth + 1);
                       });
            };
            isConstantSoFar = isConstantSoFar && (value.weight() || isMadeOfConstants());
        });
        return isConstantSoFar;
    }
    static constexpr int maxConstantDepth = 8; ///< enough for a Concat of Unsqueezes of Constants

    static std::string heldText(std::size_t dimension, const Dim &held, const Dim &wanted)
    {
        return formatted("dimension {} stays {}, where the given sizes make {}", dimension, ir::print(held),
                         ir::print(wanted));
    }

    std::string heldByReshape(const ir::NodeRef &node, const Both &operand, const Both &result) const
    {
        const auto target = targetOf(node);
        const auto in = numbersOf(*operand.file), out = result.file ? numbersOf(*result.file) : std::nullopt;
        if (!target || !in || !out || out->size() != target->sizes.size())
            return {};
        for (const Group &group : groupsOf(*in, *out)) {
            const std::span<const Dim> now =
                std::span(*operand.given).subspan(group.firstIn, group.endIn - group.firstIn);
            const std::span<const Dim> held =
                std::span(target->sizes).subspan(group.firstOut, group.endOut - group.firstOut);
            const bool areNumbers =
                std::ranges::all_of(held, [](const Dim &d) { return ops::number(d).value_or(0) > 0; });
            const Dim elements = ops::product(now);
            if (!areNumbers || !ops::isKnown(elements) || ops::isSame(elements, ops::product(held)))
                continue;
            if (held.size() == 1)
                return target->text(heldText(group.firstOut, held.front(), elements));
            return target->text(formatted("dimensions {} to {} hold {} elements, where the given sizes make {}",
                                          group.firstOut, group.endOut - 1, ir::print(ops::product(held)),
                                          ir::print(elements)));
        }
        return {};
    }

    std::string heldByExpand(const ir::NodeRef &node, const Both &operand, const Both &result) const
    {
        const auto target = targetOf(node);
        if (!target || target->sizes.size() < operand.given->size())
            return {};
        const std::size_t added = target->sizes.size() - operand.given->size();
        for (std::size_t i = 0; i < operand.given->size(); ++i) {
            const Dim &held = target->sizes[added + i], &now = (*operand.given)[i];
            const bool follows = result.given && result.given->size() == target->sizes.size()
                && ops::isSame((*result.given)[added + i], now);
            if (ops::isSame(held, (*operand.file)[i]) && !ops::isSame(held, now) && !follows)
                return target->text(heldText(added + i, held, now));
        }
        return {};
    }

    /// Returns the reason if a slice that covers a whole dimension in the file covers only a part of it with the given
    /// sizes; else "".
    static std::string heldBySlice(const Both &operand, const Both &result)
    {
        if (!result.areKnown() || result.given->size() != operand.given->size())
            return {};
        for (std::size_t i = 0; i < operand.given->size(); ++i) {
            const Dim &all = (*operand.file)[i], &taken = (*result.file)[i], &now = (*result.given)[i];
            if (ops::isSame(all, taken) && ops::isSame(taken, now) && !ops::isSame((*operand.given)[i], now))
                return "it ends at a constant: " + heldText(i, now, (*operand.given)[i]);
        }
        return {};
    }

    /// The reason why the node is impossible with the given sizes, though not with the file's; "" if there is none.
    std::string contradictionAt(const ir::NodeRef &node) const
    {
        const auto stop = m_wrong.find(node);
        if (stop == m_wrong.end() || m_wrongInFile.contains(node.id().index) || !stop->second->isReached)
            return {};
        std::string message = stop->second->reason, others;
        bool follows = false;
        for (const ir::Argument &argument : node->arguments)
            ir::forEachValue(argument.value, [&](ir::ValueId value) {
                const Both sizes = of(value);
                follows |= sizes.differ();
                if (sizes.areKnown() && !sizes.differ() && !sizes.given->empty())
                    others += (others.empty() ? "" : ", ") + std::string(ir::ValueRef(m_graph, value).name()) + " "
                        + ir::print(*sizes.given);
            });
        if (follows && !others.empty())
            message += "; the given sizes do not change " + others;
        return message;
    }

    const ir::Model &m_model;
    const ir::Graph &m_graph;
    const Shapes &m_file;
    const Shapes &m_given;
    std::unordered_set<std::uint32_t> m_wrongInFile; ///< nodes that are contradictions with the file's sizes, too
    std::unordered_map<ir::NodeId, const Stop *> m_wrong;
};

} // namespace

std::vector<HeldSize> heldSizes(const ir::Model &model, ir::FunctionId function, const Given &given,
                                const Shapes &shapes, const Task &task)
{
    if (given.replaced.empty())
        return {};
    Given file{given.bindings, given.inputs, {}};
    for (const auto &[name, type] : given.replaced)
        file.inputs.insert_or_assign(name, ops::factOf(*model.context, type));
    const Shapes before = inferShapes(model, function, file, task, &shapes);
    return Search(model, model.at(function).graph, before, shapes).run();
}

} // namespace cutaway::analysis
