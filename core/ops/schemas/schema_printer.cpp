// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/schemas/schema.h"

namespace cutaway::ops {

namespace {

template <class Parts>
std::string joined(const Parts &parts)
{
    std::string out;
    for (const auto &part : parts)
        out += (out.empty() ? "" : ", ") + print(part);
    return out;
}

std::string withoutAlias(const SchemaType &type)
{
    using enum SchemaType::Kind;
    switch (type.kind) {
    case Plain:
    case Variable:
        return std::string(type.name);
    case List:
        return print(type.elements[0]) + "[" + (type.listSize ? std::to_string(*type.listSize) : "") + "]";
    case Optional:
        return print(type.elements[0]) + "?";
    case Tuple:
        return "(" + joined(type.elements) + ")";
    case Generic:
        return std::string(type.name) + "(" + joined(type.elements) + ")";
    case EmptyList:
        return "[]";
    case Unknown:
        break;
    }
    return "unknown";
}

std::string print(const SchemaArgument &argument)
{
    std::string out = print(argument.type);
    if (!argument.name.empty())
        out.append(" ").append(argument.name);
    if (argument.defaultValue)
        out.append("=").append(*argument.defaultValue);
    return out;
}

void append(std::string &list, std::string_view item)
{
    if (!list.empty())
        list += ", ";
    list += item;
}

std::string printedArguments(const Schema &schema)
{
    std::string out;
    bool keywordOnly = false;
    for (const SchemaArgument &argument : schema.arguments) {
        if (argument.keywordOnly && !keywordOnly)
            append(out, "*");
        keywordOnly = argument.keywordOnly;
        append(out, print(argument));
    }
    if (schema.moreArguments)
        append(out, "...");
    return out;
}

std::string printedReturns(const Schema &schema)
{
    if (schema.moreReturns && schema.returns.empty())
        return "...";
    std::string out;
    for (const SchemaArgument &result : schema.returns)
        append(out, print(result));
    if (schema.moreReturns)
        append(out, "...");
    const bool alone = schema.returns.size() == 1 && !schema.moreReturns;
    return alone && !out.starts_with('(') ? out : "(" + out + ")";
}

} // namespace

std::string print(const SchemaType &type)
{
    std::string out = withoutAlias(type);
    if (type.alias)
        out.append("(").append(*type.alias).append(")");
    return out;
}

std::string print(const Schema &schema)
{
    std::string out;
    out.append(schema.dialect).append("::").append(schema.name);
    if (!schema.overload.empty())
        out.append(".").append(schema.overload);
    return out + "(" + printedArguments(schema) + ") -> " + printedReturns(schema);
}

} // namespace cutaway::ops
