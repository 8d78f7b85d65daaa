// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/ir/text/function_parser.h"

#include "core/base/limits.h"
#include "core/base/text.h"

#include <algorithm>

namespace cutaway::ir {

std::uint32_t LocationTable::slotOf(const Location &location)
{
    m_entries.push_back({location, 0, 0});
    return static_cast<std::uint32_t>(m_entries.size() - 1);
}

std::uint32_t LocationTable::slotOfNumber(std::uint64_t number, std::size_t position)
{
    const auto [entry, isNew] = m_numbers.emplace(number, m_entries.size());
    if (isNew)
        m_entries.push_back({{}, 0, position});
    return entry->second;
}

bool LocationTable::describe(std::uint64_t number, Location location, std::optional<std::uint64_t> caller,
                             std::size_t position)
{
    const std::uint32_t slot = slotOfNumber(number, position);
    const std::uint32_t callerSlot = caller ? slotOfNumber(*caller, position) : 0;
    if (m_entries[slot].location)
        return false;
    m_entries[slot] = {location, callerSlot, position};
    return true;
}

std::vector<LocationId> LocationTable::resolve(TextLexer &lexer, Context &context) const
{
    std::vector<std::optional<LocationId>> ids(m_entries.size());
    ids[0] = LocationId{};
    for (std::uint32_t i = 0; i < m_entries.size(); ++i) {
        std::vector<std::uint32_t> chain; // from the innermost location to the first one whose id is already known
        for (std::uint32_t slot = i; !ids[slot]; slot = m_entries[slot].caller) {
            if (!m_entries[slot].location || chain.size() > m_entries.size()) {
                lexer.failWith(m_entries[slot].location ? "a location calls itself" : "this location is not described",
                               m_entries[slot].position);
                return {};
            }
            chain.push_back(slot);
        }
        for (; !chain.empty(); chain.pop_back()) {
            Location location = *m_entries[chain.back()].location;
            location.caller = *ids[m_entries[chain.back()].caller];
            ids[chain.back()] = context.location(location);
        }
    }
    std::vector<LocationId> resolved;
    std::ranges::transform(ids, std::back_inserter(resolved), [](const auto &id) { return *id; });
    return resolved;
}

ScopeTable::Label ScopeTable::takeLabel()
{
    Label label{m_lexer.takeName()};
    if (m_lexer.acceptAdjacent("#"))
        label.number = m_lexer.takeInteger<std::uint32_t>();
    return label;
}

ScopeId ScopeTable::at(const Label &label)
{
    if (m_lexer.failed())
        return {};
    if (const auto found = m_scopes.find(label); found != m_scopes.end())
        return found->second;
    if (label.number != 0) {
        m_lexer.failWith("the scope '" + sanitized(label.path) + "#" + std::to_string(label.number)
                         + "' is not declared before it is used");
        return {};
    }
    const std::string name = label.path.substr(label.path.rfind('.') + 1); // npos + 1 is 0
    const ScopeId scope =
        m_context.scope({parentOf(label.path), m_context.name(name), m_context.name(label.path), {}, 0});
    m_scopes.emplace(label, scope);
    return scope;
}

ScopeId ScopeTable::parentOf(const std::string &path)
{
    if (std::ranges::count(path, '.') > limits::maxNesting)
        m_lexer.failWith("a scope's path has more than " + std::to_string(limits::maxNesting) + " parts");
    const std::size_t dot = path.rfind('.');
    return dot == path.npos || m_lexer.failed() ? ScopeId{} : at({path.substr(0, dot), 0});
}

} // namespace cutaway::ir
