// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/diff.h"

#include <optional>

namespace cutaway::diff {

/// The facts of both sides with numbers in place of the symbols of their inputs. The number is that of the other side
/// if it has one, else the example of the exporter, or a common size. Inputs at the same position get the same sizes.
struct NumberedSizes {
    NumberedSizes(const Side &a, const Side &b);

    const analysis::Shapes &a() const { return m_a ? *m_a : m_sideA.analysis.shapes; }
    const analysis::Shapes &b() const { return m_b ? *m_b : m_sideB.analysis.shapes; }

private:
    const Side &m_sideA, &m_sideB;
    std::optional<analysis::Shapes> m_a, m_b; ///< nothing if the side has no symbols
};

} // namespace cutaway::diff
