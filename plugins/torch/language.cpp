// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/torch/constants.h"
#include "plugins/torch/objects.h"
#include "plugins/torch/operators.h"
#include "plugins/torch/run.h"

#include <ATen/core/function.h>
#include <algorithm>
#include <array>
#include <stdexcept>

namespace cutaway::plugins {

namespace {

using c10::IValue;

Operator plain(Action action) { return {std::move(action)}; }
Operator control(Action action) { return {std::move(action), nullptr, true}; }

Operator branch(const ir::NodeRef &node)
{
    const std::vector<ir::RegionId> regions = node->regions;
    return control([regions](Run &run, Frame &frame, Stack &stack) {
        const bool isTrue = stack.at(0).isTensor() ? stack.at(0).toTensor().item().toBool() : stack.at(0).toBool();
        stack = run.block(frame, regions.at(isTrue ? 0 : 1), {});
    });
}

/// Runs a loop with (limit of iterations, condition before the first one, carried values…).
Operator loop(const ir::NodeRef &node)
{
    const ir::RegionId body = std::vector<ir::RegionId>(node->regions).at(0);
    return control([body](Run &run, Frame &frame, Stack &stack) {
        const std::int64_t most = stack.at(0).toInt();
        bool goesOn = stack.at(1).toBool();
        Values carried(stack.begin() + 2, stack.end());
        for (std::int64_t iteration = 0; goesOn && iteration < most; ++iteration) {
            carried.insert(carried.begin(), IValue(iteration));
            Values results = run.block(frame, body, std::move(carried));
            goesOn = results.at(0).toBool();
            carried.assign(results.begin() + 1, results.end());
        }
        stack = std::move(carried);
    });
}

/// Runs a fork at once. The result itself stands in for the future.
Operator fork(const ir::NodeRef &node)
{
    const ir::RegionId body = std::vector<ir::RegionId>(node->regions).at(0);
    return control([body](Run &run, Frame &frame, Stack &stack) { stack = run.block(frame, body, std::move(stack)); });
}

Operator same(const ir::NodeRef &)
{
    return plain([](Run &, Frame &, Stack &stack) { stack.resize(std::min<std::size_t>(stack.size(), 1)); });
}

/// Returns the text that a node has as an argument; "" if there is none.
std::string textArgument(const ir::NodeRef &node, std::string_view name)
{
    const ir::Operand *given = node.argument(name);
    const auto *text = given ? given->as<ir::String>() : nullptr;
    return text ? std::string(node.graph().context().text(text->text)) : std::string();
}

/// Calls a method of an object of torch's own classes, which is the first argument.
IValue callOfTorch(const std::string &method, Stack arguments)
{
    TORCH_CHECK(!arguments.empty() && arguments[0].isObject(), "a call of a function that the file does not have");
    torch::jit::Function *function = arguments[0].toObjectRef().type()->findMethod(method);
    TORCH_CHECK(function, "torch's class has no method '", method, "'");
    return (*function)(std::move(arguments));
}

Operator call(const ir::NodeRef &node)
{
    std::optional<ir::FunctionId> function;
    for (const ir::Argument &argument : node->arguments)
        if (const auto *id = argument.value.as<ir::FunctionId>())
            function = *id;
    const std::string method = textArgument(node, "method");
    const auto named = std::ranges::count_if(node->arguments, [&](const ir::Argument &argument) {
        return argument.name != ir::NameId{} && node.graph().context().text(argument.name) != "self";
    });
    return control([function, method, named](Run &run, Frame &, Stack &stack) {
        Values arguments(stack.begin() + named, stack.end());
        if (function)
            stack = run.call(*function, std::move(arguments));
        else
            stack = {callOfTorch(method, std::move(arguments))};
    });
}

/// Returns the text of the argument "name", or else that of the second argument.
std::string attributeName(const ir::NodeRef &node)
{
    const ir::Context &context = node.graph().context();
    for (std::size_t i = 0; i < node->arguments.size(); ++i) {
        const ir::Argument &argument = node->arguments[i];
        if (context.text(argument.name) == "name" || (argument.name == ir::NameId{} && i == 1))
            if (const auto *text = argument.value.as<ir::String>())
                return std::string(context.text(text->text));
    }
    return {};
}

Operator getAttribute(const ir::NodeRef &node)
{
    return plain([name = attributeName(node)](Run &run, Frame &, Stack &stack) {
        stack = {attributeOf(run, stack.at(0), name)};
    });
}

Operator setAttribute(const ir::NodeRef &node)
{
    return plain([name = attributeName(node)](Run &run, Frame &, Stack &stack) {
        objectOf(run, stack.at(0)).fields[name] = stack.at(2);
        stack.clear();
    });
}

Operator createObject(const ir::NodeRef &)
{
    return plain(
        [](Run &, Frame &, Stack &stack) { stack = {IValue::make_capsule(c10::make_intrusive<ScriptObject>())}; });
}

/// Returns the type of the result without None.
c10::TypePtr resultType(const ir::NodeRef &node)
{
    const auto type = torchType(node.graph().context(), node.graph().at(node->outputs.at(0)).type);
    const auto *optional = type->castRaw<c10::OptionalType>();
    return optional ? optional->getElementType() : type;
}

/// Makes a list of the node's arguments; the type of the items follows from that of the result.
Operator makeList(const ir::NodeRef &node)
{
    const auto type = resultType(node);
    const auto *list = type->castRaw<c10::ListType>();
    const c10::TypePtr element = list ? list->getElementType() : c10::TypePtr(c10::TensorType::get());
    return plain([element](Run &, Frame &, Stack &stack) {
        c10::impl::GenericList made(element);
        for (IValue &item : stack)
            made.push_back(std::move(item));
        stack = {made};
    });
}

Operator makeTuple(const ir::NodeRef &)
{
    return plain([](Run &, Frame &, Stack &stack) { stack = {c10::ivalue::Tuple::create(std::move(stack))}; });
}

Operator makeDict(const ir::NodeRef &node)
{
    const auto type = resultType(node);
    const auto *dict = type->castRaw<c10::DictType>();
    const c10::TypePtr key = dict ? dict->getKeyType() : c10::TypePtr(c10::StringType::get());
    const c10::TypePtr value = dict ? dict->getValueType() : c10::TypePtr(c10::TensorType::get());
    return plain([key, value](Run &, Frame &, Stack &stack) {
        c10::impl::GenericDict made(key, value);
        for (std::size_t i = 0; i + 1 < stack.size(); i += 2)
            made.insert_or_assign(stack[i], stack[i + 1]);
        stack = {made};
    });
}

Operator unpack(const ir::NodeRef &)
{
    return plain([](Run &, Frame &, Stack &stack) {
        const Values items =
            stack.at(0).isTuple() ? Values(stack[0].toTupleRef().elements().vec()) : stack[0].toListRef().vec();
        stack.assign(items.begin(), items.end());
    });
}

Operator tupleItem(const ir::NodeRef &)
{
    return plain([](Run &, Frame &, Stack &stack) {
        const auto items = stack.at(0).toTupleRef().elements();
        const std::int64_t index = stack.at(1).toInt();
        stack = {
            items.at(static_cast<std::size_t>(index < 0 ? index + static_cast<std::int64_t>(items.size()) : index))};
    });
}

/// Raises an error such as "ValueError: too small" for (message, "builtins.ValueError").
Operator raise(const ir::NodeRef &)
{
    return plain([](Run &, Frame &, Stack &stack) {
        const std::string text = stack.at(0).isString() ? stack[0].toStringRef() : std::string("an exception");
        if (stack.size() < 2 || !stack[1].isString())
            throw std::runtime_error("the model raises: " + text);
        const std::string &name = stack[1].toStringRef();
        throw std::runtime_error("the model raises " + name.substr(name.rfind('.') + 1) + ": " + text);
    });
}

// ---- enums, whose members are texts: "__torch__.a.Color.RED"

Operator isSameMember(const ir::NodeRef &)
{
    return plain(
        [](Run &, Frame &, Stack &stack) { stack = {stack.at(0).toStringRef() == stack.at(1).toStringRef()}; });
}

Operator isOtherMember(const ir::NodeRef &)
{
    return plain(
        [](Run &, Frame &, Stack &stack) { stack = {stack.at(0).toStringRef() != stack.at(1).toStringRef()}; });
}

Operator nameOfMember(const ir::NodeRef &)
{
    return plain([](Run &, Frame &, Stack &stack) {
        const std::string &member = stack.at(0).toStringRef();
        stack = {member.substr(member.rfind('.') + 1)};
    });
}

/// Returns the value of a member for (member, values by member).
Operator valueOfMember(const ir::NodeRef &)
{
    return plain([](Run &, Frame &, Stack &stack) { stack = {stack.at(1).toGenericDict().at(stack.at(0))}; });
}

Operator nothing(const ir::NodeRef &)
{
    return plain([](Run &, Frame &, Stack &stack) { stack = {IValue()}; });
}

struct LanguageOperator {
    std::string_view name;
    Operator (*make)(const ir::NodeRef &);
};
constexpr std::array languageOperators{
    LanguageOperator{"prim::If", branch},
    LanguageOperator{"prim::Loop", loop},
    LanguageOperator{"prim::fork", fork},
    LanguageOperator{"aten::wait", same},
    LanguageOperator{"prim::CallMethod", call},
    LanguageOperator{"prim::CallFunction", call},
    LanguageOperator{"prim::GetAttr", getAttribute},
    LanguageOperator{"prim::SetAttr", setAttribute},
    LanguageOperator{"prim::CreateObject", createObject},
    LanguageOperator{"prim::ListConstruct", makeList},
    LanguageOperator{"prim::TupleConstruct", makeTuple},
    LanguageOperator{"prim::NamedTupleConstruct", makeTuple},
    LanguageOperator{"prim::DictConstruct", makeDict},
    LanguageOperator{"prim::ListUnpack", unpack},
    LanguageOperator{"prim::TupleUnpack", unpack},
    LanguageOperator{"prim::RaiseException", raise},
    LanguageOperator{"prim::TupleIndex", tupleItem},
    LanguageOperator{"prim::EnumName", nameOfMember},
    LanguageOperator{"prim::EnumValue", valueOfMember},
    LanguageOperator{"aten::eq.enum", isSameMember},
    LanguageOperator{"aten::ne.enum", isOtherMember},
    LanguageOperator{"prim::unchecked_cast", same},
    LanguageOperator{"prim::unchecked_unwrap_optional", same},
    LanguageOperator{"prim::annotate", same},
    LanguageOperator{"prim::Uninitialized", nothing},
    LanguageOperator{"prim::Enter", same},
    LanguageOperator{"prim::Exit", nothing},
    LanguageOperator{"aten::warn", nothing},
};

} // namespace

std::optional<Operator> findLanguageOperator(const ir::NodeRef &node)
{
    if (node.dialect() == "cutaway" && node->regions.size() == 1) // a group that a pass has made
        return fork(node);
    const auto isIt = [&](std::string_view name) { return name == plainName(node) || name == node.fullName(); };
    const auto *row = std::ranges::find_if(languageOperators, isIt, &LanguageOperator::name);
    return row == languageOperators.end() ? std::nullopt : std::optional(row->make(node));
}

} // namespace cutaway::plugins
