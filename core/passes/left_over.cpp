// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/left_over.h"

#include "core/base/formatted.h"

#include <algorithm>
#include <vector>

namespace cutaway::passes {

std::string LeftOver::print(std::string_view what) const
{
    std::size_t left = 0;
    std::vector<std::pair<std::size_t, std::string_view>> causes;
    for (const auto &[cause, count] : m_causes) {
        left += count;
        causes.emplace_back(count, cause);
    }
    if (left == 0)
        return {};
    std::ranges::stable_sort(causes, std::greater(), &std::pair<std::size_t, std::string_view>::first);
    std::string text = formatted("{} of {} {}: ", left, m_total, what);
    for (std::size_t i = 0; i < causes.size(); ++i) {
        text += i > 0 ? "; " : "";
        text += causes[i].second;
        text += causes.size() > 1 ? formatted(" ({})", causes[i].first) : "";
    }
    return text;
}

} // namespace cutaway::passes
