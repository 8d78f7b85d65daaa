// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/overloaded.h"
#include "core/formats/torchscript/body_lowering.h"

#include <charconv>

namespace cutaway::formats::torchscript {

namespace {

using Number = ir::NumberType::Kind;

const ir::CompoundType *compoundOf(const ir::Context &context, ir::TypeId type)
{
    return std::get_if<ir::CompoundType>(&context.at(type));
}

} // namespace

Term BodyLowering::term(ExpressionId id, std::string_view hint)
{
    const Expression &expression = tree().at(id);
    ++m_nesting.depth;
    Term result = std::holds_alternative<Attribute>(expression.kind)
        ? attribute(id, std::get<Attribute>(expression.kind), hint)
        : lower(expression, hint);
    --m_nesting.depth;
    return result;
}

Term BodyLowering::lower(const Expression &expression, std::string_view hint)
{
    const Place place = expression.place;
    return std::visit(Overloaded{
                          [&](const Literal &x) -> Term { return literal(x); },
                          [&](const Name &x) -> Term { return name(x, place); },
                          [&](const Attribute &) -> Term { return unknown("an attribute of nothing", place); },
                          [&](const Call &x) -> Term { return call(x, place, hint); },
                          [&](const Subscript &x) -> Term { return subscript(x, place, hint); },
                          [&](const List &x) -> Term { return container(x); },
                          [&](const Tuple &x) -> Term { return container(x); },
                          [&](const Dict &x) -> Term { return dict(x, place, hint); },
                          [&](const Negation &x) -> Term {
                              OperatorCall call{"aten", "neg", {value(x.operand)}, {}};
                              return emitOperation(std::move(call), place, {&hint, 1}).front();
                          },
                          [&](const Annotate &x) -> Term { return annotated(x, hint); },
                          [&](const UncheckedCast &x) -> Term {
                              Typed cast = value(x.value, hint);
                              cast.type = typeOf(x.type);
                              return cast;
                          },
                          [&](const Uninitialized &x) -> Term { return Typed{ir::None{}, typeOf(x.type)}; },
                          [&](const IsInstance &x) -> Term {
                              ir::List types;
                              for (const TypeId type : x.types)
                                  types.items.emplace_back(typeOf(type));
                              return m_writer.emit(at(place), m_writer.op("prim", "isinstance"),
                                                   {m_writer.argument("", value(x.value).operand),
                                                    m_writer.argument("types", std::move(types))},
                                                   number(Number::Bool), hint);
                          },
                      },
                      expression.kind);
}

Typed BodyLowering::literal(const Literal &literal)
{
    ir::Operand operand = std::visit(Overloaded{
                                         [](const NoneLiteral &) -> ir::Operand { return ir::None{}; },
                                         [](const FloatLiteral &x) -> ir::Operand { return x.value; },
                                         [](const ComplexLiteral &x) -> ir::Operand {
                                             return std::complex<double>(x.real.value, x.imaginary.value);
                                         },
                                         [&](const StringLiteral &x) -> ir::Operand { return m_writer.text(x.bytes); },
                                         [](auto x) -> ir::Operand { return x; },
                                     },
                                     literal);
    return constantOf(std::move(operand));
}

Term BodyLowering::name(const Name &name, Place place)
{
    const auto known = m_names.find(name.text);
    return known != m_names.end() ? known->second : unknown("\"" + std::string(name.text) + "\" is not defined", place);
}

Term BodyLowering::attribute(ExpressionId id, const Attribute &attribute, std::string_view hint)
{
    const Place place = tree().at(id).place;
    const auto dotted = dottedName(tree(), id);
    if (dotted && !m_names.contains(std::string_view(*dotted).substr(0, dotted->find('.'))))
        return global(*dotted, place);
    const Term object = term(attribute.object);
    if (const auto *module = std::get_if<ModuleTerm>(&object))
        return attributeOf(*module, attribute.name, place, hint);
    if (const auto *value = std::get_if<Typed>(&object))
        return attributeOf(*value, attribute.name, place, hint);
    return unknown("a function has no attribute \"" + std::string(attribute.name) + "\"", place);
}

Term BodyLowering::attributeOf(const ModuleTerm &module, std::string_view name, Place place, std::string_view hint)
{
    const Instance &instance = m_lowering.objects.at(module.instance);
    const Instance::Attribute *attribute = instance.find(name);
    if (!attribute)
        return unknown("the module \"" + module.path + "\" has no attribute \"" + std::string(name) + "\"", place);
    const std::string path = module.path.empty() ? std::string(name) : module.path + "." + std::string(name);
    const auto *declared = std::get_if<ir::ClassType>(&m_lowering.model.context->at(attribute->type));
    if (const auto *inner = std::get_if<InstanceId>(&attribute->value)) {
        const bool isInterface = declared && declared->kind == ir::ClassType::Kind::Interface;
        return ModuleTerm{*inner, path,
                          isInterface ? m_lowering.code.findClass(m_lowering.model.context->text(declared->name))
                                      : nullptr};
    }
    if (m_lowering.isChanging(instance.className, name))
        return m_writer.emit(
            at(place), m_writer.op("prim", "GetAttr"),
            {m_writer.argument("self", m_writer.root().operand), m_writer.argument("name", m_writer.text(path))},
            attribute->type, hint);
    const auto &constant = std::get<ir::Operand>(attribute->value);
    const auto *tensor = constant.as<ir::TensorId>();
    Typed read = tensor ? m_writer.weight(*tensor) : Typed{constant, attribute->type};
    read.level = level(); // torch reads it here
    return read;
}

/// Of a value: a field of a named tuple, an enum's value, or an attribute that only the running program knows.
Term BodyLowering::attributeOf(const Typed &object, std::string_view name, Place place, std::string_view hint)
{
    const ir::Context &context = *m_lowering.model.context;
    const auto get = [&](ir::TypeId type) {
        return m_writer.emit(
            at(place), m_writer.op("prim", "GetAttr"),
            {m_writer.argument("self", object.operand), m_writer.argument("name", m_writer.text(name))}, type, hint);
    };
    if (const auto *tuple = compoundOf(context, object.type)) {
        for (std::size_t i = 0; i < tuple->fieldNames.size(); ++i)
            if (context.text(tuple->fieldNames[i]) == name)
                return m_writer.emit(
                    at(place), m_writer.op("prim", "TupleIndex"),
                    {m_writer.argument("", object.operand), m_writer.argument("index", static_cast<std::int64_t>(i))},
                    tuple->elements[i], hint);
        return get({});
    }
    const auto *type = std::get_if<ir::ClassType>(&context.at(object.type));
    if (!type) // the tensor's properties
        return emitOperation({"prim", name, {object}, {}}, place, {&hint, 1}).front();
    if (type->kind == ir::ClassType::Kind::Enum)
        return enumPart(object, name, at(place), hint);
    const ClassDefinition *definition = m_lowering.code.findClass(context.text(type->name));
    const Field *field = definition ? definition->field(name) : nullptr;
    if (field && field->type)
        return get(m_lowering.types.of(definition->unit->file.tree, *field->type));
    return get({});
}

/// Members of an enum are of one type, that of the first.
Typed BodyLowering::enumPart(const Typed &member, std::string_view name, const Cursor &here, std::string_view hint)
{
    ir::Context &context = *m_lowering.model.context;
    const auto &type = std::get<ir::ClassType>(context.at(member.type));
    const ClassDefinition *definition = m_lowering.code.findClass(context.text(type.name));
    const bool hasMembers = definition && !definition->syntax->fields.empty() && definition->syntax->fields[0].value;
    const auto *first = hasMembers
        ? std::get_if<Literal>(&definition->unit->file.tree.at(*definition->syntax->fields[0].value).kind)
        : nullptr;
    std::string_view overload = "str";
    if (first && name != "name")
        overload = std::holds_alternative<std::int64_t>(*first) ? "int"
            : std::holds_alternative<FloatLiteral>(*first)      ? "float"
                                                                : "str";
    const ir::OpId op = name == "name" ? context.op("prim", "EnumName") : context.op("prim", "EnumValue", overload);
    return m_writer.emit(here, op, {m_writer.argument("enum", member.operand)}, m_lowering.types.ofClass(overload),
                         hint);
}

/// A name with dots that no local name begins: a function, an enum's member, a constant.
Term BodyLowering::global(std::string_view dotted, Place place)
{
    if (dotted.starts_with("CONSTANTS.c"))
        return constant(dotted.substr(11), place);
    if (const FunctionDefinition *function = m_lowering.code.findFunction(dotted))
        return function;
    const std::size_t dot = dotted.rfind('.');
    const ClassDefinition *owner = m_lowering.code.findClass(dotted.substr(0, dot));
    if (owner && owner->syntax->kind == Class::Kind::Enum)
        return Typed{m_writer.text(dotted), m_lowering.types.ofClass(owner->name)};
    return unknown("\"" + std::string(dotted) + "\" is not defined in this archive", place);
}

Term BodyLowering::constant(std::string_view number, Place place)
{
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), index);
    const Constants &constants = m_lowering.objects.constants;
    if (error != std::errc() || end != number.data() + number.size() || index >= constants.size())
        return unknown("there is no constant " + std::string(number), place);
    if (const auto *module = std::get_if<InstanceId>(&constants[index]))
        return ModuleTerm{*module, m_lowering.objects.at(*module).path};
    const auto &operand = std::get<ir::Operand>(constants[index]);
    if (const auto *tensor = operand.as<ir::TensorId>())
        return m_writer.weight(*tensor);
    return Typed{operand, m_lowering.types.ofConstant(m_lowering.model, operand)};
}

Term BodyLowering::subscript(const Subscript &subscript, Place place, std::string_view hint)
{
    Typed object = value(subscript.object);
    Typed index = value(subscript.index);
    const auto *tuple = compoundOf(*m_lowering.model.context, object.type);
    if (!tuple || tuple->kind != ir::CompoundType::Kind::Tuple)
        return emitOperation({"aten", "__getitem__", {std::move(object), std::move(index)}, {}}, place, {&hint, 1})
            .front();
    const auto *at = index.operand.as<std::int64_t>();
    const auto count = static_cast<std::int64_t>(tuple->elements.size());
    const std::int64_t item = at ? (*at < 0 ? *at + count : *at) : -1;
    ir::TypeId type;
    if (item >= 0 && item < count)
        type = tuple->elements[static_cast<std::size_t>(item)];
    else if (!at)
        type = m_lowering.types.join(tuple->elements);
    const auto *items = object.operand.as<ir::List>();
    if (items && item >= 0 && item < std::ssize(items->items))
        return Typed{items->items[static_cast<std::size_t>(item)], type};
    return m_writer.emit(
        this->at(place), m_writer.op("prim", "TupleIndex"),
        {m_writer.argument("", std::move(object.operand)), m_writer.argument("index", std::move(index.operand))}, type,
        hint);
}

Typed BodyLowering::container(const List &list)
{
    ir::List items;
    ir::TypeId element;
    for (const ExpressionId id : list.items) {
        Typed item = value(id);
        element = items.items.empty() ? item.type : m_lowering.types.join(element, item.type);
        items.items.push_back(std::move(item.operand));
    }
    // A literal of tensors is of tensors whatever their sizes are.
    if (ir::tensorType(*m_lowering.model.context, element))
        element = m_lowering.types.tensor();
    const ir::TypeId type = m_lowering.types.compound(ir::CompoundType::Kind::List, {element});
    return {std::move(items), type, type, Typed::Constant::Written, level()};
}

Typed BodyLowering::container(const Tuple &tuple)
{
    ir::List items{{}, ir::List::Kind::Tuple};
    std::vector<ir::TypeId> types;
    for (const ExpressionId id : tuple.items) {
        Typed item = value(id);
        items.items.push_back(std::move(item.operand));
        types.push_back(item.type);
    }
    return {std::move(items), m_lowering.types.compound(ir::CompoundType::Kind::Tuple, std::move(types))};
}

Typed BodyLowering::dict(const Dict &dict, Place place, std::string_view hint)
{
    std::vector<ir::Argument> arguments;
    ir::TypeId key;
    ir::TypeId element;
    for (const auto &[keyId, valueId] : dict.entries) {
        Typed k = value(keyId);
        Typed v = value(valueId);
        key = k.type;
        element = arguments.empty() ? v.type : m_lowering.types.join(element, v.type);
        arguments.push_back(m_writer.argument("", std::move(k.operand)));
        arguments.push_back(m_writer.argument("", std::move(v.operand)));
    }
    return m_writer.emit(at(place), m_writer.op("prim", "DictConstruct"), std::move(arguments),
                         m_lowering.types.compound(ir::CompoundType::Kind::Dict, {key, element}), hint);
}

/// A list that may change has to be made in one place.
Typed BodyLowering::kept(Typed list, Place place, std::string_view hint)
{
    std::vector<ir::Argument> arguments;
    for (ir::Operand &item : std::get<ir::List>(list.operand.v).items)
        arguments.push_back(m_writer.argument("", std::move(item)));
    Typed made = m_writer.emit(at(place), m_writer.op("prim", "ListConstruct"), std::move(arguments), list.seen, hint);
    return {std::move(made.operand), list.type, list.seen};
}

Term BodyLowering::annotated(const Annotate &annotate, std::string_view hint)
{
    const ir::TypeId type = typeOf(annotate.type);
    Term annotated = term(annotate.value, hint);
    if (auto *value = std::get_if<Typed>(&annotated)) {
        value->type = value->seen = type;
        const auto *made = value->operand.as<ir::ValueId>();
        if (made && std::holds_alternative<Call>(tree().at(annotate.value).kind)) // of a literal or operation
            m_writer.graph.setType(*made, type);
    }
    return annotated;
}

} // namespace cutaway::formats::torchscript
