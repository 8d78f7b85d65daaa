// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/sequence.h"

namespace cutaway::sequence {

/// A check that compiled code makes before it runs; if one fails, the function is compiled again.
struct Guard {
    std::string kind;  ///< "TENSOR_MATCH"
    std::string check; ///< "check_tensor(L['x'], Tensor, …, size=[4, 16], stride=[16, 1])"
    std::string code;  ///< the line of code that asked for it, "" where none is named
    std::string place; ///< "nn/modules/linear.py:134 in forward"
    bool operator==(const Guard &) const = default;
};

/// The guards of a compilation in the order in which they are checked, from the tree that torch logs
/// (dynamo_cpp_guards_str; __guards in text). Nodes of the tree that only lead to others are left out.
std::vector<Guard> guardsOf(const Sequence &sequence);
/// The guards in one such record.
std::vector<Guard> guardsIn(const Record &record);

/// The check with "…" in place of whole numbers so large that they are addresses of objects.
std::string withoutAddresses(const std::string &check);

/// The name of the record with that tree.
inline constexpr std::string_view guardsRecord = "dynamo_cpp_guards_str";

} // namespace cutaway::sequence
