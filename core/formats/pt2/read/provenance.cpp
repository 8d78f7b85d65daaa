// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/pt2/read/provenance.h"

#include "core/formats/limits.h"
#include "core/ir/context.h"

#include <algorithm>
#include <charconv>
#include <vector>

namespace cutaway::formats::pt2 {

namespace {

/// Splits at `separator`, but not inside brackets: a path may be an expression with commas.
std::vector<std::string_view> splitOutsideBrackets(std::string_view text, char separator)
{
    std::vector<std::string_view> parts;
    int depth = 0;
    std::size_t from = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
        if (text[i] == separator && depth <= 0) {
            parts.push_back(text.substr(from, i - from));
            from = i + 1;
        }
    }
    parts.push_back(text.substr(from));
    return parts;
}

/// Returns the position of the bracket that closes the one opened before `from`.
std::size_t closingBracket(std::string_view text, std::size_t from)
{
    int depth = 1;
    for (std::size_t i = from; i < text.size(); ++i) {
        depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
        if (depth == 0)
            return i;
    }
    return text.npos;
}

bool isInside(std::string_view path, std::string_view parent)
{
    return !parent.empty() && path.size() > parent.size() && path.starts_with(parent) && path[parent.size()] == '.';
}

std::uint32_t callNumber(std::string_view key)
{
    std::uint32_t n = 0;
    if (const std::size_t at = key.rfind('@'); at != key.npos)
        std::from_chars(key.data() + at + 1, key.data() + key.size(), n);
    return n;
}

std::string_view stripped(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(" \t\r");
    return first == text.npos ? "" : text.substr(first, text.find_last_not_of(" \t\r") + 1 - first);
}

/// Removes the root module from a path. It is called "L__self__" or "_export_root", or is a local variable of the code
/// that torch traced: L['self'] or, for a root of a class of torch.nn, L['fn'].
std::string_view withoutRoot(std::string_view written)
{
    for (const std::string_view self : {"L__self__", "_export_root"})
        if (written.starts_with(self))
            written.remove_prefix(self.size());
    if (const std::size_t end = written.find(']'); written.starts_with("L[") && end != written.npos)
        written.remove_prefix(end + 1);
    return written;
}

} // namespace

std::string plainModulePath(std::string_view written)
{
    static constexpr std::string_view getattr = "getattr(";
    const std::size_t close = written.starts_with(getattr) ? closingBracket(written, getattr.size()) : written.npos;
    if (close != written.npos) {
        const auto parts = splitOutsideBrackets(written.substr(getattr.size(), close - getattr.size()), ',');
        std::string path = plainModulePath(parts.front());
        for (const std::string_view more : {stripped(parts.back()), written.substr(close + 1)})
            if (const std::string name = plainModulePath(more); !name.empty())
                path += (path.empty() ? "" : ".") + name;
        return path;
    }
    std::string path;
    for (const char c : withoutRoot(written))
        if (c == '[' || c == '.')
            path += path.empty() ? "" : ".";
        else if (c != ']' && c != '\'' && c != '"')
            path += c;
    return path;
}

ir::ScopeId ProvenanceReader::scope(std::string_view moduleStack)
{
    const auto [known, isNew] = m_scopes.try_emplace(moduleStack);
    if (isNew)
        for (const std::string_view entry : splitOutsideBrackets(moduleStack, ';'))
            known->second = enter(known->second, entry);
    return known->second;
}

ir::ScopeId ProvenanceReader::enter(ir::ScopeId parent, std::string_view entry)
{
    const auto fields = splitOutsideBrackets(entry, ',');
    if (fields.size() < 3 || fields[0].starts_with("_empty_nn_module_stack"))
        return parent;
    ir::Context &context = m_reading.context();
    const std::string path = plainModulePath(fields[1]);
    const ir::NameId className = context.name(fields[2]);
    ir::Module &entered = m_reading.model.modules.edit(module(path).index);
    if (context.text(entered.className).empty())
        entered.className = className;
    if (path.empty())
        return parent;
    const std::string_view parentPath = context.text(context.at(parent).path);
    if (path == parentPath)
        return parent;
    const std::string_view name =
        isInside(path, parentPath) ? std::string_view(path).substr(parentPath.size() + 1) : std::string_view(path);
    return context.scope({parent, context.name(name), context.name(path), className, callNumber(fields[0])});
}

ir::ModuleId ProvenanceReader::module(std::string_view path)
{
    std::string full = m_modulePrefix + std::string(path);
    if (path.empty() && !full.empty())
        full.pop_back(); // removes the dot of the prefix
    // Every level of the tree stores its path, so a path of dots alone would need memory quadratic in its length.
    if (std::ranges::count(full, '.') > limits::maxNesting)
        return {};
    return m_reading.model.moduleAt(full);
}

} // namespace cutaway::formats::pt2
