// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <stop_token>
#include <vector>

namespace cutaway::layout {

/// A piece of an edge, between cells of neighbouring rows.
struct Piece {
    std::uint32_t upper = 0;
    std::uint32_t lower = 0;
    float upperOffset = 0; ///< the line's upper end, as an offset from the centre of the cell
    float lowerOffset = 0;
};

/// A layered drawing: the boxes in its rows, and the bends of edges that pass a row.
struct Layers {
    std::vector<float> widths; ///< by cell
    std::size_t boxes = 0;     ///< the number of cells that are boxes; bends follow
    std::vector<Piece> pieces;
    std::vector<std::vector<std::uint32_t>> rows; ///< by row: its cells from left to right

    bool isBend(std::uint32_t cell) const { return cell >= boxes; }
};

/// By cell: the pieces at its upper side or at its lower side, each as a Tie.
template <class Tie>
class Ties {
public:
    /// Adds make(piece) at the cell of each piece's lower end, or with `down` at that of its upper end.
    template <class Make>
    Ties(const Layers &layers, bool down, const Make &make)
        : m_begin(layers.widths.size() + 1, 0),
          m_all(layers.pieces.size())
    {
        const auto cellOf = [down](const Piece &piece) { return down ? piece.upper : piece.lower; };
        for (const Piece &piece : layers.pieces)
            ++m_begin[cellOf(piece) + 1];
        std::partial_sum(m_begin.begin(), m_begin.end(), m_begin.begin());
        std::vector<std::uint32_t> next = m_begin;
        for (const Piece &piece : layers.pieces)
            m_all[next[cellOf(piece)]++] = make(piece);
    }

    std::span<const Tie> of(std::uint32_t cell) const
    {
        return std::span(m_all).subspan(m_begin[cell], m_begin[cell + 1] - m_begin[cell]);
    }

private:
    std::vector<std::uint32_t> m_begin;
    std::vector<Tie> m_all;
};

/// Orders the cells of each row so that few pieces cross; see crossings.cpp.
void reduceCrossings(Layers &layers, const std::stop_token &stop);

/// Returns the x of the centres of all cells. Cells of a row do not overlap, and edges are short and straight; see
/// placement.cpp.
std::vector<float> placeCells(const Layers &layers, const std::stop_token &stop);

} // namespace cutaway::layout
