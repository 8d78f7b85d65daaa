// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/state_items.h"

#include <optional>
#include <unordered_map>

namespace cutaway::formats::torchscript {

namespace {

class StateReader {
public:
    StateReader(const ClassDefinition &definition, const Function &method)
        : m_definition(definition),
          m_tree(definition.unit->file.tree),
          m_self(method.parameters[0].name),
          m_state(method.parameters[1].name)
    {
    }

    void read(const Statement &statement)
    {
        if (const auto *assign = std::get_if<Assign>(&statement.kind))
            readAssign(targetsOf(m_tree, *assign));
        else if (const auto *evaluate = std::get_if<Evaluate>(&statement.kind))
            readCall(evaluate->value);
    }

    std::vector<StateItem> take() { return std::move(m_items); }

private:
    template <class T>
    const T *as(ExpressionId id) const
    {
        return std::get_if<T>(&m_tree.at(id).kind);
    }

    bool isName(ExpressionId id, std::string_view text) const
    {
        const auto *name = as<Name>(id);
        return name && name->text == text;
    }

    /// Returns the index of the item of the state that an expression refers to.
    std::optional<std::size_t> itemOf(ExpressionId id) const
    {
        if (const auto *name = as<Name>(id)) {
            const auto known = m_locals.find(name->text);
            return known == m_locals.end() ? std::nullopt : std::optional(known->second);
        }
        const auto *subscript = as<Subscript>(id);
        const auto *literal = subscript && isName(subscript->object, m_state) ? as<Literal>(subscript->index) : nullptr;
        const auto *index = literal ? std::get_if<std::int64_t>(literal) : nullptr;
        return index && *index >= 0 ? std::optional(static_cast<std::size_t>(*index)) : std::nullopt;
    }

    void setTarget(ExpressionId target, std::size_t item)
    {
        if (const auto *name = as<Name>(target))
            m_locals[name->text] = item;
        else if (const auto *attribute = as<Attribute>(target); attribute && isName(attribute->object, m_self))
            m_items.push_back({item, attribute->name});
    }

    void readAssign(const Targets &targets)
    {
        const bool isState = targets.areItems && isName(targets.values[0], m_state);
        for (std::size_t i = 0; i < targets.names.size() && (isState || targets.names.size() == targets.values.size());
             ++i)
            if (const auto item = isState ? i : itemOf(targets.values[i]))
                setTarget(targets.names[i], *item);
        if (targets.values.size() == 1)
            readCall(targets.values[0]);
    }

    /// Reads a call (self).method((state)[1], …).
    void readCall(ExpressionId id)
    {
        const auto *call = as<Call>(id);
        const auto *callee = call ? as<Attribute>(call->callee) : nullptr;
        const auto *method = callee && isName(callee->object, m_self) ? m_definition.method(callee->name) : nullptr;
        if (!method)
            return;
        const std::vector<Parameter> &parameters = method->syntax->parameters;
        for (std::size_t i = 0; i < call->arguments.size() && i + 1 < parameters.size(); ++i)
            if (const auto item = itemOf(call->arguments[i].value))
                m_items.push_back({*item, parameters[i + 1].name});
    }

    const ClassDefinition &m_definition;
    const Tree &m_tree;
    std::string_view m_self;
    std::string_view m_state;
    std::unordered_map<std::string_view, std::size_t> m_locals;
    std::vector<StateItem> m_items;
};

} // namespace

std::vector<StateItem> stateItems(const ClassDefinition &definition)
{
    const FunctionDefinition *method = definition.method("__setstate__");
    if (!method || method->syntax->parameters.size() < 2)
        return {};
    StateReader reader(definition, *method->syntax);
    for (const StatementId statement : method->syntax->body)
        reader.read(definition.unit->file.tree.at(statement));
    return reader.take();
}

} // namespace cutaway::formats::torchscript
