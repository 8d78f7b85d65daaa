// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/texts.h"

namespace cutaway::trace {

TextId Texts::add(std::string_view text)
{
    const auto known = m_ids.find(text);
    if (known != m_ids.end())
        return known->second;
    const auto id = static_cast<TextId>(m_texts.size());
    m_ids.emplace(m_texts.emplace_back(text), id);
    return id;
}

} // namespace cutaway::trace
