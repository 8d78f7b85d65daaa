// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace cutaway::formats::archive {

/// The bytes of a text that outlives them.
inline std::span<const std::byte> bytesOf(const std::string &text) { return std::as_bytes(std::span(text)); }

} // namespace cutaway::formats::archive
