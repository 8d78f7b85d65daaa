// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <torch/csrc/jit/frontend/source_range.h>
#include <vector>

namespace cutaway::plugins {

/// Makes artificial source positions, one per mark. torch copies a node's position to the nodes that replace it or are
/// made from it, so the mark identifies the original node after any passes.
class Marks {
public:
    torch::jit::SourceRange next();
    /// Returns the number of a mark, from 0 in order of creation; nothing for real source positions.
    std::optional<std::size_t> numberOf(const torch::jit::SourceRange &place) const;

private:
    std::vector<std::shared_ptr<torch::jit::Source>> m_texts;
    std::size_t m_count = 0;
};

} // namespace cutaway::plugins
