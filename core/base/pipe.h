// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace cutaway {

/// Closes a descriptor, unless it is none (-1), and makes it none.
void closeDescriptor(int &descriptor);

/// The two ends of a pipe, closed with the object; children do not inherit them.
struct Pipe {
    int read = -1;
    int write = -1;

    Pipe() = default;
    Pipe(const Pipe &) = delete;
    Pipe &operator=(const Pipe &) = delete;
    ~Pipe();

    /// Opens above the standard descriptors, which a child replaces and which may be closed here. False: errno says
    /// why.
    bool open();
};

} // namespace cutaway
