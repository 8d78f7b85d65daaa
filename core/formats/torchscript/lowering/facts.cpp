// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/lowering/facts.h"

#include <algorithm>

namespace cutaway::formats::torchscript {

namespace {

/// A set of names in the order in which they were added.
class Names {
public:
    void add(std::string_view name)
    {
        if (m_known.insert(name).second)
            m_names.push_back(name);
    }
    void add(const std::vector<std::string_view> &names)
    {
        for (const std::string_view name : names)
            add(name);
    }
    std::vector<std::string_view> take() { return std::move(m_names); }

private:
    std::vector<std::string_view> m_names;
    std::unordered_set<std::string_view> m_known;
};

} // namespace

std::optional<OperatorName> operatorNamed(std::string_view dotted)
{
    const std::size_t dot = dotted.rfind('.');
    if (dotted.starts_with("torch.") && dot == 5)
        return OperatorName{"aten", dotted.substr(6)};
    if (dotted.starts_with("ops.") && dot > 4)
        return OperatorName{dotted.substr(4, dot - 4), dotted.substr(dot + 1)};
    return std::nullopt;
}

Facts::Facts(const Tree &tree, const Function &function, const Changes &changes)
    : m_tree(tree),
      m_changes(changes),
      m_self(function.parameters.empty() ? "" : function.parameters.front().name)
{
    block(function.body);
}

bool Facts::isReadWithin(std::string_view name, Extent extent) const
{
    const auto reads = m_reads.find(name);
    if (reads == m_reads.end())
        return false;
    const auto first = std::ranges::lower_bound(reads->second, extent.begin);
    return first != reads->second.end() && *first < extent.end;
}

bool Facts::isReadAfter(std::string_view name, Extent extent) const
{
    const auto reads = m_reads.find(name);
    return reads != m_reads.end() && reads->second.back() >= extent.end;
}

std::vector<std::string_view> Facts::block(const Block &block)
{
    Names names;
    for (const StatementId id : block)
        names.add(statement(id));
    return m_assigned[&block] = names.take();
}

std::vector<std::string_view> Facts::statement(StatementId id)
{
    const std::uint32_t begin = m_now++;
    Names names;
    const auto target = [&](ExpressionId expression) {
        if (const auto *name = std::get_if<Name>(&m_tree.at(expression).kind))
            names.add(name->text);
        else if (const auto *attribute = std::get_if<Attribute>(&m_tree.at(expression).kind)) {
            read(attribute->object, Role::Looked);
            const auto *object = std::get_if<Name>(&m_tree.at(attribute->object).kind);
            if (object && object->text == m_self)
                m_selfAssigned.push_back(attribute->name);
        }
    };
    struct Visit {
        Facts &facts;
        Names &names;
        const decltype(target) &assign;

        void operator()(const Assign &s) const
        {
            const Targets targets = targetsOf(facts.m_tree, s);
            for (const ExpressionId value : targets.values)
                facts.read(value, targets.areItems ? Role::Looked : Role::Escaping);
            std::ranges::for_each(targets.names, assign);
        }
        void operator()(const Augment &) const { } // code that torch writes has no such statement
        void operator()(const Evaluate &s) const { facts.read(s.value, Role::Looked); }
        void operator()(const If &s) const
        {
            facts.read(s.condition, Role::Looked);
            names.add(facts.block(s.then));
            names.add(facts.block(s.orElse));
        }
        void operator()(const While &s) const
        {
            facts.read(s.condition, Role::Looked);
            names.add(facts.block(s.body));
        }
        void operator()(const For &s) const
        {
            facts.read(*countOf(facts.m_tree, s), Role::Looked);
            names.add(facts.block(s.body));
        }
        void operator()(const With &s) const
        {
            facts.read(s.context, Role::Escaping);
            if (s.variable)
                names.add(*s.variable);
            names.add(facts.block(s.body));
        }
        void operator()(const Return &s) const
        {
            if (s.value)
                facts.read(*s.value, Role::Escaping);
        }
        void operator()(const LocalFunction &s) const { facts.block(facts.m_tree.at(s.function).body); }
    };
    std::visit(Visit{*this, names, target}, m_tree.at(id).kind);
    m_extents[id.index] = {begin, m_now};
    return names.take();
}

/// Notes the names that an expression reads. Unless `role` is Looked, their values escape.
void Facts::read(ExpressionId id, Role role)
{
    if (const auto form = typedForm(m_tree, id)) {
        if (form->value)
            read(*form->value, form->kind == TypedForm::Kind::IsInstance ? Role::Looked : role);
        return;
    }
    struct Visit {
        Facts &facts;
        Role role;

        void operator()(const Name &name) const
        {
            // The condition of a while loop is also read at the end of its body; the lowering considers that.
            facts.m_reads[name.text].push_back(facts.m_now - 1);
            if (role == Role::Escaping)
                facts.m_escaping.insert(name.text);
        }
        void operator()(const Attribute &attribute) const { facts.read(attribute.object, Role::Looked); }
        void operator()(const Call &call) const { facts.readCall(call); }
        void operator()(const Subscript &subscript) const
        {
            facts.read(subscript.object, Role::Looked);
            facts.read(subscript.index, Role::Looked);
        }
        void operator()(const Slice &slice) const
        {
            for (const auto &part : {slice.start, slice.stop, slice.step})
                if (part)
                    facts.read(*part, Role::Looked);
        }
        void operator()(const List &list) const { escape(list.items); }
        void operator()(const Tuple &tuple) const { escape(tuple.items); }
        void operator()(const Dict &dict) const
        {
            for (const auto &[key, value] : dict.entries)
                escape({key, value});
        }
        void operator()(const Unary &minus) const { facts.read(minus.operand, Role::Looked); }
        void operator()(const Literal &) const { }
        void operator()(const Binary &) const { } // torch writes no other operators
        void operator()(const Choice &) const { }

        void escape(const std::vector<ExpressionId> &items) const
        {
            for (const ExpressionId item : items)
                facts.read(item, Role::Escaping);
        }
    };
    std::visit(Visit{*this, role}, m_tree.at(id).kind);
}

void Facts::readCall(const Call &call)
{
    const auto name = dottedName(m_tree, call.callee);
    const auto op = name ? operatorNamed(*name) : std::nullopt;
    const Role role = op && !m_changes(op->dialect, op->name) ? Role::Looked : Role::Escaping;
    if (!op)
        read(call.callee, Role::Looked);
    const std::size_t dot = name ? name->rfind('.') : std::string::npos;
    if (dot != std::string::npos && std::string_view(*name).substr(0, dot) == m_self)
        m_selfCalls.push_back(std::get<Attribute>(m_tree.at(call.callee).kind).name);
    for (const Argument &argument : call.arguments)
        read(argument.value, role);
}

} // namespace cutaway::formats::torchscript
