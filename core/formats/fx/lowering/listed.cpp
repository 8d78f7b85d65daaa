// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/fx/lowering/listed.h"

#include "core/base/text.h"
#include "core/formats/limits.h"
#include "core/formats/python/operators.h"

namespace cutaway::formats::fx {

namespace {

/// Returns the name that a function has in the listing of a graph: "operator.add" for "_operator.add", and
/// "builtins.len" for "len", a function of Python itself.
std::string listedTarget(std::string name)
{
    if (name.starts_with("_operator."))
        name.erase(0, 1);
    return sanitized(name.contains('.') ? name : "builtins." + name);
}

std::string textOfArgument(const Evaluator &code, ExpressionId id)
{
    return sanitized(code.program().textOf(id).substr(0, limits::maxObjectNameLength));
}

void addArguments(const Evaluator &code, const Call &call, ListedNode &node)
{
    for (const Argument &argument : call.arguments) {
        const std::string text = textOfArgument(code, argument.value);
        if (argument.keyword.empty())
            node.args.push_back(text);
        else
            node.kwargs += (node.kwargs.empty() ? "" : ", ") + std::string(argument.keyword) + ": " + text;
    }
}

std::optional<std::string> literalText(const Evaluator &code, ExpressionId id)
{
    const auto *literal = std::get_if<Literal>(&code.program().at(id).kind);
    const auto *text = literal ? std::get_if<StringLiteral>(literal) : nullptr;
    return text ? std::optional(std::string(text->bytes)) : std::nullopt;
}

ListedNode calledNode(const Evaluator &code, const Call &call)
{
    ListedNode node;
    if (auto path = pathFromSelf(code, call.callee)) {
        node = {"call_module", "", sanitized(*path), {}};
    } else if (auto global = code.globalName(call.callee)) {
        node = {"call_function", "", listedTarget(std::move(*global)), {}};
    } else if (const auto *attribute = std::get_if<Attribute>(&code.program().at(call.callee).kind)) {
        node = {"call_method", "", sanitized(attribute->name), {textOfArgument(code, attribute->object)}};
    }
    addArguments(code, call, node);
    return node;
}

ListedNode operatorNode(const Evaluator &code, std::string_view python, std::initializer_list<ExpressionId> operands)
{
    ListedNode node{"call_function", "", "operator." + std::string(python), {}};
    for (const ExpressionId operand : operands)
        node.args.push_back(textOfArgument(code, operand));
    return node;
}

} // namespace

std::optional<std::string> pathFromSelf(const Evaluator &code, ExpressionId id)
{
    const Expression &expression = code.program().at(id);
    if (const auto *name = std::get_if<Name>(&expression.kind)) {
        const Term *term = name->text == "self" ? code.find("self") : nullptr;
        return term && term->as<ModuleTerm>() ? std::optional<std::string>("") : std::nullopt;
    }
    std::optional<std::string> path, name;
    if (const auto *attribute = std::get_if<Attribute>(&expression.kind)) {
        path = pathFromSelf(code, attribute->object);
        name = attribute->name;
    } else if (const auto *call = std::get_if<Call>(&expression.kind)) {
        const auto *method = std::get_if<Attribute>(&code.program().at(call->callee).kind);
        if (call->arguments.size() == 1 && method && method->name == "__getattr__") {
            path = pathFromSelf(code, method->object);
            name = literalText(code, call->arguments[0].value);
        }
    }
    return path && name ? std::optional(*path + (path->empty() ? "" : ".") + *name) : std::nullopt;
}

std::optional<ListedNode> listedNode(const Evaluator &code, ExpressionId id)
{
    const Expression::Kind &kind = code.program().at(id).kind;
    if (auto path = pathFromSelf(code, id))
        return ListedNode{"get_attr", "", sanitized(*path), {}};
    if (const auto *call = std::get_if<Call>(&kind))
        return calledNode(code, *call);
    if (const auto *subscript = std::get_if<Subscript>(&kind))
        return operatorNode(code, "getitem", {subscript->object, subscript->index});
    if (const auto *binary = std::get_if<Binary>(&kind))
        return operatorNode(code, python::operatorFunction(binary->op, false), {binary->left, binary->right});
    if (const auto *unary = std::get_if<Unary>(&kind))
        return operatorNode(code, python::operatorFunction(unary->op, true), {unary->operand});
    if (const auto *attribute = std::get_if<Attribute>(&kind))
        return ListedNode{"call_function",
                          "",
                          "builtins.getattr",
                          {textOfArgument(code, attribute->object), "'" + sanitized(attribute->name) + "'"}};
    return std::nullopt;
}

ListedNode listedInPlace(const Evaluator &code, const Augment &statement)
{
    return operatorNode(code, python::inPlaceFunction(statement.op), {statement.target, statement.value});
}

} // namespace cutaway::formats::fx
