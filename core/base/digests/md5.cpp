// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/digests/md5.h"

#include "core/base/formatted.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace cutaway {

namespace {

using Word = std::uint32_t;
constexpr std::size_t steps = 64;
constexpr std::size_t lengthSize = 8;

/// Returns the constants that the standard derives from the sines of the first integers.
std::array<Word, steps> sines()
{
    std::array<Word, steps> words{};
    for (std::size_t i = 0; i < steps; ++i)
        words[i] = static_cast<Word>(std::floor(std::fabs(std::sin(static_cast<double>(i + 1))) * 0x1p32));
    return words;
}

constexpr std::array<std::array<int, 4>, 4> shifts{{{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}}};

Word littleEndian(const char *bytes)
{
    Word word = 0;
    std::memcpy(&word, bytes, sizeof word);
    return std::endian::native == std::endian::little ? word : std::byteswap(word);
}

} // namespace

void Md5::addBlock(const char *block)
{
    static const auto constants = sines();
    std::array<Word, 16> words{};
    for (std::size_t i = 0; i < words.size(); ++i)
        words[i] = littleEndian(block + 4 * i);
    auto [a, b, c, d] = m_state;
    const auto step = [&](std::size_t i, Word mixed, std::size_t word) {
        const Word sum = a + mixed + constants[i] + words[word % 16];
        a = d;
        d = c;
        c = b;
        b += std::rotl(sum, shifts[i / 16][i % 4]);
    };
    for (std::size_t i = 0; i < 16; ++i)
        step(i, (b & c) | (~b & d), i);
    for (std::size_t i = 16; i < 32; ++i)
        step(i, (d & b) | (~d & c), 5 * i + 1);
    for (std::size_t i = 32; i < 48; ++i)
        step(i, b ^ c ^ d, 3 * i + 5);
    for (std::size_t i = 48; i < steps; ++i)
        step(i, c ^ (b | ~d), 7 * i);
    m_state = {m_state[0] + a, m_state[1] + b, m_state[2] + c, m_state[3] + d};
}

void Md5::add(std::string_view bytes)
{
    std::size_t pending = m_size % blockSize;
    m_size += bytes.size();
    if (pending > 0) {
        const std::size_t taken = std::min(blockSize - pending, bytes.size());
        std::copy_n(bytes.begin(), taken, m_pending.begin() + static_cast<std::ptrdiff_t>(pending));
        bytes.remove_prefix(taken);
        if (pending + taken < blockSize)
            return;
        addBlock(m_pending.data());
    }
    for (; bytes.size() >= blockSize; bytes.remove_prefix(blockSize))
        addBlock(bytes.data());
    std::ranges::copy(bytes, m_pending.begin());
}

std::string Md5::finish()
{
    const std::uint64_t bits = m_size * 8;
    const std::size_t used = m_size % blockSize;
    const std::size_t room = used < blockSize - lengthSize ? blockSize : 2 * blockSize;
    std::string padding(room - used - lengthSize, '\0');
    padding.front() = '\x80';
    for (std::size_t i = 0; i < lengthSize; ++i)
        padding += static_cast<char>(bits >> (8 * i) & 0xff);
    add(padding);
    std::string digest;
    for (const Word word : m_state)
        digest += formatted("{:08x}", std::byteswap(word));
    return digest;
}

} // namespace cutaway
