// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace cutaway {

/// Closes a descriptor, unless it is -1, and sets it to -1.
void closeDescriptor(int &descriptor);

/// The two ends of a pipe, which the destructor closes. Child processes do not inherit them.
struct Pipe {
    int read = -1;
    int write = -1;

    Pipe() = default;
    Pipe(const Pipe &) = delete;
    Pipe &operator=(const Pipe &) = delete;
    ~Pipe();

    /// Opens the pipe, with descriptors above those of the standard streams, which a child replaces and which may be
    /// closed in this process. If it returns false, errno has the reason.
    bool open();
};

} // namespace cutaway
