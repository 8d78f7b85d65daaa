// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/lowering/statement_lowering.h"

#include "core/formats/unusable.h"

namespace cutaway::formats::torchscript {

StatementLowering::StatementLowering(GraphLowering &graph, Frame &frame)
    : m_graph(graph),
      m_builder(graph.builder),
      m_frame(frame),
      m_operators(graph, frame),
      m_expressions(graph, frame),
      m_controlFlow(graph, frame, m_expressions, [this](const Block &body) { block(body); }),
      m_region(graph.builder.region())
{
}

Term StatementLowering::run(const Block &body)
{
    block(body);
    return m_result ? std::move(*m_result) : Term(Typed{ir::None{}, m_graph.archive.none()});
}

void StatementLowering::block(const Block &block)
{
    for (const StatementId id : block) {
        if (m_graph.archive.task.stopRequested())
            throw Unusable(cancelled().error());
        const GraphLowering::Level level(m_graph);
        std::visit([&](const auto &kind) { lower(id, kind); }, m_frame.tree().at(id).kind);
    }
}

/// Returns the targets that are names; "" for other targets.
std::vector<std::string_view> StatementLowering::namesOf(std::span<const ExpressionId> targets) const
{
    std::vector<std::string_view> names;
    for (const ExpressionId target : targets) {
        const auto *name = std::get_if<Name>(&m_frame.tree().at(target).kind);
        names.push_back(name ? name->text : std::string_view());
    }
    return names;
}

void StatementLowering::assignTo(ExpressionId target, Term term)
{
    const Expression &expression = m_frame.tree().at(target);
    if (const auto *name = std::get_if<Name>(&expression.kind))
        return m_frame.names.assign(name->text, std::move(term));
    const auto *attribute = std::get_if<Attribute>(&expression.kind);
    if (!attribute) {
        m_frame.unknown("a value is given to something that is neither a name nor an attribute", expression.position);
        return;
    }
    Typed assigned = m_expressions.asValue(std::move(term));
    Term object = m_expressions.term(attribute->object);
    std::string name(attribute->name);
    ir::Operand self;
    if (const auto *module = std::get_if<ModuleTerm>(&object)) {
        name = module->path.empty() ? name : module->path + "." + name;
        self = m_builder.root().operand;
    } else {
        self = m_expressions.asValue(std::move(object)).operand;
    }
    m_builder.append(m_frame.origin(expression.position), "SetAttr",
                     {m_builder.argument("self", std::move(self)), m_builder.argument("name", m_builder.text(name)),
                      m_builder.argument("value", std::move(assigned.operand))});
}

Term StatementLowering::assigned(ExpressionId value, std::string_view name, Position position)
{
    Term term = m_expressions.term(value, name);
    if (auto *typed = std::get_if<Typed>(&term)) {
        if (m_graph.stack.level() == 0 && callAt(m_frame.tree(), value))
            m_builder.renameInput(typed->operand, name);
        m_operators.fixList(*typed, m_frame.facts, name, position);
    }
    return term;
}

void StatementLowering::lower(StatementId id, const Assign &assign)
{
    const Position position = m_frame.tree().at(id).position;
    const Targets targets = targetsOf(m_frame.tree(), assign);
    const std::vector<std::string_view> names = namesOf(targets.names);
    std::vector<Term> terms;
    const auto *call =
        targets.names.size() > targets.values.size() ? callAt(m_frame.tree(), targets.values[0]) : nullptr;
    if (targets.areItems) {
        for (Typed &item : m_operators.unpack(m_expressions.value(targets.values[0]), names, position))
            terms.emplace_back(std::move(item));
    } else if (call) {
        for (Typed &result : m_expressions.calls().lowerOperator(*call, position, names))
            terms.emplace_back(std::move(result));
    } else {
        for (std::size_t i = 0; i < targets.values.size(); ++i)
            terms.push_back(assigned(targets.values[i], names[i], position));
    }
    if (terms.size() != names.size())
        m_frame.unknown("as many values are expected as there are names on the left", position);
    terms.resize(names.size(), Typed{ir::None{}, {}});
    for (std::size_t i = 0; i < terms.size(); ++i) {
        if (auto *value = std::get_if<Typed>(&terms[i]); value && assign.type) {
            value->type = m_frame.typeOf(*assign.type);
            const auto *made = value->operand.as<ir::ValueId>();
            // The value has no other type than the annotation of the assignment.
            if (made && m_builder.graph.at(*made).type == ir::TypeId{})
                m_builder.graph.setType(*made, value->type);
        }
        assignTo(targets.names[i], std::move(terms[i]));
    }
}

void StatementLowering::lower(StatementId, const Evaluate &evaluate) { m_expressions.term(evaluate.value); }

/// Lowers a with statement. The object's __enter__ and __exit__ run before and after the block, which is lowered in
/// place.
void StatementLowering::lower(StatementId id, const With &with)
{
    const NodeOrigin origin = m_frame.origin(m_frame.tree().at(id).position);
    const Typed context = m_expressions.value(with.context);
    const ClassDefinition *definition = m_graph.archive.classOf(context.type);
    const FunctionDefinition *enter = definition ? definition->method("__enter__") : nullptr;
    Typed entered = m_builder.emit(origin, "Enter", {m_builder.argument("", context.operand)},
                                   enter ? m_graph.archive.resultType(*enter) : ir::TypeId{},
                                   with.variable.value_or(std::string_view()));
    if (with.variable)
        m_frame.names.assign(*with.variable, std::move(entered));
    block(with.body);
    m_builder.append(origin, "Exit", {m_builder.argument("", context.operand)});
}

/// Lowers the return at the end of a function: torch writes no other. A return in a branch or loop is left out with a
/// note, because the values that it returns may not exist outside of that block.
void StatementLowering::lower(StatementId id, const Return &result)
{
    if (m_builder.region() != m_region)
        m_frame.unknown("a return inside a block, which torch does not write, is left out",
                        m_frame.tree().at(id).position);
    else
        m_result = result.value ? m_expressions.term(*result.value) : Term(Typed{ir::None{}, m_graph.archive.none()});
}

void StatementLowering::lower(StatementId, const LocalFunction &local)
{
    const Function &function = m_frame.tree().at(local.function);
    m_frame.names.assign(function.name, &function);
}

} // namespace cutaway::formats::torchscript
