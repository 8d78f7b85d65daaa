// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/request/given_inputs.h"

#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/ir/node_ref.h"
#include "core/ir/open_weights.h"
#include "core/ir/signatures.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/ops/facts/promotion.h"
#include "core/request/given_elements.h"
#include "core/request/given_syntax.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace cutaway::request {

namespace {

using symbolic::Expr;

/// A parsed text: the input's name, the part of the input ("0", "key") or nothing for all of it, and the value.
struct Given {
    std::string name; ///< the name that the user wrote: "xs.0"
    ir::ValueId value;
    std::vector<std::string> path;
    std::string_view content;
};

/// A list, tuple or dict that is given part by part.
struct Parts {
    std::optional<ops::Fact> fact;
    std::map<std::string, Parts> parts;
};

std::optional<ir::ValueId> userInput(const ir::Model &model, const ir::Function &function, std::string_view name)
{
    for (const ir::FunctionInput &input : function.inputs) {
        const auto value = ir::valueOf(function.graph, &input.value);
        if ((input.kind == ir::FunctionInput::Kind::User || ir::isOverridable(input) || ir::isOpenWeight(model, input))
            && value && (model.context->text(input.name) == name || value->name() == name))
            return *value;
    }
    return std::nullopt;
}

std::string inputNames(const ir::Model &model, const ir::Function &function)
{
    std::string names;
    for (const ir::FunctionInput &input : function.inputs)
        if (input.kind == ir::FunctionInput::Kind::User)
            names += (names.empty() ? "" : ", ") + std::string(model.context->text(input.name));
    return names.empty() ? "the function has no inputs" : "the function has " + names;
}

std::optional<Given> partOf(const ir::Model &model, const ir::Function &function, std::string_view name,
                            std::string_view content)
{
    for (std::size_t dot = name.rfind('.'); dot != name.npos && dot > 0; dot = name.rfind('.', dot - 1))
        if (const auto value = userInput(model, function, name.substr(0, dot))) {
            Given given{std::string(name), *value, {}, content};
            for (const std::string_view part : split(name.substr(dot + 1), '.'))
                given.path.emplace_back(part);
            return given;
        }
    return std::nullopt;
}

/// Finds the input that a text names. As names may contain '=' and '.', every '=' is tried, and whole names come first.
Result<Given> findInput(const ir::Model &model, const ir::Function &function, std::string_view text)
{
    for (std::size_t equals = text.find('='); equals != text.npos; equals = text.find('=', equals + 1))
        if (const auto value = userInput(model, function, text.substr(0, equals)))
            return Given{std::string(text.substr(0, equals)), *value, {}, text.substr(equals + 1)};
    const std::size_t equals = text.find('=');
    if (equals == text.npos)
        return usageError("'" + std::string(text)
                          + "' is not an input; expected NAME=SHAPE:DTYPE, for example x=1x3x224x224:float32");
    if (auto part = partOf(model, function, text.substr(0, equals), text.substr(equals + 1)))
        return std::move(*part);
    return usageError("unknown input '" + std::string(text.substr(0, equals)) + "'; " + inputNames(model, function));
}

/// Parses a size: a number, or a formula over names. Names have no 'x', as that separates sizes.
std::optional<ir::Dim> parseSize(std::string_view text)
{
    if (const auto size = parseInteger(text))
        return *size >= 0 ? std::optional<ir::Dim>(*size) : std::nullopt;
    auto formula = symbolic::parse(text);
    const bool isSize = formula && !formula->isConstant() && formula->kind() < symbolic::Kind::Equal;
    return isSize ? std::optional<ir::Dim>(std::move(*formula)) : std::nullopt;
}

Result<ir::Shape> parseShape(std::string_view text, const std::string &name)
{
    ir::Shape shape;
    if (text.empty())
        return shape;
    for (const std::string_view part : split(text, 'x')) {
        auto size = parseSize(part);
        if (!size)
            return usageError("input '" + name + "': '" + std::string(text)
                              + "' is not a shape; expected sizes, for example 1x3x224x224");
        shape.push_back(std::move(*size));
    }
    return shape;
}

Result<ops::TensorFact> parseTensor(const Given &given)
{
    const std::size_t colon = given.content.rfind(':');
    const std::string_view dtypeName = given.content.substr(colon + 1);
    const std::optional<ir::DType> dtype = ir::dtypeFromName(dtypeName);
    if (!dtype)
        return usageError("input '" + given.name + "': unknown dtype '" + std::string(dtypeName)
                          + "'; expected a name such as float32 or int64");
    CUTAWAY_TRY(ir::Shape shape, parseShape(given.content.substr(0, colon), given.name));
    return ops::tensorFact(dtype, std::move(shape));
}

/// Whether two dtypes differ in precision at most. With another kind of elements it would be another model.
bool isOfOneKind(ir::DType a, ir::DType b)
{
    const auto isSame = [&](auto is) { return is(a) && is(b); };
    return a == b || isSame(ir::isFloating) || isSame(ir::isInteger) || isSame(ir::isComplex);
}

std::string_view trimmed(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(' ');
    return first == text.npos ? "" : text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

std::optional<ops::Fact> parseList(std::string_view items);

/// Parses a number, Boolean, text, null or a list of these in JSON.
std::optional<ops::Fact> parseValue(std::string_view text)
{
    if (text == "null")
        return ops::NoneFact{};
    if (text == "true" || text == "false")
        return ops::boolFact(text == "true");
    if (text.starts_with('[') && text.ends_with(']'))
        return parseList(text.substr(1, text.size() - 2));
    if (text.size() >= 2 && text.starts_with('"') && text.ends_with('"'))
        return ops::TextFact{std::string(text.substr(1, text.size() - 2))};
    if (const auto n = parseInteger(text))
        return ops::intFact(*n);
    double x = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
    if (error == std::errc() && end == text.data() + text.size())
        return ops::floatFact(x);
    return std::nullopt;
}

/// Parses a list without nested lists and without texts that contain commas: such lists are given part by part.
std::optional<ops::Fact> parseList(std::string_view items)
{
    std::vector<ops::Fact> facts;
    if (trimmed(items).empty())
        return ops::listFact({});
    for (const std::string_view item : split(items, ',')) {
        auto fact = trimmed(item).starts_with('[') ? std::nullopt : parseValue(trimmed(item));
        if (!fact)
            return std::nullopt;
        facts.push_back(std::move(*fact));
    }
    return ops::listFact(std::move(facts));
}

/// Whether a text is a number in JSON, or true or false.
bool isNumber(std::string_view text)
{
    const auto value = text.starts_with('[') ? std::nullopt : parseValue(text);
    return value && value->as<ops::NumberFact>();
}

bool isOptional(const ir::Context &context, ir::TypeId type)
{
    const auto *compound = std::get_if<ir::CompoundType>(&context.at(type));
    return compound && compound->kind == ir::CompoundType::Kind::Optional;
}

/// Returns the type that an optional value has if it is present; other types stay as they are.
const ir::Type &withoutOptional(const ir::Context &context, const ir::Type &type)
{
    const auto *compound = std::get_if<ir::CompoundType>(&type);
    return compound && compound->kind == ir::CompoundType::Kind::Optional
        ? withoutOptional(context, context.at(compound->elements[0]))
        : type;
}

/// Returns the type of a part of a value: TypeId{} if the file does not record it; nothing if there is no such part.
std::optional<ir::TypeId> partOf(const ir::Context &context, ir::TypeId type, std::string_view part)
{
    using Kind = ir::CompoundType::Kind;
    if (std::holds_alternative<ir::TensorType>(context.at(type)))
        return std::nullopt;
    const auto *compound = std::get_if<ir::CompoundType>(&context.at(type));
    if (!compound)
        return ir::TypeId{};
    const auto index = parseInteger(part);
    switch (compound->kind) {
    case Kind::Optional:
        return partOf(context, compound->elements[0], part);
    case Kind::Dict:
        return compound->elements[1];
    case Kind::List:
        return index && *index >= 0 ? std::optional(compound->elements[0]) : std::nullopt;
    case Kind::Tuple:
        return index && *index >= 0 && *index < std::ssize(compound->elements)
            ? std::optional(compound->elements[static_cast<std::size_t>(*index)])
            : std::nullopt;
    default:
        return ir::TypeId{};
    }
}

/// Returns the index of the field `part` in a named tuple; else `part` itself.
std::string placeOf(const ir::Context &context, ir::TypeId type, const std::string &part)
{
    const auto *compound = std::get_if<ir::CompoundType>(&context.at(type));
    if (!compound)
        return part;
    if (compound->kind == ir::CompoundType::Kind::Optional)
        return placeOf(context, compound->elements[0], part);
    const auto &fields = compound->fieldNames;
    const auto field = std::ranges::find(fields, part, [&](ir::NameId name) { return context.text(name); });
    return field == fields.end() ? part : std::to_string(field - fields.begin());
}

/// Collects the given values and the equations that they must satisfy.
class Giving {
public:
    Giving(ir::Model &model, ir::Function &function) : m_model(model), m_function(function) { }

    Result<void> give(std::string_view text)
    {
        CUTAWAY_TRY(Given given, findInput(m_model, m_function, text));
        CUTAWAY_TRY(const ir::TypeId type, typeOf(given));
        const ir::Type declared = withoutOptional(*m_model.context, m_model.context->at(type));
        CUTAWAY_TRY(ops::Fact fact,
                    given.content == "null" && isOptional(*m_model.context, type) ? Result<ops::Fact>(ops::NoneFact{})
                                                                                  : factOf(given, declared));
        Parts *place = &m_given[given.value];
        for (const std::string &part : given.path)
            place = &place->parts[part];
        if (place->fact)
            return usageError("input '" + given.name + "' is given twice");
        place->fact = std::move(fact);
        return {};
    }

    GivenInputs take() { return {facts(), std::move(m_equations), std::move(m_replaced), std::move(m_tensors)}; }

private:
    std::map<std::string, ops::Fact, std::less<>> facts() const
    {
        std::map<std::string, ops::Fact, std::less<>> facts;
        for (const ir::FunctionInput &input : m_function.inputs)
            if (const auto *value = input.value.as<ir::ValueId>())
                if (const auto given = m_given.find(*value); given != m_given.end())
                    facts.emplace(m_model.context->text(input.name),
                                  assembled(given->second, m_function.graph.at(*value).type));
        return facts;
    }

    /// Returns the type of the given part; fields of named tuples in its path become indices. Errors: there is no such
    /// part.
    Result<ir::TypeId> typeOf(Given &given) const
    {
        ir::TypeId type = m_function.graph.at(given.value).type;
        std::size_t whole = given.name.size();
        for (const std::string &part : given.path)
            whole -= part.size() + 1;
        std::string place = given.name.substr(0, whole);
        for (std::string &part : given.path) {
            const std::string asGiven = std::exchange(part, placeOf(*m_model.context, type, part));
            const auto found = partOf(*m_model.context, type, part);
            if (!found)
                return usageError(formatted("input '{}' {} no part '{}'", place,
                                            ir::tensorType(*m_model.context, type) ? "is a tensor, which has" : "has",
                                            asGiven));
            type = *found;
            place += "." + asGiven;
        }
        return type;
    }

    Result<ops::Fact> factOf(const Given &given, const ir::Type &declared)
    {
        if (const auto *object = std::get_if<ir::ClassType>(&declared))
            return giveMember(given, *object);
        const auto *tensor = std::get_if<ir::TensorType>(&declared);
        const bool isScalar = tensor && tensor->shape && tensor->shape->empty() && isNumber(given.content);
        if (namesFile(given.content) || (tensor && given.content.starts_with('[')) || isScalar)
            return giveElements(given, tensor);
        const bool isShape = given.content.contains(':') && !given.content.starts_with('"');
        return isShape ? giveSizes(given, tensor) : giveValue(given, declared);
    }

    /// Returns the member of an enum with the given name. Only the file's own code can make objects of other classes.
    Result<ops::Fact> giveMember(const Given &given, const ir::ClassType &type) const
    {
        const std::string className(m_model.context->text(type.name));
        const auto members =
            std::ranges::find(m_model.metadata, ir::enumKey(className), [](const auto &entry) { return entry.first; });
        if (members == m_model.metadata.end())
            return usageError(formatted("input '{}' is an object of the class {}, which cannot be given", given.name,
                                        sanitized(className)));
        std::string_view name = given.content;
        if (name.size() >= 2 && name.starts_with('"') && name.ends_with('"'))
            name = name.substr(1, name.size() - 2);
        if (name.starts_with(className + "."))
            name.remove_prefix(className.size() + 1);
        for (const std::string_view member : split(members->second, ','))
            if (trimmed(member) == name)
                return ops::Fact(ops::TextFact{formatted("{}.{}", className, name)});
        return usageError(formatted("input '{}' cannot be '{}'; expected a member of {}: {}", given.name, given.content,
                                    sanitized(className), sanitized(members->second)));
    }

    /// Gives a tensor its elements; it has to have the declared type.
    Result<ops::Fact> giveElements(const Given &given, const ir::TensorType *declared)
    {
        auto elements = readElements(given.content, declared ? declared->dtype : std::nullopt);
        if (!elements) {
            Error &error = elements.error();
            error.message.insert(0, "input '" + given.name + "': ");
            return std::unexpected(error);
        }
        if (declared && declared->dtype && *declared->dtype != elements->dtype)
            return otherDType(given, *declared->dtype, elements->dtype);
        Result<ops::Fact> fact = giveTensor(given, declared, request::factOf(*elements));
        std::string name(ir::ValueRef(m_function.graph, given.value).name());
        for (const std::string &part : given.path)
            name += "." + part;
        m_tensors.insert_or_assign(std::move(name), std::move(*elements));
        return fact;
    }

    Result<ops::Fact> giveSizes(const Given &given, const ir::TensorType *declared)
    {
        CUTAWAY_TRY(ops::TensorFact fact, parseTensor(given));
        if (declared && declared->dtype && !isOfOneKind(*declared->dtype, *fact.dtype))
            return otherDType(given, *declared->dtype, *fact.dtype);
        return giveTensor(given, declared, std::move(fact));
    }

    static std::unexpected<Error> otherDType(const Given &given, ir::DType declared, ir::DType found)
    {
        return usageError("input '" + given.name + "' is " + std::string(ir::name(declared)) + ", not "
                          + std::string(ir::name(found)));
    }

    Result<ops::Fact> giveTensor(const Given &given, const ir::TensorType *declared, ops::TensorFact fact)
    {
        if (!declared)
            return fact;
        if (declared->shape && declared->shape->size() != fact.shape->size())
            return usageError("input '" + given.name + "' has " + std::to_string(declared->shape->size())
                              + " dimensions, not " + std::to_string(fact.shape->size()));
        ir::TensorType type;
        type.dtype = fact.dtype;
        type.shape = fact.shape;
        bool isReplaced = declared->dtype && declared->dtype != fact.dtype;
        for (std::size_t i = 0; declared->shape && i < declared->shape->size(); ++i) {
            CUTAWAY_TRY(const bool isOther,
                        demand((*declared->shape)[i], (*fact.shape)[i],
                               "input '" + given.name + "', dimension " + std::to_string(i)));
            isReplaced |= isOther;
            if (std::holds_alternative<Expr>((*declared->shape)[i]))
                (*type.shape)[i] = (*declared->shape)[i];
        }
        if (isReplaced && ir::ValueRef(m_function.graph, given.value).weight())
            return usageError(formatted("input '{}' has a default of {}, in whose place another type cannot be given",
                                        given.name, m_model.context->print(m_function.graph.at(given.value).type)));
        addSymbols(*fact.shape);
        if (isReplaced)
            noteReplaced(given.value);
        if (given.path.empty())
            m_function.graph.setType(given.value, m_model.context->type(type));
        return fact;
    }

    void noteReplaced(ir::ValueId value)
    {
        for (const ir::FunctionInput &input : m_function.inputs)
            if (input.value == ir::Operand{value})
                m_replaced.emplace(m_model.context->text(input.name), m_function.graph.at(value).type);
    }

    void addSymbols(const ir::Shape &shape)
    {
        for (const ir::Dim &dim : shape)
            if (const auto *expr = std::get_if<Expr>(&dim))
                for (const std::string &name : symbolic::symbolsOf(*expr))
                    if (!std::ranges::contains(m_model.symbols, name, &ir::Symbol::name))
                        m_model.symbols.push_back({name, {}, {}, {}});
    }

    Result<ops::Fact> giveValue(const Given &given, const ir::Type &declared)
    {
        if (std::holds_alternative<ir::TensorType>(declared))
            return usageError("input '" + given.name
                              + "' is a tensor; expected SHAPE:DTYPE, for example 1x3x224x224:float32, its elements, "
                                "for example [0, 1], or its file, for example @x.npy");
        auto value = parseValue(given.content);
        const auto *number = std::get_if<ir::NumberType>(&declared);
        const bool isWhole =
            value && value->as<ops::NumberFact>() && value->as<ops::NumberFact>()->kind == ops::NumberFact::Kind::Int;
        if (!value || (number && number->kind == ir::NumberType::Kind::Int && !isWhole))
            return usageError(
                "input '" + given.name + "' cannot be '" + std::string(given.content) + "'; expected "
                + (number ? "a number" : "a number, true, false, null, a \"text\", a list of these or SHAPE:DTYPE"));
        if (const auto n = ops::asInt(*value); n && number && number->value)
            m_equations.push_back({*number->value, ops::number(*n).value_or(0), "input '" + given.name + "'"});
        return std::move(*value);
    }

    /// Returns the parts as a value of the declared type; missing parts of a tuple keep their declared types.
    ops::Fact assembled(const Parts &parts, ir::TypeId type) const
    {
        using Kind = ir::CompoundType::Kind;
        if (parts.parts.empty())
            return parts.fact.value_or(ops::Fact());
        const auto *declared = std::get_if<ir::CompoundType>(&m_model.context->at(type));
        if (declared && declared->kind == Kind::Optional)
            return assembled(parts, declared->elements[0]);
        if (declared && declared->kind == Kind::Dict)
            return dictOf(parts, *declared);
        if (declared && declared->kind == Kind::Tuple)
            return tupleOf(parts, *declared);
        return listOf(parts, declared && declared->kind == Kind::List ? declared->elements[0] : ir::TypeId{});
    }

    ops::Fact dictOf(const Parts &parts, const ir::CompoundType &declared) const
    {
        const bool byNumber = std::holds_alternative<ir::NumberType>(m_model.context->at(declared.elements[0]));
        std::vector<ops::Fact> entries;
        for (const auto &[name, part] : parts.parts) {
            const auto number = byNumber ? parseInteger(name) : std::nullopt;
            entries.push_back(number ? ops::Fact(ops::intFact(*number)) : ops::Fact(ops::TextFact{name}));
            entries.push_back(assembled(part, declared.elements[1]));
        }
        return ops::dictFact(std::move(entries));
    }

    ops::Fact tupleOf(const Parts &parts, const ir::CompoundType &declared) const
    {
        std::vector<ops::Fact> items;
        for (const ir::TypeId element : declared.elements) {
            const auto given = parts.parts.find(std::to_string(items.size()));
            items.push_back(given == parts.parts.end() ? ops::factOf(*m_model.context, element)
                                                       : assembled(given->second, element));
        }
        return ops::tupleFact(std::move(items));
    }

    ops::Fact listOf(const Parts &parts, ir::TypeId element) const
    {
        std::map<std::int64_t, ops::Fact> items;
        for (const auto &[name, part] : parts.parts)
            items.emplace(parseInteger(name).value_or(0), assembled(part, element));
        std::vector<ops::Fact> facts;
        for (auto &[index, item] : items)
            facts.push_back(std::move(item));
        return ops::listFact(std::move(facts));
    }

    /// Adds the equation of a declared and a given size. Returns whether the file has another number for the size,
    /// which is then replaced. Errors: a name is given for a formula of the file.
    Result<bool> demand(const ir::Dim &declared, const ir::Dim &given, std::string place)
    {
        const auto *size = std::get_if<std::int64_t>(&declared);
        const auto *formula = std::get_if<Expr>(&declared);
        if (!formula || formula->kind() == symbolic::Kind::Integer)
            return size && given != declared;
        if (const auto number = ops::number(given))
            m_equations.push_back({*formula, *number, std::move(place)});
        else if (given != declared)
            return usageError(place + ": the model has " + symbolic::print(*formula) + ", not " + ir::print(given));
        return false;
    }

    ir::Model &m_model;
    ir::Function &m_function;
    std::vector<Equation> m_equations;
    std::map<std::string, ir::TypeId, std::less<>> m_replaced;
    run::GivenTensors m_tensors;
    std::map<ir::ValueId, Parts> m_given;
};

} // namespace

Result<GivenInputs> readInputs(ir::Model &model, ir::FunctionId function, std::span<const std::string> texts)
{
    Giving giving(model, model.functions[function.index]);
    for (const std::string &text : texts)
        CUTAWAY_RETURN_IF_ERROR(giving.give(text));
    return giving.take();
}

} // namespace cutaway::request
