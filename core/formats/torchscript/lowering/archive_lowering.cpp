// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/lowering/archive_lowering.h"

namespace cutaway::formats::torchscript {

ArchiveLowering::ArchiveLowering(ir::Model &model, std::optional<int> version, const Code &code, const Objects &objects,
                                 Types &types, Notes &notes, const Task &task)
    : model(model),
      code(code),
      objects(objects),
      types(types),
      task(task),
      operators(*model.context, types),
      oldOperators(*model.context, version),
      locations(*model.context),
      m_notes(notes),
      m_changes([this](std::string_view dialect, std::string_view name) {
          return operators.changesContainers(dialect, name);
      })
{
    for (const auto &function : code.functions())
        if (function->owner)
            for (const std::string_view attribute : facts(*function).selfAssigned())
                m_changing.emplace(function->owner->name, attribute);
}

const Facts &ArchiveLowering::facts(const FunctionDefinition &function)
{
    const auto known = m_facts.find(&function);
    if (known != m_facts.end())
        return known->second;
    return m_facts.emplace(&function, Facts(function.unit->file.tree, *function.syntax, m_changes)).first->second;
}

bool ArchiveLowering::isChanging(std::string_view className, std::string_view attribute) const
{
    return m_changing.contains(std::pair(className, attribute));
}

const ClassDefinition *ArchiveLowering::classOf(ir::TypeId type) const
{
    const auto *named = std::get_if<ir::ClassType>(&context().at(type));
    return named ? code.findClass(context().text(named->name)) : nullptr;
}

ir::TypeId ArchiveLowering::resultType(const FunctionDefinition &function) const
{
    return function.syntax->result ? types.of(function.unit->file.tree, *function.syntax->result) : ir::TypeId{};
}

void ArchiveLowering::noteHooks()
{
    m_notes.info("torchscript.hooks",
                 "the model has hooks, which a call of it runs: forward is shown as such a call, with them");
}

void ArchiveLowering::noteOnce(ir::Severity severity, std::string_view code, std::string message)
{
    if (!m_noted.insert(message).second)
        return;
    severity == ir::Severity::Error ? m_notes.error(code, std::move(message))
                                    : m_notes.warning(code, std::move(message));
}

} // namespace cutaway::formats::torchscript
