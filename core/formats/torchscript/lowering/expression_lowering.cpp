// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/lowering/expression_lowering.h"

#include "core/base/checked.h"
#include "core/base/overloaded.h"
#include "core/formats/torchscript/enums.h"
#include "core/formats/torchscript/literal_values.h"

#include <charconv>

namespace cutaway::formats::torchscript {

namespace {

const ir::CompoundType *compoundOf(const ir::Context &context, ir::TypeId type)
{
    return std::get_if<ir::CompoundType>(&context.at(type));
}

} // namespace

ExpressionLowering::ExpressionLowering(GraphLowering &graph, Frame &frame)
    : m_graph(graph),
      m_builder(graph.builder),
      m_types(graph.archive.types),
      m_frame(frame),
      m_operators(graph, frame),
      m_calls(graph, frame, *this)
{
}

Typed ExpressionLowering::asValue(Term term)
{
    if (auto *value = std::get_if<Typed>(&term))
        return std::move(*value);
    if (const auto *module = std::get_if<ModuleTerm>(&term))
        return m_builder.module(m_frame.call, *module);
    if (const auto *function = std::get_if<FunctionTerm>(&term))
        return {m_builder.text((*function)->name), {}};
    return {m_builder.text(std::get<LocalTerm>(term)->name), {}};
}

Term ExpressionLowering::term(ExpressionId id, std::string_view hint)
{
    const GraphLowering::Level level(m_graph);
    const Expression &expression = m_frame.tree().at(id);
    if (const auto *attribute = std::get_if<Attribute>(&expression.kind))
        return this->attribute(id, *attribute, hint);
    const auto form = typedForm(m_frame.tree(), id);
    return form ? typed(*form, expression.position, hint) : lower(expression, hint);
}

Term ExpressionLowering::lower(const Expression &expression, std::string_view hint)
{
    const Position position = expression.position;
    return std::visit(
        Overloaded{
            [&](const Literal &x) -> Term {
                return m_graph.folder.constant(literalOperand(m_graph.archive.context(), x));
            },
            [&](const Name &x) -> Term { return name(x, position); },
            [&](const Attribute &) -> Term { return m_frame.unknown("an attribute of nothing", position); },
            [&](const Call &x) -> Term { return m_calls.lower(x, position, hint); },
            [&](const Subscript &x) -> Term { return subscript(x, position, hint); },
            [&](const List &x) -> Term { return container(x); },
            [&](const Tuple &x) -> Term { return container(x); },
            [&](const Dict &x) -> Term { return dict(x, position, hint); },
            [&](const Unary &x) -> Term {
                return m_operators.lower({"aten", "neg", {value(x.operand)}, {}}, position, hint);
            },
            [&](const auto &) -> Term { return m_frame.unknown("this is no code that torch writes", position); },
        },
        expression.kind);
}

Term ExpressionLowering::typed(const TypedForm &form, Position position, std::string_view hint)
{
    switch (form.kind) {
    case TypedForm::Kind::Annotate:
        return annotated(form, hint);
    case TypedForm::Kind::UncheckedCast:
        return cast(form, hint);
    case TypedForm::Kind::IsInstance:
        return isInstance(form, position, hint);
    case TypedForm::Kind::Uninitialized:
        break;
    }
    return Typed{ir::None{}, m_frame.typeOf(form.type)};
}

Typed ExpressionLowering::cast(const TypedForm &cast, std::string_view hint)
{
    Typed result = value(*cast.value, hint);
    const ir::TypeId wanted = m_frame.typeOf(cast.type);
    result.castLevel = m_graph.folder.levelOfCast(result, wanted);
    result.type = wanted;
    return result;
}

Typed ExpressionLowering::isInstance(const TypedForm &test, Position position, std::string_view hint)
{
    ir::List types;
    for (const ExpressionId type : itemsOf(m_frame.tree(), test.type))
        types.items.push_back(m_frame.typeOf(type));
    Typed tested = value(*test.value);
    return m_builder.emit(
        m_frame.origin(position), "isinstance",
        {m_builder.argument("", std::move(tested.operand)), m_builder.argument("types", std::move(types))},
        m_types.number(ir::NumberType::Kind::Bool), hint);
}

Term ExpressionLowering::name(const Name &name, Position position)
{
    const Term *known = m_frame.names.find(name.text);
    return known ? *known : m_frame.unknown("\"" + std::string(name.text) + "\" is not defined", position);
}

Term ExpressionLowering::attribute(ExpressionId id, const Attribute &attribute, std::string_view hint)
{
    const Position position = m_frame.tree().at(id).position;
    const auto dotted = dottedName(m_frame.tree(), id);
    if (dotted && !m_frame.names.contains(std::string_view(*dotted).substr(0, dotted->find('.'))))
        return global(*dotted, position);
    const Term object = term(attribute.object);
    if (const auto *module = std::get_if<ModuleTerm>(&object))
        return attributeOf(*module, attribute.name, position, hint);
    if (const auto *value = std::get_if<Typed>(&object))
        return attributeOf(*value, attribute.name, position, hint);
    return m_frame.unknown("a function has no attribute \"" + std::string(attribute.name) + "\"", position);
}

Term ExpressionLowering::attributeOf(const ModuleTerm &module, std::string_view name, Position position,
                                     std::string_view hint)
{
    const Instance &instance = m_graph.archive.objects.at(module.instance);
    const Instance::Attribute *attribute = instance.find(name);
    if (!attribute)
        return m_frame.unknown("the module \"" + module.path + "\" has no attribute \"" + std::string(name) + "\"",
                               position);
    const std::string path = module.path.empty() ? std::string(name) : module.path + "." + std::string(name);
    if (const auto *inner = std::get_if<InstanceId>(&attribute->value)) {
        const auto *declared = std::get_if<ir::ClassType>(&m_graph.archive.context().at(attribute->type));
        const bool isInterface = declared && declared->kind == ir::ClassType::Kind::Interface;
        // The attribute may hold another object when it is read.
        if (isInterface && m_graph.archive.isChanging(instance.className, name))
            return m_builder.attribute(m_frame.origin(position), m_builder.root().operand, path, attribute->type, hint);
        return ModuleTerm{*inner, path, isInterface ? m_graph.archive.classOf(attribute->type) : nullptr};
    }
    if (m_graph.archive.isChanging(instance.className, name))
        return m_builder.attribute(m_frame.origin(position), m_builder.root().operand, path, attribute->type, hint);
    const auto &constant = std::get<ir::Operand>(attribute->value);
    const auto *tensor = constant.as<ir::TensorId>();
    Typed read = tensor ? m_builder.weight(*tensor) : Typed{constant, attribute->type};
    if (compoundOf(m_graph.archive.context(), attribute->type)) // declared Optional: torch knows no narrower type
        read.type = read.seen = attribute->type;
    read.level = m_graph.stack.level(); // torch reads the attribute at this level
    return read;
}

/// Reads an attribute of a value: of a named tuple, an enum, or one that is only known when the program runs.
Typed ExpressionLowering::attributeOf(const Typed &object, std::string_view name, Position position,
                                      std::string_view hint)
{
    const ir::Context &context = m_graph.archive.context();
    if (const auto *tuple = compoundOf(context, object.type)) {
        for (std::size_t i = 0; i < tuple->fieldNames.size(); ++i)
            if (context.text(tuple->fieldNames[i]) == name)
                return m_builder.emit(
                    m_frame.origin(position), "TupleIndex",
                    {m_builder.argument("", object.operand), m_builder.argument("index", static_cast<std::int64_t>(i))},
                    tuple->elements[i], hint);
        return m_builder.attribute(m_frame.origin(position), object.operand, name, {}, hint);
    }
    const auto *type = std::get_if<ir::ClassType>(&context.at(object.type));
    if (!type) // attributes of a tensor
        return m_operators.lower({"prim", name, {object}, {}}, position, hint);
    if (type->kind == ir::ClassType::Kind::Enum)
        return enumPart(object, name, m_frame.origin(position), hint);
    const ClassDefinition *definition = m_graph.archive.classOf(object.type);
    const Field *field = definition ? definition->field(name) : nullptr;
    const ir::TypeId declared =
        field && field->type ? m_types.of(definition->unit->file.tree, *field->type) : ir::TypeId{};
    return m_builder.attribute(m_frame.origin(position), object.operand, name, declared, hint);
}

/// Reads the name or the value of an enum's member. The values of all members have the same type, that of the first
/// one.
Typed ExpressionLowering::enumPart(const Typed &member, std::string_view name, const NodeOrigin &origin,
                                   std::string_view hint)
{
    const ClassDefinition *definition = m_graph.archive.classOf(member.type);
    ir::Context &context = m_graph.archive.context();
    if (name == "name")
        return m_builder.emit(origin, "EnumName", {m_builder.argument("enum", member.operand)}, m_types.ofClass("str"),
                              hint);
    ir::Dict members = enumMembers(context, definition);
    const bool isWhole = members.items.size() > 1 && members.items[1].as<std::int64_t>();
    const bool isFloat = members.items.size() > 1 && members.items[1].as<double>();
    const std::string_view overload = isWhole ? "int" : isFloat ? "float" : "str";
    return m_builder.addResult(m_builder.append(origin, context.op("prim", "EnumValue", overload),
                                                {m_builder.argument("enum", member.operand),
                                                 m_builder.argument("members", std::move(members))}),
                               m_types.ofClass(overload), hint);
}

/// Returns the meaning of a dotted name whose first part is not local: a function, an enum's member, a constant.
Term ExpressionLowering::global(std::string_view dotted, Position position)
{
    if (dotted.starts_with("CONSTANTS.c"))
        return constant(dotted.substr(11), position);
    if (const FunctionDefinition *function = m_graph.archive.code.findFunction(dotted))
        return function;
    const std::size_t dot = dotted.rfind('.');
    const ClassDefinition *owner = m_graph.archive.code.findClass(dotted.substr(0, dot));
    if (owner && owner->syntax->kind == Class::Kind::Enum)
        return Typed{m_builder.text(dotted), m_types.ofClass(owner->name)};
    return m_frame.unknown("\"" + std::string(dotted) + "\" is not defined in this archive", position);
}

Term ExpressionLowering::constant(std::string_view number, Position position)
{
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), index);
    const Constants &constants = m_graph.archive.objects.constants;
    if (error != std::errc() || end != number.data() + number.size() || index >= constants.size())
        return m_frame.unknown("there is no constant " + std::string(number), position);
    if (const auto *module = std::get_if<InstanceId>(&constants[index]))
        return ModuleTerm{*module, m_graph.archive.objects.at(*module).path};
    const auto &operand = std::get<ir::Operand>(constants[index]);
    if (const auto *tensor = operand.as<ir::TensorId>())
        return m_builder.weight(*tensor);
    return Typed{operand, m_types.ofConstant(operand)};
}

Typed ExpressionLowering::subscript(const Subscript &subscript, Position position, std::string_view hint)
{
    const Term container = term(subscript.object);
    Typed index = value(subscript.index);
    if (const auto *modules = std::get_if<ModuleTerm>(&container))
        return moduleAt(*modules, index, position, hint);
    Typed object = asValue(container);
    const auto *tuple = compoundOf(m_graph.archive.context(), object.type);
    if (!tuple || tuple->kind != ir::CompoundType::Kind::Tuple)
        return m_operators.lower({"aten", "__getitem__", {std::move(object), std::move(index)}, {}}, position, hint);
    const auto *at = index.operand.as<std::int64_t>();
    const auto item = at ? pythonIndex(*at, tuple->elements.size()) : std::nullopt;
    ir::TypeId type;
    if (item)
        type = tuple->elements[*item];
    else if (!at)
        type = m_types.join(tuple->elements);
    const auto *items = object.operand.as<ir::List>();
    if (items && item && *item < items->items.size())
        return {items->items[*item], type};
    return m_builder.emit(
        m_frame.origin(position), "TupleIndex",
        {m_builder.argument("", std::move(object.operand)), m_builder.argument("index", std::move(index.operand))},
        type, hint);
}

/// Returns a module of a ModuleList or ModuleDict, whose type is an interface; its index is known only at run time.
Typed ExpressionLowering::moduleAt(const ModuleTerm &modules, const Typed &index, Position position,
                                   std::string_view hint)
{
    ir::Context &context = m_graph.archive.context();
    const bool isNumber = std::holds_alternative<ir::NumberType>(context.at(index.type));
    const ir::OpId op = context.op("prim", "ModuleContainerIndex", isNumber ? "list" : "dict");
    const ir::NodeId node = m_builder.append(
        m_frame.origin(position), op,
        {m_builder.argument("self", asValue(modules).operand), m_builder.argument("ind", index.operand)});
    return m_builder.addResult(node, {}, hint);
}

Typed ExpressionLowering::container(const List &list)
{
    ir::List items;
    ir::TypeId element;
    for (const ExpressionId id : list.items) {
        Typed item = value(id);
        element = items.items.empty() ? item.type : m_types.join(element, item.type);
        items.items.push_back(std::move(item.operand));
    }
    // The type of a list of tensors does not include their sizes.
    if (ir::tensorType(m_graph.archive.context(), element))
        element = m_types.tensor();
    const ir::TypeId type = m_types.compound(ir::CompoundType::Kind::List, {element});
    return {std::move(items), type, type, Typed::Constant::Written, m_graph.stack.level()};
}

Typed ExpressionLowering::container(const Tuple &tuple)
{
    ir::List items{{}, ir::List::Kind::Tuple};
    std::vector<ir::TypeId> types;
    for (const ExpressionId id : tuple.items) {
        Typed item = value(id);
        items.items.push_back(std::move(item.operand));
        types.push_back(item.type);
    }
    return {std::move(items), m_types.compound(ir::CompoundType::Kind::Tuple, std::move(types))};
}

Typed ExpressionLowering::dict(const Dict &dict, Position position, std::string_view hint)
{
    std::vector<ir::Argument> arguments;
    ir::TypeId key;
    ir::TypeId element;
    for (const auto &[keyId, valueId] : dict.entries) {
        Typed k = value(keyId);
        Typed v = value(valueId);
        key = k.type;
        element = arguments.empty() ? v.type : m_types.join(element, v.type);
        arguments.push_back(m_builder.argument("", std::move(k.operand)));
        arguments.push_back(m_builder.argument("", std::move(v.operand)));
    }
    return m_builder.emit(m_frame.origin(position), "DictConstruct", std::move(arguments),
                          m_types.compound(ir::CompoundType::Kind::Dict, {key, element}), hint);
}

Term ExpressionLowering::annotated(const TypedForm &annotate, std::string_view hint)
{
    const ir::TypeId type = m_frame.typeOf(annotate.type);
    Term annotated = term(*annotate.value, hint);
    if (auto *value = std::get_if<Typed>(&annotated)) {
        value->type = value->seen = type;
        const auto *made = value->operand.as<ir::ValueId>();
        const bool isDict = std::holds_alternative<Dict>(m_frame.tree().at(*annotate.value).kind);
        if (made && (isDict || callAt(m_frame.tree(), *annotate.value))) // the node was made by this statement
            m_builder.graph.setType(*made, type);
    }
    return annotated;
}

} // namespace cutaway::formats::torchscript
