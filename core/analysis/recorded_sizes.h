// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/file_symbols.h"

namespace cutaway::analysis {

/// The sizes that a file records, with the known values and ranges of its symbols: see FileSymbols. A size is unknown
/// if it cannot be computed (a division by zero), or if it has a name that is none of the model's symbols: exporters
/// invent such names where they do not know a size, even one name for different sizes.
class RecordedSizes {
public:
    RecordedSizes(const ir::Model &model, symbolic::Bindings bindings);

    ir::Dim of(const ir::Dim &dim) const;
    ir::Shape of(const ir::Shape &shape) const;
    const symbolic::Bindings &bindings() const { return m_symbols.bindings(); }

private:
    FileSymbols m_symbols;
};

} // namespace cutaway::analysis
