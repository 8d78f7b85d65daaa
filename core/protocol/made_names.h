// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace cutaway::protocol {

// A runtime reports times by the names of nodes. So in its copy of the model the plugin gives a name to each node that
// has none, whose name another node has, too, or whose name the runtime cannot write. The name is made from the first
// value that the node makes.

/// Whether a runtime can report a name as it is: it is not empty and has no quotes, backslashes or control characters.
bool isPlainName(std::string_view name);

/// Makes the name of a node from its first value. `nth`: it is the nth node of the file that makes a value of this
/// name, from 1 on. A node comes before those of its branches and loop bodies; constants do not count.
std::string madeName(std::string_view value, std::size_t nth);

/// Whether madeName() made the name.
bool isMadeName(std::string_view name);

} // namespace cutaway::protocol
