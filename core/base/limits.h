// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace cutaway::limits {

/// Of whatever nests in a text or message: brackets, types, lists in lists, blocks in blocks. Each level is a level of
/// recursion for who reads it and for everybody who walks it later. What exporters write nests some ten deep.
inline constexpr int maxNesting = 256;

} // namespace cutaway::limits
