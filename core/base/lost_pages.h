// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>

namespace cutaway {

/// Guards a mapping during its lifetime: if another program truncates the file, reading beyond its new end gives zeros
/// instead of killing this process with SIGBUS.
/// The first guard installs a SIGBUS handler; bus errors elsewhere are forwarded to the previous handler.
class LostPages {
public:
    explicit LostPages(std::span<const std::byte> mapping);
    LostPages(const LostPages &) = delete;
    LostPages &operator=(const LostPages &) = delete;
    ~LostPages();

    /// Whether a read has touched a page that the file no longer has.
    bool any() const;

    struct Slot;

private:
    Slot &m_slot;
};

} // namespace cutaway
