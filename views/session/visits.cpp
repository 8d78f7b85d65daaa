// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/session/visits.h"

namespace cutaway::views {
namespace {

constexpr std::size_t mostVisits = 200;

} // namespace

void Visits::add(const Visit &visit)
{
    if (!m_all.empty() && m_all[m_present] == visit)
        return;
    m_all.resize(m_all.empty() ? 0 : m_present + 1);
    if (m_all.size() == mostVisits)
        m_all.erase(m_all.begin());
    m_all.push_back(visit);
    m_present = m_all.size() - 1;
}

std::optional<std::size_t> Visits::find(std::ptrdiff_t first, int by,
                                        const std::function<bool(const Visit &)> &isThere) const
{
    for (std::ptrdiff_t at = std::ptrdiff_t(m_present) + first; at >= 0 && at < std::ptrdiff_t(m_all.size()); at += by)
        if (isThere(m_all[std::size_t(at)]))
            return std::size_t(at);
    return {};
}

Visits::Visit Visits::take(std::size_t visit)
{
    m_present = visit;
    return m_all[visit];
}

} // namespace cutaway::views
