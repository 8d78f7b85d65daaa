// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/schemas/overload.h"

#include <algorithm>
#include <array>

// A serialized call does not name its overload: the reader resolves it again, from the types of the values.
// Candidates are tried in order, in two passes, the second with implicit conversions. In a candidate, each argument
// takes the next positional value, else the named value of its name, else its default. A value fits an argument if
//   1. the value is one int or float, and the argument is a list of ints or floats with a size (int[2]), or
//   2. the argument's type variables can be bound so that the value's type is a subtype of the argument's type,
//      where [] is any list and a tuple is a list of its elements, or
//   3. in the second pass, the value can be converted.
// A type that is not known fits everything. Candidates have few arguments, so that the cost is the number of
// candidates.

namespace cutaway::ops {

namespace {

using Kind = SchemaType::Kind;

/// Returns the name that stands for a type among all types that TorchScript takes to be the same: "int" for "SymInt".
std::string_view canonical(std::string_view name)
{
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 10> synonyms{{
        {"SymInt", "int"},
        {"ScalarType", "int"},
        {"Layout", "int"},
        {"MemoryFormat", "int"},
        {"QScheme", "int"},
        {"SymFloat", "float"},
        {"SymBool", "bool"},
        {"Dimname", "str"},
        {"number", "Scalar"},
        {"None", "NoneType"},
    }};
    const auto found = std::ranges::find(synonyms, name, &std::pair<std::string_view, std::string_view>::first);
    return found == synonyms.end() ? name : found->second;
}

bool isPlain(const SchemaType &type, std::string_view name)
{
    return type.kind == Kind::Plain && canonical(type.name) == name;
}

bool isNumber(const SchemaType &type)
{
    return isPlain(type, "int") || isPlain(type, "float") || isPlain(type, "complex");
}

/// Whether two types are the same; an unknown type is the same as any other.
bool isSame(const SchemaType &a, const SchemaType &b)
{
    if (a.kind == Kind::Unknown || b.kind == Kind::Unknown)
        return true;
    return a.kind == b.kind && canonical(a.name) == canonical(b.name)
        && std::ranges::equal(a.elements, b.elements, isSame);
}

bool isSubtype(const SchemaType &type, const SchemaType &of);

bool isSubtypeOfPlain(const SchemaType &type, const SchemaType &of)
{
    if (isPlain(of, "Scalar") && isNumber(type))
        return true;
    if (isPlain(of, "AnyClassType"))
        return type.kind == Kind::Plain && type.name.contains('.');
    return isSame(type, of);
}

bool isSubtype(const SchemaType &type, const SchemaType &of)
{
    const auto isOne = [&type](const SchemaType &alternative) { return isSubtype(type, alternative); };
    if (type.kind == Kind::Unknown || of.kind == Kind::Unknown || isPlain(of, "Any"))
        return true;
    if (of.kind == Kind::Optional)
        return isPlain(type, "NoneType")
            || isSubtype(type.kind == Kind::Optional ? type.elements[0] : type, of.elements[0]);
    if (of.kind == Kind::Plain)
        return isSubtypeOfPlain(type, of);
    if (of.kind == Kind::Generic && of.name == "Union" && !isSame(type, of))
        return std::ranges::any_of(of.elements, isOne);
    if (of.kind == Kind::Tuple
        && type.kind == Kind::Tuple) // tuples have subtypes; lists and dictionaries have none, because they can change
        return std::ranges::equal(type.elements, of.elements, isSubtype);
    return isSame(type, of);
}

bool isConvertible(const SchemaType &type, const SchemaType &to)
{
    if (isPlain(type, "Tensor"))
        return isNumber(to) || isPlain(to, "Scalar");
    return (isPlain(type, "Scalar") && isNumber(to)) || (isPlain(type, "str") && isPlain(to, "Device"));
}

bool isListLike(const SchemaType &type, const SchemaType &list)
{
    const auto isElement = [&list](const SchemaType &element) { return isSubtype(element, list.elements[0]); };
    return type.kind == Kind::EmptyList || (type.kind == Kind::Tuple && std::ranges::all_of(type.elements, isElement));
}

enum class Conversions : std::uint8_t { None, Implicit };

/// Whether a value of `type` can be passed to a parameter of type `wanted`, which has no variables.
bool fits(const SchemaType &type, const SchemaType &wanted, Conversions conversions)
{
    const auto elementFits = [conversions](const SchemaType &element, const SchemaType &wantedElement) {
        return fits(element, wantedElement, conversions);
    };
    if (isSubtype(type, wanted))
        return true;
    if (wanted.kind == Kind::Optional)
        return type.kind != Kind::Optional && fits(type, wanted.elements[0], conversions);
    if (wanted.kind == Kind::List)
        return isListLike(type, wanted);
    if (wanted.kind == Kind::Tuple && type.kind == Kind::Tuple)
        return std::ranges::equal(type.elements, wanted.elements, elementFits);
    return conversions == Conversions::Implicit && isConvertible(type, wanted);
}

/// The types that the type variables of one schema stand for in one call.
class Variables {
public:
    /// Binds the variables of `wanted` so that `type` fits; false if they are bound to something else.
    bool bind(const SchemaType &wanted, const SchemaType &type);

    /// Returns `type` with its variables replaced, without list sizes and aliases; an unbound variable is unknown.
    SchemaType resolved(const SchemaType &type) const;

private:
    bool bindVariable(std::string_view name, const SchemaType &type);
    bool bindList(const SchemaType &element, const SchemaType &type);
    bool bindElements(const SchemaType &wanted, const SchemaType &type);

    std::vector<std::pair<std::string_view, SchemaType>> m_bound;
};

bool Variables::bind(const SchemaType &wanted, const SchemaType &type)
{
    switch (wanted.kind) {
    case Kind::Variable:
        return bindVariable(wanted.name, type);
    case Kind::Optional:
        return isPlain(type, "NoneType")
            || bind(wanted.elements[0], type.kind == Kind::Optional ? type.elements[0] : type);
    case Kind::List:
        return bindList(wanted.elements[0], type);
    case Kind::Tuple:
    case Kind::Generic:
        return bindElements(wanted, type);
    default:
        return true; // a type without variables is checked later
    }
}

bool Variables::bindVariable(std::string_view name, const SchemaType &type)
{
    const auto found = std::ranges::find(m_bound, name, &std::pair<std::string_view, SchemaType>::first);
    if (found == m_bound.end()) {
        m_bound.emplace_back(name, type);
        return true;
    }
    SchemaType &bound = found->second;
    if (isSubtype(type, bound))
        return true;
    if (isPlain(bound, "NoneType"))
        bound = {Kind::Optional, {}, {type}, {}, {}};
    else if (isPlain(type, "NoneType"))
        bound = {Kind::Optional, {}, {bound}, {}, {}};
    else if (isSubtype(bound, type))
        bound = type;
    else
        return false;
    return true;
}

bool Variables::bindList(const SchemaType &element, const SchemaType &type)
{
    if (type.kind == Kind::List)
        return bind(element, type.elements[0]);
    if (type.kind == Kind::EmptyList)
        return bind(element, SchemaType::plain("Tensor")); // torch takes `[]` for a list of tensors
    if (type.kind == Kind::Tuple)
        return std::ranges::all_of(type.elements, [&](const SchemaType &item) { return bind(element, item); });
    return true;
}

bool Variables::bindElements(const SchemaType &wanted, const SchemaType &type)
{
    if (type.kind != wanted.kind || type.name != wanted.name || type.elements.size() != wanted.elements.size())
        return true;
    for (std::size_t i = 0; i < wanted.elements.size(); ++i)
        if (!bind(wanted.elements[i], type.elements[i]))
            return false;
    return true;
}

SchemaType Variables::resolved(const SchemaType &type) const
{
    if (type.kind == Kind::Variable) {
        const auto found = std::ranges::find(m_bound, type.name, &std::pair<std::string_view, SchemaType>::first);
        return found == m_bound.end() ? SchemaType{} : found->second;
    }
    SchemaType out{type.kind, type.name, {}, {}, {}};
    for (const SchemaType &element : type.elements)
        out.elements.push_back(resolved(element));
    return out;
}

const SchemaType &withoutOptional(const SchemaType &type)
{
    return type.kind == Kind::Optional ? type.elements[0] : type;
}

/// Whether a single number is passed for a list of a given size, in which it is repeated.
bool isRepeated(const SchemaType &type, const SchemaType &wanted)
{
    const SchemaType &list = withoutOptional(wanted);
    return list.kind == Kind::List && list.listSize && (isPlain(type, "int") || isPlain(type, "float"))
        && isSame(type, list.elements[0]);
}

/// An attempt to match one candidate with a call.
class Attempt {
public:
    Attempt(const Schema &schema, const CallTypes &call, Conversions conversions)
        : m_schema(schema),
          m_call(call),
          m_conversions(conversions),
          m_namedUsed(call.named.size())
    {
    }

    bool run()
    {
        if (m_schema.dialect == "aten" && m_schema.name == "view" && m_schema.overload == "dtype")
            return false; // torch refuses x.view(1), which could mean either
        for (std::size_t i = 0; i < m_schema.arguments.size(); ++i)
            if (!place(i))
                return false;
        return (m_schema.moreArguments || m_next == m_call.positional.size())
            && std::ranges::all_of(m_namedUsed, std::identity{});
    }

    OverloadMatch match(std::size_t candidate) &&
    {
        OverloadMatch match{.candidate = candidate, .sources = std::move(m_sources), .returns = {}};
        for (const SchemaArgument &result : m_schema.returns)
            match.returns.push_back(m_variables.resolved(result.type));
        return match;
    }

private:
    bool place(std::size_t i)
    {
        const SchemaArgument &argument = m_schema.arguments[i];
        if (!argument.keywordOnly && m_next < m_call.positional.size())
            return gathers(i) ? gather(argument.type.elements[0]) : placePositional(argument.type);
        if (const auto named = namedValue(argument.name)) {
            m_namedUsed[*named] = true;
            m_sources.emplace_back(NamedGiven{*named});
            return accepts(argument.type, m_call.named[*named].type);
        }
        m_sources.emplace_back(DefaultUsed{});
        return argument.defaultValue.has_value();
    }

    bool placePositional(const SchemaType &wanted)
    {
        m_sources.emplace_back(PositionalGiven{m_next});
        return accepts(wanted, m_call.positional[m_next++]);
    }

    /// Whether the last positional argument is a list that takes all remaining values.
    bool gathers(std::size_t i) const
    {
        const SchemaType &list = m_schema.arguments[i].type;
        const bool isLast = i + 1 == m_schema.arguments.size() || m_schema.arguments[i + 1].keywordOnly;
        if (m_conversions == Conversions::None || !isLast || list.kind != Kind::List || list.listSize
            || list.elements[0].kind == Kind::Variable)
            return false;
        const SchemaType &value = m_call.positional[m_next];
        return value.kind != Kind::List && value.kind != Kind::Unknown && !isListLike(value, list);
    }

    bool gather(const SchemaType &element)
    {
        m_sources.emplace_back(PositionalsGathered{m_next});
        while (m_next < m_call.positional.size())
            if (!accepts(element, m_call.positional[m_next++]))
                return false;
        return true;
    }

    bool accepts(const SchemaType &wanted, const SchemaType &type)
    {
        return isRepeated(type, wanted)
            || (m_variables.bind(wanted, type) && fits(type, m_variables.resolved(wanted), m_conversions));
    }

    /// Finds the named value for an argument. The functions of the torch module call `self` "input".
    std::optional<std::size_t> namedValue(std::string_view name) const
    {
        for (std::size_t i = 0; i < m_call.named.size(); ++i) {
            const std::string_view given = m_call.named[i].name;
            if (given == name || (name == "self" && given == "input" && m_schema.dialect == "aten"))
                return i;
        }
        return std::nullopt;
    }

    const Schema &m_schema;
    const CallTypes &m_call;
    Conversions m_conversions;
    std::size_t m_next = 0; // the next positional value to be taken
    std::vector<bool> m_namedUsed;
    std::vector<ArgumentSource> m_sources;
    Variables m_variables;
};

} // namespace

std::optional<OverloadMatch> matchOverload(std::span<const Schema> candidates, const CallTypes &call)
{
    for (const Conversions conversions : {Conversions::None, Conversions::Implicit}) {
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            Attempt attempt(candidates[i], call, conversions);
            if (attempt.run())
                return std::move(attempt).match(i);
        }
    }
    return std::nullopt;
}

} // namespace cutaway::ops
