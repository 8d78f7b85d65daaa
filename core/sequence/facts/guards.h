// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/sequence.h"

namespace cutaway::sequence {

/// A check that compiled code makes before it runs; if one fails, the function is compiled again.
struct Guard {
    std::string kind;  ///< "TENSOR_MATCH"
    std::string check; ///< "check_tensor(L['x'], Tensor, …, size=[4, 16], stride=[16, 1])"
    std::string code;  ///< the line of code that required it; "" if unknown
    std::string place; ///< "nn/modules/linear.py:134 in forward"
    bool operator==(const Guard &) const = default;
};

/// Returns the guards of a compilation in the order in which they are checked, from the tree that torch logs: as
/// dynamo_cpp_guards_str in a structured trace, as __guards in a text log. Nodes of the tree that only lead to others
/// are left out.
std::vector<Guard> guardsOf(const Sequence &sequence);
/// Returns the guards in a record with the tree of guards.
std::vector<Guard> guardsIn(const Record &record);

/// Returns the check with "…" in place of integers so large that they are addresses of objects.
std::string withoutAddresses(const std::string &check);

/// The name of the record with the tree of guards.
inline constexpr std::string_view guardsRecord = "dynamo_cpp_guards_str";

} // namespace cutaway::sequence
