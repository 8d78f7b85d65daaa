// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/writes/left_writes.h"

#include "core/base/formatted.h"
#include "core/ir/names.h"

#include <algorithm>

namespace cutaway::passes {

void LeftWrites::leave(const ir::NodeRef &node, std::string_view reason)
{
    ++m_total;
    m_names[reason].push_back(ir::nameOf(node));
}

std::string LeftWrites::print() const
{
    constexpr std::size_t namesShown = 5;
    std::size_t left = 0;
    std::string text;
    for (const auto &[reason, names] : m_names) {
        left += names.size();
        text += text.empty() ? "" : "; ";
        for (std::size_t i = 0; i < std::min(names.size(), namesShown); ++i)
            text += (i > 0 ? ", " : "") + names[i];
        text += names.size() > namesShown ? formatted(" and {} more", names.size() - namesShown) : "";
        text += formatted(" ({})", reason);
    }
    return left == 0 ? std::string() : formatted("{} of {} writes in place are left: {}", left, m_total, text);
}

} // namespace cutaway::passes
