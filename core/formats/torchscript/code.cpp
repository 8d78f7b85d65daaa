// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/code.h"

#include "core/base/formatted.h"
#include "core/base/located.h"
#include "core/base/text.h"
#include "core/formats/limits.h"
#include "core/formats/python/token_stream.h"

#include <algorithm>

namespace cutaway::formats::torchscript {

namespace {

constexpr std::string_view sourceSuffix = ".py";

/// Returns the prefix of names that a member defines: "__torch__.a.b." for "root/code/__torch__/a/b.py".
std::string prefixOf(std::string_view member, std::string_view folder)
{
    std::string prefix(member.substr(folder.size(), member.size() - folder.size() - sourceSuffix.size()));
    std::ranges::replace(prefix, '/', '.');
    return prefix + '.';
}

std::optional<SourceRanges> rangesOf(const archive::Zip &zip, const archive::Member &source, Notes &notes)
{
    const archive::Member *member = zip.find(std::string(source.name) + ".debug_pkl");
    if (!member)
        return std::nullopt;
    const auto content = zip.read(*member);
    auto ranges = content ? SourceRanges::read(content->bytes()) : std::unexpected(content.error());
    if (ranges)
        return std::move(*ranges);
    notes.info("torchscript.source-ranges",
               "the places of " + shown(source.name) + " in Python code cannot be read: " + ranges.error().text());
    return std::nullopt;
}

std::size_t nodesOf(const Tree &tree) { return tree.expressions.size() + tree.statements.size(); }

/// Reads a member as a source file. Errors name the member.
Result<std::unique_ptr<Unit>> unitOf(const archive::Zip &zip, const archive::Member &member, Notes &notes)
{
    const std::string name(member.name.substr(zip.root().size()));
    auto content = zip.read(member);
    if (!content)
        return unreadable(std::move(content.error().message), sanitized(name));
    CUTAWAY_TRY(auto file, located(sanitized(name), parse(content->text())));
    for (const Remark &remark : file.remarks)
        notes.info("torchscript.code",
                   sanitized(name) + ", " + python::lineAndColumn(content->text(), remark.position) + ": "
                       + remark.message);
    return std::make_unique<Unit>(name, std::move(*content), std::move(file), std::nullopt);
}

} // namespace

const FunctionDefinition *ClassDefinition::method(std::string_view plainName) const
{
    const auto found = std::ranges::find(methods, plainName, [](const auto *m) { return m->syntax->name; });
    return found == methods.end() ? nullptr : *found;
}

const Field *ClassDefinition::field(std::string_view attribute) const
{
    const auto found = std::ranges::find(syntax->fields, attribute, &Field::name);
    return found == syntax->fields.end() ? nullptr : &*found;
}

bool ClassDefinition::isInterface() const
{
    return syntax->kind == Class::Kind::Interface || syntax->kind == Class::Kind::ModuleInterface;
}

Result<Code> Code::read(const archive::Zip &zip, std::string_view folder, Notes &notes, const Task &task)
{
    Code code;
    std::uint64_t size = 0;
    std::size_t nodes = 0;
    std::size_t rangeTexts = 0;
    for (const archive::Member &member : zip.members()) {
        if (!member.name.starts_with(folder) || !member.name.ends_with(sourceSuffix))
            continue;
        if (task.stopRequested())
            return cancelled();
        size += member.size;
        auto unit = size > limits::maxCodeSize || nodes > limits::maxSyntaxNodes
            ? unreadable(formatted("the archive has more than {} of code or {} expressions",
                                   byteCount(double(limits::maxCodeSize)), limits::maxSyntaxNodes),
                         sanitized(member.name))
            : unitOf(zip, member, notes);
        if (!unit) {
            notes.error("torchscript.code", "code that is left out: " + unit.error().text());
            code.m_firstError = code.m_firstError.value_or(unit.error());
            continue;
        }
        nodes += nodesOf((*unit)->file.tree);
        if (rangeTexts < limits::maxRangeTexts)
            (*unit)->ranges = rangesOf(zip, member, notes);
        rangeTexts += (*unit)->ranges ? (*unit)->ranges->textSize() : 0;
        code.define(**unit, prefixOf(member.name, folder), notes);
        code.m_units.push_back(std::move(*unit));
    }
    return code;
}

void Code::define(const Unit &unit, const std::string &prefix, Notes &notes)
{
    const Tree &tree = unit.file.tree;
    for (const auto &definition : tree.definitions) {
        const auto *id = std::get_if<ClassId>(&definition);
        if (id)
            defineClass(unit, prefix, tree.at(*id), notes);
        else
            defineFunction(unit, prefix, tree.at(std::get<FunctionId>(definition)), nullptr, notes);
    }
}

void Code::defineClass(const Unit &unit, const std::string &prefix, const Class &syntax, Notes &notes)
{
    auto defined = std::make_unique<ClassDefinition>(prefix + std::string(syntax.name), &unit, &syntax);
    if (!m_classByName.try_emplace(defined->name, defined.get()).second)
        return noteTwice(defined->name, unit, notes);
    for (const FunctionId method : syntax.methods)
        if (const auto *made =
                defineFunction(unit, defined->name + ".", unit.file.tree.at(method), defined.get(), notes))
            defined->methods.push_back(made);
    m_classes.push_back(std::move(defined));
}

const FunctionDefinition *Code::defineFunction(const Unit &unit, const std::string &prefix, const Function &syntax,
                                               const ClassDefinition *owner, Notes &notes)
{
    auto defined = std::make_unique<FunctionDefinition>(prefix + std::string(syntax.name), &unit, &syntax, owner);
    if (!m_functionByName.try_emplace(defined->name, defined.get()).second) {
        noteTwice(defined->name, unit, notes);
        return nullptr;
    }
    return m_functions.emplace_back(std::move(defined)).get();
}

void Code::noteTwice(std::string_view name, const Unit &unit, Notes &notes)
{
    notes.warning("torchscript.duplicate",
                  shown(name) + " is defined a second time in " + shown(unit.member) + "; the first is used");
}

const ClassDefinition *Code::findClass(std::string_view qualifiedName) const
{
    const auto found = m_classByName.find(qualifiedName);
    return found == m_classByName.end() ? nullptr : found->second;
}

const FunctionDefinition *Code::findFunction(std::string_view qualifiedName) const
{
    const auto found = m_functionByName.find(qualifiedName);
    return found == m_functionByName.end() ? nullptr : found->second;
}

} // namespace cutaway::formats::torchscript
