// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/call.h"

#include "core/base/overloaded.h"
#include "core/ops/attribute_reference.h"
#include "core/ops/facts/sequences.h"
#include "core/ops/torch/signatures.h"

#include <algorithm>
#include <array>

namespace cutaway::ops {

namespace {

const Fact &none()
{
    static const Fact fact = NoneFact{};
    return fact;
}

std::string_view plainName(std::string_view name)
{
    if (name.ends_with("_copy"))
        name.remove_suffix(5);
    else if (name.ends_with('_') && !name.ends_with("__"))
        name.remove_suffix(1);
    return name;
}

} // namespace

Call::Call(ir::NodeRef node, Signatures &signatures, FactSource &source, std::int64_t opset)
    : m_node(node),
      m_source(source),
      m_opset(opset),
      m_isOnnx(node.isOnnx()),
      m_signature(signatures.of(node->op))
{
}

std::string_view Call::dialect() const { return m_node.dialect(); }

std::string_view Call::fullName() const { return m_node.opName(); }

std::string_view Call::name() const { return plainName(fullName()); }

std::string_view Call::overload() const { return m_node.overload(); }

std::size_t Call::resultCount() const { return m_node.outputCount(); }

std::size_t Call::inputCount() const { return isOnnx() ? m_node.inputCount() : m_node->arguments.size(); }

const Fact &Call::operator[](std::size_t position) const
{
    if (const ir::Operand *given = givenArgument(m_node, m_signature, position))
        return made(*given);
    return m_signature && position < m_signature->defaults.size() ? m_signature->defaults[position] : none();
}

const Fact &Call::operator[](std::string_view name) const
{
    if (const ir::Operand *given = givenArgument(m_node, m_signature, name))
        return made(*given);
    if (!m_signature)
        return none();
    const auto parameter = std::ranges::find(m_signature->schema.arguments, name, &SchemaArgument::name);
    return parameter == m_signature->schema.arguments.end()
        ? none()
        : m_signature->defaults[static_cast<std::size_t>(parameter - m_signature->schema.arguments.begin())];
}

const Fact &Call::operator[](Position position) const { return position ? (*this)[*position] : none(); }

Position Call::position(std::initializer_list<std::string_view> names) const
{
    for (const std::string_view name : names) {
        if (m_signature) {
            const auto &declared = m_signature->schema.arguments;
            const auto found = std::ranges::find(declared, name, &SchemaArgument::name);
            if (found != declared.end())
                return static_cast<std::size_t>(found - declared.begin());
        } else if (const ir::Operand *given = isOnnx() ? nullptr : m_node.argument(name)) {
            const auto isIt = [&](const ir::Argument &argument) { return &argument.value == given; };
            return static_cast<std::size_t>(std::ranges::find_if(m_node->arguments, isIt) - m_node->arguments.begin());
        }
    }
    return std::nullopt;
}

const Fact &Call::any(std::initializer_list<std::string_view> names) const
{
    for (const std::string_view name : names)
        if (has(name))
            return (*this)[name];
    return none();
}

bool Call::has(std::size_t position) const { return !(*this)[position].as<NoneFact>(); }

bool Call::has(Position position) const { return position && has(*position); }

bool Call::has(std::string_view name) const { return !(*this)[name].as<NoneFact>(); }

std::string_view Call::text(std::string_view name) const
{
    const auto *text = (*this)[name].as<TextFact>();
    return text ? std::string_view(text->text) : std::string_view();
}

std::vector<const ir::Type *> Call::types(std::string_view name) const
{
    std::vector<const ir::Type *> named;
    const ir::Operand *argument = m_node.argument(name);
    if (const auto *list = argument ? argument->as<ir::List>() : nullptr)
        for (const ir::Operand &item : list->items)
            if (const auto *type = item.as<ir::TypeId>())
                named.push_back(&m_node.graph().context().at(*type));
    return named;
}

std::optional<ir::DType> Call::dtype(std::string_view name) const
{
    const Fact &fact = (*this)[name];
    if (const auto *dtype = fact.as<ir::DType>())
        return *dtype;
    const auto number = integer(name);
    if (!number)
        return std::nullopt;
    return ir::dtypeFromNumber(*number, isOnnx() ? ir::Numbering::Onnx : ir::Numbering::C10);
}

std::optional<std::vector<const TensorFact *>> Call::tensors(std::string_view name) const
{
    const auto *list = (*this)[name].as<SequenceFact>();
    if (!list || !list->items())
        return std::nullopt;
    std::vector<const TensorFact *> tensors;
    for (const Fact &item : list->each())
        tensors.push_back(asTensor(item));
    return tensors;
}

/// Whether a need holds for all values of the symbols, because of their ranges or because its formulas are the same.
static bool certainlyHolds(const SizeNeed &need)
{
    const auto *a = std::get_if<symbolic::Expr>(&need.a);
    switch (need.kind) {
    case SizeNeed::Kind::Equal:
        return need.a == need.b;
    case SizeNeed::Kind::Fitting:
        return need.a == need.b || isOne(need.a) || isOne(need.b);
    case SizeNeed::Kind::AtLeast:
        return a && number(need.b) && a->range().min >= *number(need.b);
    case SizeNeed::Kind::Multiple:
        return number(modulo(need.a, need.b)) == 0;
    }
    return false;
}

void Call::need(SizeNeed need) const
{
    const bool isOpen = isKnown(need.a) && isKnown(need.b) && !(number(need.a) && number(need.b));
    if (isOpen && !certainlyHolds(need) && !std::ranges::contains(m_needs, need))
        m_needs.push_back(std::move(need));
}

bool Call::needSame(const ir::Dim &a, const ir::Dim &b) const
{
    if (isDifferent(a, b))
        return false;
    need({SizeNeed::Kind::Equal, a, b});
    return true;
}

/// Returns the fact of an operand. The fact of a value is looked up; that of a constant is made when it is asked for,
/// and lives as long as the call.
const Fact &Call::made(const ir::Operand &operand) const
{
    if (const auto *value = operand.as<ir::ValueId>())
        return m_source.fact(*value);
    if (operand.as<ir::None>())
        return none();
    return m_constants.emplace_front(factOf(m_node.graph().context(), m_source, operand));
}

std::optional<ir::Shape> shapeAt(const Call &call, std::size_t position)
{
    const ir::Shape *shape = call.shape(position);
    return shape ? std::optional(*shape) : std::nullopt;
}

} // namespace cutaway::ops
