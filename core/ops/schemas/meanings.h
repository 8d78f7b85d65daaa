// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>
#include <vector>

namespace cutaway::ops {

/// A line of meanings.txt: the meaning of an operator and all names that share it.
struct Meaning {
    std::vector<std::string_view> names; ///< names whose case and underscores do not count, as in kinds
    std::string_view sentence;           ///< "the sum along dimensions"
};
const std::vector<Meaning> &meanings();

/// The meaning of an operator of this kind or plain name; "" for names that the table lacks.
std::string_view meaningOfName(std::string_view name);

} // namespace cutaway::ops
