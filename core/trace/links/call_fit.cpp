// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/links/call_fit.h"

#include "core/trace/limits.h"
#include "core/trace/read/json_text.h"

#include <algorithm>
#include <unordered_map>

namespace cutaway::trace {

namespace {

Fit fusedFit(std::string_view names, std::span<const Unit> from)
{
    constexpr std::size_t most = 50;
    for (std::size_t count = 0; count < std::min(most, from.size()); ++count) {
        const std::string_view name = from[count].name;
        if (!continues(names, name))
            return {};
        names.remove_prefix(std::min(name.size() + 1, names.size()));
        if (names.empty())
            return {static_cast<std::uint8_t>(count + 1), static_cast<std::uint8_t>(5 * (count + 1))};
    }
    return {};
}

} // namespace

bool continues(std::string_view names, std::string_view name)
{
    return names.starts_with(name) && (names.size() == name.size() || names[name.size()] == '_');
}

Shapes shapesOf(const Trace &trace, const Event &call, const Unit &unit)
{
    const std::string_view written = trace.texts.at(trace.detailsOf(call).dims);
    if (written.empty() || unit.dims.empty())
        return Shapes::Unknown;
    std::size_t i = 0;
    bool isKnown = false;
    for (Members dims(written); i < unit.dims.size() && dims.next(); ++i) {
        if (unit.dims[i] && *unit.dims[i] != dims.value())
            return Shapes::Differ;
        isKnown |= unit.dims[i] && *unit.dims[i] != "[]";
    }
    return isKnown ? Shapes::Equal : Shapes::Unknown;
}

Fit fitOf(const Trace &trace, const Event &call, std::span<const Unit> from)
{
    const std::string_view name = trace.nameOf(call);
    if (name.starts_with(fusedPrefix))
        return fusedFit(name.substr(fusedPrefix.size()), from);
    if (operatorName(name) != from.front().name)
        return {};
    const std::string_view path = trace.texts.at(trace.detailsOf(call).hierarchy);
    const bool isElsewhere = !path.empty() && !from.front().scope.ends_with(path);
    const Shapes shapes = shapesOf(trace, call, from.front());
    const int score = 3 + (shapes == Shapes::Equal ? 2 : shapes == Shapes::Differ ? -2 : 0) + (isElsewhere ? -2 : 1);
    return {1, static_cast<std::uint8_t>(std::max(score, 1))};
}

CallFits::CallFits(const Trace &trace, std::span<const Unit> units, const std::vector<Row *> &calls,
                   const std::vector<std::uint32_t> &kinds)
    : m_trace(trace),
      m_units(units),
      m_calls(calls)
{
    std::unordered_map<std::uint32_t, std::size_t> own; // without kinds that only other iterations have
    for (const std::uint32_t kind : kinds)
        m_kinds.push_back(own.emplace(kind, own.size()).first->second);
    if (own.size() <= limits::maxComparisons / m_units.size())
        m_known.resize(own.size() * m_units.size());
}

Fit CallFits::of(std::size_t call, std::size_t unit)
{
    if (m_known.empty())
        return computed(call, unit);
    auto &known = m_known[m_kinds[call] * m_units.size() + unit];
    if (!known)
        known = computed(call, unit);
    return *known;
}

Fit CallFits::computed(std::size_t call, std::size_t unit) const
{
    return fitOf(m_trace, m_trace.events[m_calls[call]->event], m_units.subspan(unit));
}

} // namespace cutaway::trace
