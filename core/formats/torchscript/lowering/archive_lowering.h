// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/formats/torchscript/lowering/facts.h"
#include "core/formats/torchscript/lowering/old_operators.h"
#include "core/formats/torchscript/lowering/operator_calls.h"
#include "core/formats/torchscript/lowering/source_locations.h"

#include <set>

namespace cutaway::formats::torchscript {

/// The state that all functions of one archive share while they are lowered.
class ArchiveLowering {
public:
    /// `version` is that of the file's format.
    ArchiveLowering(ir::Model &model, std::optional<int> version, const Code &code, const Objects &objects,
                    Types &types, Notes &notes, const Task &task);

    ir::Model &model;
    const Code &code;
    const Objects &objects;
    Types &types;
    const Task &task;
    OperatorCalls operators;
    const OldOperators oldOperators;
    SourceLocations locations;
    std::unordered_map<const FunctionDefinition *, ir::FunctionId> functionIds;

    ir::Context &context() const { return *model.context; }
    ir::TypeId none() const { return types.plain(ir::PlainType::Kind::None); }
    const Facts &facts(const FunctionDefinition &function);
    /// Whether some method of the class sets the attribute, so that each read of it needs a node.
    bool isChanging(std::string_view className, std::string_view attribute) const;
    /// Returns the definition of a class by its name in the model's types; nullptr for other types or without code.
    const ClassDefinition *classOf(ir::TypeId type) const;
    /// Returns the declared type of a function's result; unknown for a function that declares none.
    ir::TypeId resultType(const FunctionDefinition &function) const;
    /// Adds a note that forward is shown as if the module were called, with its hooks.
    void noteHooks();
    /// Adds a note, unless it was added before: code is lowered again for each call at which it is inlined.
    void noteOnce(ir::Severity severity, std::string_view code, std::string message);

private:
    Notes &m_notes;
    Facts::Changes m_changes;
    std::set<std::string> m_noted;
    std::unordered_map<const FunctionDefinition *, Facts> m_facts;
    std::set<std::pair<std::string, std::string>, std::less<>> m_changing; ///< pairs of class and attribute
};

} // namespace cutaway::formats::torchscript
