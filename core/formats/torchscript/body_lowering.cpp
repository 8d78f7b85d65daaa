// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/body_lowering.h"

#include "core/base/formatted.h"
#include "core/base/text.h"

#include <algorithm>

namespace cutaway::formats::torchscript {

Lowering::Lowering(ir::Model &filled, const Code &source, const Objects &pickled, Types &known, Notes &heard,
                   const Task &watched)
    : model(filled),
      code(source),
      objects(pickled),
      types(known),
      notes(heard),
      task(watched),
      operators(*filled.context, known),
      places(*filled.context),
      m_changes([this](std::string_view dialect, std::string_view name) {
          return operators.changesContainers(dialect, name);
      })
{
    for (const auto &function : code.functions())
        if (function->owner)
            collectChanging(*function);
}

const Facts &Lowering::facts(const FunctionDefinition &function)
{
    const auto known = m_facts.find(&function);
    if (known != m_facts.end())
        return known->second;
    return m_facts.emplace(&function, Facts(function.unit->file.tree, *function.syntax, m_changes)).first->second;
}

/// `self.name = …`, wherever it stands in the method.
void Lowering::collectChanging(const FunctionDefinition &function)
{
    for (const std::string_view attribute : facts(function).selfAssigned())
        m_changing.emplace(function.owner->name, attribute);
}

bool Lowering::isChanging(std::string_view className, std::string_view attribute) const
{
    return m_changing.contains(std::pair(className, attribute));
}

void Lowering::noteOnce(ir::Severity severity, const std::string &code, std::string message)
{
    if (!m_noted.insert(message).second)
        return;
    severity == ir::Severity::Error ? notes.error(code, std::move(message)) : notes.warning(code, std::move(message));
}

std::optional<ir::FunctionId> Lowering::functionId(const FunctionDefinition &function) const
{
    const auto known = functionIds.find(&function);
    return known == functionIds.end() ? std::nullopt : std::optional(known->second);
}

BodyLowering::BodyLowering(Lowering &lowering, GraphWriter &writer, Nesting &nesting,
                           const FunctionDefinition &function, Cursor at)
    : m_lowering(lowering),
      m_writer(writer),
      m_nesting(nesting),
      m_function(function),
      m_facts(lowering.facts(function)),
      m_at(at),
      m_begun(at.region)
{
}

Cursor BodyLowering::at(Place place) const
{
    return {m_at.region, m_at.scope, m_lowering.places.at(*m_function.unit, place, m_at.location)};
}

Typed BodyLowering::asValue(Term term)
{
    if (auto *value = std::get_if<Typed>(&term))
        return std::move(*value);
    if (const auto *module = std::get_if<ModuleTerm>(&term))
        return m_writer.module(m_at, *module);
    if (const auto *function = std::get_if<FunctionTerm>(&term))
        return {m_writer.text((*function)->name), {}};
    return {m_writer.text(std::get<LocalTerm>(term)->name), {}};
}

/// A note, and a value of which nothing is known.
Term BodyLowering::unknown(const std::string &message, Place place)
{
    m_lowering.noteOnce(ir::Severity::Error, "torchscript.code", sanitized(message) + " (" + placeText(place) + ")");
    return Typed{};
}

std::string BodyLowering::placeText(Place place) const
{
    const std::string_view text = m_function.unit->content.text().substr(0, place.offset);
    const auto line = std::ranges::count(text, '\n') + 1;
    return formatted("{}, line {}", sanitized(m_function.unit->member), line);
}

} // namespace cutaway::formats::torchscript
