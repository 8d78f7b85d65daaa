// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/diff.h"

#include <optional>

namespace cutaway::diff {

/// The facts of both sides with numbers for the symbols of their inputs: where one side has a number, that one; else
/// the exporter's example, or a usual size. Inputs of one position get the same sizes.
struct NumberedSizes {
    NumberedSizes(const Side &a, const Side &b);

    const analysis::Shapes &a() const { return m_a ? *m_a : m_sideA.analysis.shapes; }
    const analysis::Shapes &b() const { return m_b ? *m_b : m_sideB.analysis.shapes; }

private:
    const Side &m_sideA, &m_sideB;
    std::optional<analysis::Shapes> m_a, m_b; ///< nothing: there are no symbols
};

} // namespace cutaway::diff
