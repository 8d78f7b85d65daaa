// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/sequence.h"

#include <variant>

namespace cutaway::sequence {

/// A size as the text has it: a number or a formula.
using PrintedSize = std::variant<std::int64_t, std::string>;

/// The type of a tensor as print_readable() writes it: "f32[4, s0][s0, 1]cpu".
struct PrintedType {
    ir::DType dtype = ir::DType::Float32;
    std::vector<PrintedSize> shape;

    /// Nothing where a size is no number, or on overflow.
    std::optional<std::int64_t> byteCount() const;
    bool operator==(const PrintedType &) const = default;
};
/// Nothing for a text that is no such type.
std::optional<PrintedType> printedType(std::string_view annotation);

/// The graph of a part in which autograd's two halves are first apart; nullptr if there is none.
const Step *aotGraph(const Sequence &part);

/// A value that is kept from the forward for the backward.
struct SavedValue {
    std::string name; ///< in the backward graph
    std::optional<PrintedType> type;
    std::optional<std::string> madeBy; ///< a node or an input of the forward graph
    std::vector<std::string> neededBy; ///< nodes of the backward graph
};

/// The inputs of a backward graph that are no tangents. `forward`: the sequence of the same compilation.
std::vector<SavedValue> savedValues(const Sequence &forward, const Sequence &backward);

/// The backward of a compilation in a document, or nullptr.
const Sequence *backwardOf(const Document &document, const Sequence &forward);

} // namespace cutaway::sequence
