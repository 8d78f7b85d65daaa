// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/reading/written.h"

#include "core/ops/operator.h"

#include <algorithm>
#include <numeric>
#include <optional>

// Values that may share memory form a class; if one of them may be written to, all may. Sharing follows the schema's
// aliases; without a schema, all inputs and outputs of a node share.

namespace cutaway::analysis {

namespace {

using ir::ValueId;

class Classes {
public:
    explicit Classes(std::uint32_t count) : m_parent(count), m_isWritten(count)
    {
        std::iota(m_parent.begin(), m_parent.end(), 0u);
    }

    std::uint32_t of(ValueId value)
    {
        std::uint32_t at = value.index;
        while (m_parent[at] != at)
            at = m_parent[at] = m_parent[m_parent[at]];
        return at;
    }

    void join(ValueId a, ValueId b)
    {
        const std::uint32_t x = of(a);
        const std::uint32_t y = of(b);
        m_parent[x] = y;
        m_isWritten[y] = m_isWritten[x] || m_isWritten[y];
    }

    void write(ValueId value) { m_isWritten[of(value)] = true; }
    bool isWritten(ValueId value) { return m_isWritten[of(value)]; }

private:
    std::vector<std::uint32_t> m_parent;
    std::vector<bool> m_isWritten;
};

class WriteSearch {
public:
    WriteSearch(const ir::Graph &graph, ops::Signatures &signatures)
        : m_graph(graph),
          m_signatures(signatures),
          m_classes(graph.valueCount())
    {
    }

    std::unordered_set<ValueId> run()
    {
        visit(ir::Graph::body);
        std::unordered_set<ValueId> written;
        for (std::uint32_t i = 0; i < m_graph.valueCount(); ++i)
            if (m_classes.isWritten({i}))
                written.insert({i});
        return written;
    }

private:
    void visit(ir::RegionId region)
    {
        for (const ir::NodeRef node : ir::nodesOf(m_graph, region)) {
            if (const auto *signature = node->regions.empty() ? m_signatures.of(node->op) : nullptr)
                bySchema(node, signature->schema);
            else if (!node.isOnnx())
                shareAll(node, mayWrite(node));
            for (const ir::RegionId inner : node->regions)
                visit(inner);
        }
    }

    /// Whether the operator is unknown, changes an object, or calls a function, and so may write to any argument.
    static bool mayWrite(const ir::NodeRef &node)
    {
        const ops::Operator *row = ops::findOperator(node.dialect(), node.opName());
        return !row || row->traits.effect == ops::Effect::Acts
            || (row->pattern == ops::Pattern::Control && !row->shape);
    }

    void bySchema(const ir::NodeRef &node, const ops::Schema &schema)
    {
        std::optional<ValueId> shared;
        std::size_t unnamed = 0;
        const bool givesItems = std::ranges::any_of(
            schema.returns, [](const ops::SchemaArgument &result) { return holdsObjects(result.type); });
        for (const ir::Argument &argument : node->arguments) {
            const ops::SchemaArgument *declared = find(schema, argument, unnamed);
            if (declared && hasAlias(declared->type))
                forEachValue(argument.value, [&](ValueId value) {
                    share(shared, value);
                    if (isWritten(declared->type))
                        m_classes.write(value);
                });
            else if (declared && givesItems && holdsObjects(declared->type))
                forEachValue(argument.value, [&](ValueId value) {
                    if (!holdsNumbers(value))
                        share(shared, value);
                });
        }
        // A .pt2 has each item of the list as a result of its own.
        const bool isListOfParts = schema.returns.size() == 1 && node.outputCount() > 1;
        for (std::size_t i = 0; i < node.outputCount(); ++i) {
            const std::size_t declared = isListOfParts ? 0 : i;
            if (declared < schema.returns.size()
                && (hasAlias(schema.returns[declared].type) || holdsObjects(schema.returns[declared].type)))
                share(shared, node.output(i));
        }
    }

    const ops::SchemaArgument *find(const ops::Schema &schema, const ir::Argument &argument, std::size_t &unnamed)
    {
        if (argument.name == ir::NameId{})
            return unnamed < schema.arguments.size() ? &schema.arguments[unnamed++] : nullptr;
        const auto place =
            std::ranges::find(schema.arguments, m_graph.context().text(argument.name), &ops::SchemaArgument::name);
        return place == schema.arguments.end() ? nullptr : &*place;
    }

    static bool hasAlias(const ops::SchemaType &type)
    {
        return type.alias || std::ranges::any_of(type.elements, hasAlias);
    }

    /// Whether a type is a list, tuple or dictionary of tensors or of lists. A container that is made from another has
    /// the same items, which no schema declares.
    static bool holdsObjects(const ops::SchemaType &type)
    {
        using Kind = ops::SchemaType::Kind;
        return std::ranges::any_of(type.elements, [](const ops::SchemaType &element) {
            return element.kind == Kind::Variable || element.name == "Tensor" || holdsObjects(element);
        });
    }

    bool holdsNumbers(ValueId value) const
    {
        const auto *type = std::get_if<ir::CompoundType>(&ir::ValueRef(m_graph, value).type());
        return type && !type->elements.empty() && std::ranges::all_of(type->elements, [&](ir::TypeId element) {
                   const ir::Type &held = m_graph.context().at(element);
                   const auto *plain = std::get_if<ir::PlainType>(&held);
                   return std::holds_alternative<ir::NumberType>(held)
                       || (plain && plain->kind == ir::PlainType::Kind::String);
               });
    }

    static bool isWritten(const ops::SchemaType &type)
    {
        return type.isWritten() || std::ranges::any_of(type.elements, isWritten);
    }

    /// Lets the results and the arguments of a node share memory: for a node with regions, a container or an unknown
    /// operator.
    void shareAll(const ir::NodeRef &node, bool mayWrite)
    {
        std::optional<ValueId> shared;
        for (const ir::Argument &argument : node->arguments)
            forEachValue(argument.value, [&](ValueId value) {
                share(shared, value);
                if (mayWrite && node->regions.empty())
                    m_classes.write(value);
            });
        for (const ValueId output : node->outputs)
            share(shared, output);
        for (const ir::RegionId region : node->regions) {
            for (const ValueId input : m_graph.at(region).inputs)
                share(shared, input);
            for (const ir::Operand &output : m_graph.at(region).outputs)
                forEachValue(output, [&](ValueId value) { share(shared, value); });
        }
    }

    void share(std::optional<ValueId> &first, ValueId value)
    {
        if (first)
            m_classes.join(value, *first);
        else
            first = value;
    }

    const ir::Graph &m_graph;
    ops::Signatures &m_signatures;
    Classes m_classes;
};

} // namespace

std::unordered_set<ir::ValueId> writtenValues(const ir::Graph &graph, ops::Signatures &signatures)
{
    return WriteSearch(graph, signatures).run();
}

} // namespace cutaway::analysis
