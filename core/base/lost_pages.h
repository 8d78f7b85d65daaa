// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>

namespace cutaway {

/// Watches over a mapping as long as it lives: where the file behind it ends before the mapping does, because another
/// program cut it short, a read gives zeros instead of ending the program with SIGBUS.
///
/// The first watch installs a handler for that signal; bus errors elsewhere go to the handler that was there before.
class LostPages {
public:
    explicit LostPages(std::span<const std::byte> mapping);
    LostPages(const LostPages &) = delete;
    LostPages &operator=(const LostPages &) = delete;
    ~LostPages();

    /// Whether a read met a page that is gone.
    bool any() const;

    struct Slot;

private:
    Slot &m_slot;
};

} // namespace cutaway
