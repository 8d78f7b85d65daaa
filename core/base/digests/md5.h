// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace cutaway {

/// The MD5 (RFC 1321) of bytes that come in parts. It reveals damage in files that record it, but not forgery.
class Md5 {
public:
    void add(std::string_view bytes);
    /// Returns the digest in hexadecimal. Nothing can be added afterwards.
    std::string finish();

private:
    static constexpr std::size_t blockSize = 64;
    void addBlock(const char *block);

    std::array<std::uint32_t, 4> m_state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
    std::array<char, blockSize> m_pending{}; ///< the bytes of a block that is not complete yet
    std::uint64_t m_size = 0;
};

} // namespace cutaway
