// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace cutaway::limits {

/// The maximum nesting depth of anything read from a file or message: brackets, types, lists, regions. Parsers and
/// later walks recurse once per level. What exporters write is about ten levels deep.
inline constexpr int maxNesting = 256;

} // namespace cutaway::limits
