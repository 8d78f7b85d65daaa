// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/formats/archive/zip.h"
#include "core/formats/notes/notes.h"
#include "core/formats/torchscript/source/parser.h"
#include "core/formats/torchscript/source/source_ranges.h"

#include <unordered_map>

namespace cutaway::formats::torchscript {

/// A source file of the archive.
struct Unit {
    std::string member;       ///< "code/__torch__/a/b.py"
    archive::Content content; ///< the content of the member; the tree has views of it
    ParsedFile file;
    std::optional<SourceRanges> ranges; ///< nothing: the archive has no source ranges for it, or they cannot be read
};

struct ClassDefinition;

/// A method or free function that the archive defines.
struct FunctionDefinition {
    std::string name; ///< "__torch__.a.b.C.forward", "__torch__.a.b.f"
    const Unit *unit = nullptr;
    const Function *syntax = nullptr;
    const ClassDefinition *owner = nullptr; ///< nullptr: a free function
};

/// A class, enum or interface that the archive defines.
struct ClassDefinition {
    std::string name; ///< "__torch__.a.b.C"
    const Unit *unit = nullptr;
    const Class *syntax = nullptr;
    std::vector<const FunctionDefinition *> methods;

    const FunctionDefinition *method(std::string_view plainName) const;
    /// Returns the class's declaration of an attribute; nullptr if there is none.
    const Field *field(std::string_view attribute) const;
    /// Whether the class is an interface, whose methods have no bodies.
    bool isInterface() const;
};

/// All code of an archive, by qualified names. Definitions do not move during the object's lifetime.
class Code {
public:
    /// Reads every member under `folder` ("root/code/"). A file that cannot be parsed gives an error note, a file
    /// without readable source ranges an info note. If a name is defined twice, the first definition counts, with a
    /// warning. Errors: cancelled.
    static Result<Code> read(const archive::Zip &zip, std::string_view folder, Notes &notes, const Task &task);

    const ClassDefinition *findClass(std::string_view qualifiedName) const;
    const FunctionDefinition *findFunction(std::string_view qualifiedName) const;
    /// Returns methods and free functions, in the order of the files.
    std::span<const std::unique_ptr<FunctionDefinition>> functions() const { return m_functions; }
    std::span<const std::unique_ptr<ClassDefinition>> classes() const { return m_classes; }
    std::span<const std::unique_ptr<Unit>> units() const { return m_units; }
    /// Returns the error of the first file that could not be parsed.
    const std::optional<Error> &firstError() const { return m_firstError; }

private:
    void define(const Unit &unit, const std::string &prefix, Notes &notes);
    void defineClass(const Unit &unit, const std::string &prefix, const Class &syntax, Notes &notes);
    const FunctionDefinition *defineFunction(const Unit &unit, const std::string &prefix, const Function &syntax,
                                             const ClassDefinition *owner, Notes &notes);
    static void noteTwice(std::string_view name, const Unit &unit, Notes &notes);

    std::vector<std::unique_ptr<Unit>> m_units;
    std::optional<Error> m_firstError;
    std::vector<std::unique_ptr<ClassDefinition>> m_classes;
    std::vector<std::unique_ptr<FunctionDefinition>> m_functions;
    std::unordered_map<std::string_view, const ClassDefinition *> m_classByName;
    std::unordered_map<std::string_view, const FunctionDefinition *> m_functionByName;
};

} // namespace cutaway::formats::torchscript
