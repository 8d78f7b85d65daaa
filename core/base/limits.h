// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace cutaway::limits {

/// The largest nesting depth of anything that is read from a file or message: brackets, types, lists, regions.
/// Parsers and later traversals recurse once per level. Files of exporters are about ten levels deep.
inline constexpr int maxNesting = 256;

} // namespace cutaway::limits
