// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/torch/jit/marks.h"

#include <algorithm>

namespace cutaway::plugins {

static constexpr std::size_t marksOfAText = 65536;

torch::jit::SourceRange Marks::next()
{
    if (m_count % marksOfAText == 0)
        m_texts.push_back(std::make_shared<torch::jit::Source>(std::string(marksOfAText, ' ')));
    const std::size_t at = m_count++ % marksOfAText;
    return {m_texts.back(), at, at};
}

std::optional<std::size_t> Marks::numberOf(const torch::jit::SourceRange &place) const
{
    const auto text = std::ranges::find(m_texts, place.source());
    if (!place.source() || text == m_texts.end())
        return std::nullopt;
    return static_cast<std::size_t>(text - m_texts.begin()) * marksOfAText + place.start();
}

} // namespace cutaway::plugins
