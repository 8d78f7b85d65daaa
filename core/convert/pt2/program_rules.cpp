// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/convert/pt2/program_rules.h"
#include "core/ir/context.h"
#include "core/ir/tensors/tensor_numbers.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/rules/rule_table.h"

#include <algorithm>

// Lists, tuples and dictionaries make no nodes; their items are found where they are read. Numbers that depend on data
// are taken out of tensors by aten::item, and Python's operators compute with them.

namespace cutaway::convert {

namespace {

using ir::DType;
using ir::NodeRef;
using ir::Operand;
using RuleResults = std::vector<Operand>;
using NumberKind = ir::NumberType::Kind;

// ---- containers

RuleResults constructList(ProgramValues &t, const NodeRef &node, std::string_view)
{
    ir::List list;
    if (const ops::Fact known = t.fact(node.output(0).id()); const auto *sequence = known.as<ops::SequenceFact>())
        list.kind = sequence->kind;
    for (std::size_t i = 0; i < node->arguments.size(); ++i)
        list.items.push_back(t.argument(node, i));
    return {std::move(list)};
}

RuleResults constructDict(ProgramValues &t, const NodeRef &node, std::string_view)
{
    ir::Dict dict;
    for (std::size_t i = 0; i < node->arguments.size(); ++i)
        dict.items.push_back(t.argument(node, i));
    return {std::move(dict)};
}

RuleResults unpackList(ProgramValues &t, const NodeRef &node, std::string_view)
{
    const Operand given = t.argument(node, 0);
    const auto *list = given.as<ir::List>();
    if (!list || list->items.size() != node.outputCount())
        return {};
    return list->items;
}

RuleResults itemOfContainer(ProgramValues &t, const NodeRef &node, std::string_view)
{
    if (node->arguments.size() != 2)
        return {};
    const Operand given = t.made(node->arguments[0].value), key = t.made(node->arguments[1].value);
    if (const auto *dict = given.as<ir::Dict>()) {
        for (std::size_t i = 0; i + 1 < dict->items.size(); i += 2)
            if (dict->items[i] == key)
                return {dict->items[i + 1]};
        return {};
    }
    const auto *list = given.as<ir::List>();
    const auto number = ops::asInt(t.fact(node->arguments[1].value));
    const auto position = number ? ops::number(*number) : std::nullopt;
    const auto index = list && position ? ops::dimension(*position, list->items.size()) : std::nullopt;
    return index ? RuleResults{list->items[*index]} : RuleResults();
}

RuleResults sliceOfList(ProgramValues &t, const NodeRef &node, std::string_view)
{
    const Operand given = t.argument(node, 0);
    const auto *list = given.as<ir::List>();
    if (!list)
        return {};
    const auto size = static_cast<std::int64_t>(list->items.size());
    const auto number = [&](std::size_t position, std::int64_t byDefault) -> std::optional<std::int64_t> {
        const Operand operand = t.argument(node, position);
        const auto *whole = operand.as<std::int64_t>();
        return whole ? std::optional(*whole) : operand.as<ir::None>() ? std::optional(byDefault) : std::nullopt;
    };
    const auto from = number(1, 0), to = number(2, size), step = number(3, 1);
    if (!from || !to || step != 1)
        return {};
    const auto inside = [&](std::int64_t at) { return std::clamp<std::int64_t>(at < 0 ? at + size : at, 0, size); };
    const auto first = static_cast<std::ptrdiff_t>(inside(*from)), last = static_cast<std::ptrdiff_t>(inside(*to));
    ir::List made;
    if (first < last)
        made.items = {list->items.begin() + first, list->items.begin() + last};
    return {std::move(made)};
}

RuleResults asItIs(ProgramValues &t, const NodeRef &node, std::string_view)
{
    Operand made = t.argument(node, 0);
    return t.isRefused() ? RuleResults() : RuleResults{std::move(made)};
}

// ---- numbers

NumberKind numberKindOf(ProgramValues &t, const NodeRef &node)
{
    const ops::Fact known = t.fact(node.output(0).id());
    const auto *number = known.as<ops::NumberFact>();
    return number ? number->kind : NumberKind::Int;
}

ProgramNode toDType(const Operand &tensor, DType dtype)
{
    return {"aten", "to", "dtype", {{"self", tensor}, {"dtype", dtype}}};
}

bool isOfKind(DType dtype, NumberKind kind)
{
    const bool isFloat = ir::isFloating(dtype), isBool = dtype == DType::Bool;
    return kind == NumberKind::Float ? isFloat : kind == NumberKind::Bool ? isBool : !isFloat && !isBool;
}

/// Returns the only element of a tensor as a number of the corresponding kind.
RuleResults itemOfTensor(ProgramValues &t, const NodeRef &node, const Operand &tensor)
{
    const NumberKind kind = numberKindOf(t, node);
    const auto dtype = t.dtypeOf(tensor);
    if (!dtype || ir::isComplex(*dtype) || kind > NumberKind::Bool)
        return {};
    Operand from = tensor;
    if (!isOfKind(*dtype, kind)) {
        ir::TensorType type = scalarType(dtypeOf(kind));
        if (const auto known = t.typeOf(t.fact(node->arguments.front().value)))
            type.shape = std::get<ir::TensorType>(*known).shape;
        from = t.graph().make(toDType(tensor, *type.dtype), type, "to");
    }
    return {t.make(node, {"aten", "item", "default", {{"self", from}}})};
}

RuleResults numberOfTensor(ProgramValues &t, const NodeRef &node, std::string_view)
{
    const Operand given = t.argument(node, 0);
    if (t.isTensor(given))
        return itemOfTensor(t, node, given);
    const auto from = t.numberKind(given);
    const NumberKind to = numberKindOf(t, node);
    if (!from)
        return {};
    if (*from == to)
        return {given};
    if (to == NumberKind::Float && *from == NumberKind::Int)
        return {t.make(node, {"torch", "sym_float", {}, {{"a", given}}})};
    if (to == NumberKind::Int && *from == NumberKind::Float)
        return {t.make(node, {"torch", "sym_int", {}, {{"a", given}}})};
    if (to == NumberKind::Bool)
        return {t.make(node, {"_operator", "ne", {}, {{"a", given}, {"b", std::int64_t{0}}}})};
    return {};
}

/// Returns the larger or smaller of two numbers of one kind.
RuleResults extremeNumber(ProgramValues &t, const NodeRef &node, std::string_view target)
{
    if (node->arguments.size() != 2)
        return {};
    const Operand a = t.argument(node, 0), b = t.argument(node, 1);
    if (!t.numberKind(a) || t.numberKind(a) != t.numberKind(b))
        return {};
    return {t.make(node, {"torch", target, {}, {{"a", a}, {"b", b}}})};
}

RuleResults joinedLists(ProgramValues &t, const NodeRef &node)
{
    if (node->arguments.size() != 2)
        return {};
    const Operand a = t.argument(node, 0), b = t.argument(node, 1);
    const auto *first = a.as<ir::List>(), *second = b.as<ir::List>();
    if (!first || !second)
        return {};
    ir::List made = *first;
    for (const Operand &item : second->items)
        made.items.push_back(item);
    return {std::move(made)};
}

/// Calls a function of Python on numbers. With a tensor among the arguments, the rule does not apply, and torch's own
/// operator is called.
RuleResults pythonOperator(ProgramValues &t, const NodeRef &node, std::string_view target)
{
    std::vector<std::pair<std::string_view, Operand>> operands;
    for (std::size_t i = 0; i < node->arguments.size() && i < 2; ++i) {
        operands.emplace_back(i == 0 ? "a" : "b", t.argument(node, i));
        if (!t.numberKind(operands.back().second))
            return {};
    }
    const std::size_t dot = target.find('.');
    return {t.make(node, {target.substr(0, dot), target.substr(dot + 1), {}, operands})};
}

/// Adds two numbers, or concatenates two lists.
RuleResults addition(ProgramValues &t, const NodeRef &node, std::string_view target)
{
    const RuleResults joined = joinedLists(t, node);
    return joined.empty() ? pythonOperator(t, node, target) : joined;
}

// ---- tensors of numbers

Operand stackOf(ProgramValues &t, const NodeRef &node, ir::List scalars)
{
    return t.make(node, {"aten", "stack", "default", {{"tensors", std::move(scalars)}}});
}

/// Returns the elements of a tensor of real numbers; nothing if one of them is not known.
std::optional<std::vector<std::byte>> knownElements(const ops::TensorFact &tensor)
{
    const DType dtype = *tensor.dtype;
    const auto wholes = tensor.elements ? ops::numbers(*tensor.elements) : std::nullopt;
    if (wholes && (ir::isInteger(dtype) || dtype == DType::Bool))
        return ir::encodeNumbers(dtype, ir::Numbers(*wholes));
    std::vector<double> reals;
    for (const ir::Dim &element : tensor.elements ? *tensor.elements : std::vector<ir::Dim>())
        if (const auto real = ops::floating(element))
            reals.push_back(*real);
    const bool areAll = tensor.elements && reals.size() == tensor.elements->size() && ir::isFloating(dtype);
    return areAll ? std::optional(ir::encodeNumbers(dtype, ir::Numbers(std::move(reals)))) : std::nullopt;
}

/// Makes a tensor of numbers: a constant if all numbers are known, else nodes that stack them.
RuleResults tensorOfNumbers(ProgramValues &t, const NodeRef &node, std::string_view)
{
    const ops::Fact known = t.fact(node.output(0).id());
    const auto *tensor = ops::asTensor(known);
    if (!tensor || !tensor->dtype)
        return {};
    const auto bytes = knownElements(*tensor);
    const auto sizes = tensor->shape ? ops::numbers(*tensor->shape) : std::nullopt;
    if (bytes && sizes)
        return {t.graph().constant(node.output(0).name(), *tensor->dtype, *sizes, *bytes)};
    const Operand given = t.argument(node, 0);
    if (t.isTensor(given))
        return {t.make(node, toDType(given, *tensor->dtype))};
    if (t.numberKind(given))
        return {t.make(node, scalarTensor(given, *tensor->dtype))};
    const auto *list = given.as<ir::List>();
    if (!list || !std::ranges::all_of(list->items, [&](const Operand &item) { return t.numberKind(item).has_value(); }))
        return {};
    ir::List parts;
    for (const Operand &item : list->items)
        parts.items.push_back(t.graph().makeScalar(item, *tensor->dtype));
    return {stackOf(t, node, std::move(parts))};
}

/// Makes the result of aten::full with a fill value that is a tensor of one element, which TorchScript accepts as a
/// number.
RuleResults fullOfTensor(ProgramValues &t, const NodeRef &node, std::string_view)
{
    const ops::Fact known = t.fact(node.output(0).id());
    const auto *tensor = ops::asTensor(known);
    if (node->arguments.size() < 2 || !tensor || !tensor->dtype || !tensor->shape)
        return {};
    const Operand given = t.argument(node, 1);
    if (!t.isTensor(given))
        return {};
    if (tensor->shape->empty())
        return {t.make(node, toDType(given, *tensor->dtype))};
    const Operand number = t.graph().make(toDType(given, *tensor->dtype), scalarType(*tensor->dtype), "to");
    return {t.make(node, {"aten", "repeat", "default", {{"self", number}, {"repeats", t.argument(node, 0)}}})};
}

RuleResults refusedInTorchScript(ProgramValues &t, const NodeRef &, std::string_view)
{
    t.refuse("only TorchScript has it");
    return {};
}

/// Lowers the overloads of aten::to that only TorchScript has, which take a dtype as a number.
RuleResults toOfTorchScript(ProgramValues &t, const NodeRef &node, std::string_view)
{
    const ops::Signature *known = t.signatureOf(node);
    if (!known)
        return {};
    const auto isOfDispatcher = [](const ops::SchemaArgument &argument) {
        const ops::SchemaType &type = argument.type.elements.empty() ? argument.type : argument.type.elements.front();
        return type.name == "ScalarType" || argument.name == "other";
    };
    const Operand given = t.argument(node, 0), device = t.argument(node, "device");
    if (const auto *where = device.as<ir::Device>(); where && t.graph().context().text(where->kind) != "cpu")
        return {};
    const ops::Fact result = t.fact(node.output(0).id());
    const auto *tensor = ops::asTensor(result);
    if (std::ranges::any_of(known->schema.arguments, isOfDispatcher) || !tensor || !tensor->dtype)
        return {};
    return {t.make(node, toDType(given, *tensor->dtype))};
}

RuleResults shapeTensor(ProgramValues &t, const NodeRef &node, std::string_view)
{
    const ops::Fact known = t.fact(node.output(0).id());
    const auto *tensor = ops::asTensor(known);
    if (!tensor || !tensor->elements)
        return {};
    ir::List parts;
    for (const ir::Dim &element : *tensor->elements) {
        const auto size = t.graph().size(element);
        if (!size)
            return {};
        parts.items.push_back(t.graph().makeScalar(*size, DType::Int64));
    }
    return {stackOf(t, node, std::move(parts))};
}

constexpr ProgramRule programTable[] = {
    {"prim::ListConstruct prim::TupleConstruct onnx::SequenceConstruct", constructList},
    {"prim::DictConstruct", constructDict},
    {"prim::ListUnpack prim::TupleUnpack", unpackList},
    {"aten::__getitem__ prim::TupleIndex onnx::SequenceAt", itemOfContainer},
    {"aten::slice", sliceOfList},
    {"aten::list aten::dict prim::unchecked_cast prim::unchecked_unwrap_optional aten::_unwrap_optional prim::data "
     "aten::wait "
     "prim::awaitable_wait",
     asItIs},
    {"aten::Int aten::Float aten::Bool aten::item aten::_local_scalar_dense aten::IntImplicit aten::FloatImplicit "
     "aten::ScalarImplicit",
     numberOfTensor},
    {"prim::NumToTensor aten::tensor aten::as_tensor aten::scalar_tensor", tensorOfNumbers},
    {"aten::full", fullOfTensor},
    {"aten::_shape_as_tensor", shapeTensor},
    {"aten::to aten::cpu", toOfTorchScript},
    {"aten::__interpolate aten::__upsample aten::__upsample_bilinear aten::__upsample_nearest aten::_pack_sequence "
     "aten::_ncf_unsqueeze aten::cuda",
     refusedInTorchScript},
    {"aten::add", addition, "_operator.add"},
    {"prim::max", extremeNumber, "sym_max"},
    {"prim::min", extremeNumber, "sym_min"},
    {"aten::sub", pythonOperator, "_operator.sub"},
    {"aten::mul", pythonOperator, "_operator.mul"},
    {"aten::div", pythonOperator, "_operator.truediv"},
    {"aten::floordiv", pythonOperator, "_operator.floordiv"},
    {"aten::remainder", pythonOperator, "_operator.mod"},
    {"aten::neg", pythonOperator, "_operator.neg"},
    {"aten::eq", pythonOperator, "_operator.eq"},
    {"aten::ne", pythonOperator, "_operator.ne"},
    {"aten::lt", pythonOperator, "_operator.lt"},
    {"aten::le", pythonOperator, "_operator.le"},
    {"aten::gt", pythonOperator, "_operator.gt"},
    {"aten::ge", pythonOperator, "_operator.ge"},
    {"aten::__not__", pythonOperator, "torch.sym_not"},
};

} // namespace

const ProgramRule *programRuleOf(std::string_view dialect, std::string_view plainName)
{
    static const rules::RuleTable<ProgramRule> table(programTable);
    return table.first(dialect, plainName);
}

} // namespace cutaway::convert
