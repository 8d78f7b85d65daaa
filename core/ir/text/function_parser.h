// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/graph_draft.h"
#include "core/ir/model.h"
#include "core/ir/text/operand_parser.h"

#include <map>

namespace cutaway::ir {

/// A parsed function. Ids of tensors, functions and objects in it are slots of ModelLabels, and the location of a
/// node is a slot of LocationTable; values are those of the draft `graph`.
struct FunctionDraft {
    NameId name;
    Function::Kind kind = Function::Kind::Main;
    GraphDraft graph;
    std::vector<FunctionInput> inputs;
    std::vector<FunctionOutput> outputs;
    std::vector<Argument> attributes;
    std::string documentation;
};

/// Source positions, which may be used before they are declared. Slot 0 is the unknown position.
class LocationTable {
public:
    std::uint32_t slotOf(const Location &location);
    std::uint32_t slotOfNumber(std::uint64_t number, std::size_t position);
    /// Declares a position. Returns false if the number was declared already.
    bool describe(std::uint64_t number, Location location, std::optional<std::uint64_t> caller, std::size_t position);
    /// Returns the LocationId of each slot. Errors: a number that is not declared, a cycle of callers.
    std::vector<LocationId> resolve(TextLexer &lexer, Context &context) const;

private:
    struct Entry {
        std::optional<Location> location;
        std::uint32_t caller = 0;
        std::size_t position = 0;
    };
    std::vector<Entry> m_entries = {{Location{}, 0, 0}};
    std::map<std::uint64_t, std::uint32_t> m_numbers;
};

/// Scopes by label; a label that is not declared makes the scope that its path describes.
class ScopeTable {
public:
    ScopeTable(TextLexer &lexer, Context &context) : m_lexer(lexer), m_context(context) { }

    struct Label {
        std::string path;
        std::uint32_t number = 0;
        auto operator<=>(const Label &) const = default;
    };
    Label takeLabel();
    /// Returns the declared scope of a label, or the one that its path describes.
    ScopeId at(const Label &label);
    ScopeId parentOf(const std::string &path);
    bool declare(const Label &label, ScopeId scope) { return m_scopes.emplace(label, scope).second; }

private:
    TextLexer &m_lexer;
    Context &m_context;
    std::map<Label, ScopeId> m_scopes;
};

/// The tables that all functions of a text share.
struct TextTables {
    TextTables(TextLexer &lexer, Context &context) : scopes(lexer, context) { }
    ModelLabels labels;
    LocationTable locations;
    ScopeTable scopes;
};

/// Parses the function that has this index in the model, after its keyword.
FunctionDraft parseFunction(TextLexer &lexer, Context &context, TextTables &tables, Function::Kind kind,
                            std::uint32_t index);

/// Parses a source position `"file":12` without a caller.
Location parsePlace(TextLexer &lexer, Context &context);

} // namespace cutaway::ir
