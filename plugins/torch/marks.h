// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <torch/csrc/jit/frontend/source_range.h>
#include <vector>

namespace cutaway::plugins {

/// Places in a text that nobody has written, one for each mark. torch copies the place of a node to what it puts in its
/// place or makes of it, so it tells where a node comes from, whatever passes have done.
class Marks {
public:
    torch::jit::SourceRange next();
    /// The number of a mark, from 0 in the order they were made; nothing for other places.
    std::optional<std::size_t> numberOf(const torch::jit::SourceRange &place) const;

private:
    std::vector<std::shared_ptr<torch::jit::Source>> m_texts;
    std::size_t m_count = 0;
};

} // namespace cutaway::plugins
