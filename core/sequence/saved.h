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

    /// Returns the number of bytes; nothing if a size is no number, and on overflow.
    std::optional<std::int64_t> byteCount() const;
    bool operator==(const PrintedType &) const = default;
};
/// Parses the type of a tensor; returns nothing for any other text.
std::optional<PrintedType> printedType(std::string_view annotation);

/// Returns the first graph of a part in which autograd has separated forward and backward; nullptr if there is none.
const Step *aotGraph(const Sequence &part);

/// A value that is saved by the forward for the backward.
struct SavedValue {
    std::string name; ///< its name in the backward graph
    std::optional<PrintedType> type;
    std::optional<std::string> madeBy; ///< the node or input of this name in the forward graph; nothing if none
    std::vector<std::string> neededBy; ///< the nodes of the backward graph that read it
};

/// Returns the inputs of a backward graph that are no tangents. `forward`: the sequence of the same compilation.
std::vector<SavedValue> savedValues(const Sequence &forward, const Sequence &backward);

/// Returns the backward of a compilation in a document; nullptr if there is none.
const Sequence *backwardOf(const Document &document, const Sequence &forward);

} // namespace cutaway::sequence
