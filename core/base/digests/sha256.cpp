// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/digests/sha256.h"

#include "core/base/formatted.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace cutaway {

namespace {

using Word = std::uint32_t;

constexpr int rounds = 64;
constexpr std::size_t blockSize = 64;

/// Returns the first 32 bits of the fractional part of `x`.
Word fraction(double x) { return static_cast<Word>((x - std::floor(x)) * 0x1p32); }

/// Returns the constants that the standard derives from the roots of the first primes.
template <std::size_t count>
std::array<Word, count> primeRoots(double (*root)(double))
{
    std::array<Word, count> roots{};
    std::size_t found = 0;
    for (unsigned n = 2; found < count; ++n) {
        bool isPrime = true;
        for (unsigned d = 2; d * d <= n; ++d)
            isPrime = isPrime && n % d != 0;
        if (isPrime)
            roots[found++] = fraction(root(n));
    }
    return roots;
}

using State = std::array<Word, 8>;

/// Returns the message schedule: the block's words, and the words derived from them.
std::array<Word, rounds> schedule(const char *block)
{
    std::array<Word, rounds> words{};
    for (std::size_t i = 0; i < blockSize; ++i)
        words[i / 4] = words[i / 4] << 8 | static_cast<unsigned char>(block[i]);
    for (std::size_t i = 16; i < rounds; ++i) {
        const Word early = words[i - 15], late = words[i - 2];
        words[i] = words[i - 16] + (std::rotr(early, 7) ^ std::rotr(early, 18) ^ early >> 3) + words[i - 7]
            + (std::rotr(late, 17) ^ std::rotr(late, 19) ^ late >> 10);
    }
    return words;
}

void add(State &state, const char *block)
{
    static const auto constants = primeRoots<rounds>([](double x) { return std::cbrt(x); });
    const auto words = schedule(block);
    auto [a, b, c, d, e, f, g, h] = state;
    for (std::size_t i = 0; i < rounds; ++i) {
        const Word one = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + ((e & f) ^ (~e & g))
            + constants[i] + words[i];
        const Word two = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g;
        g = f;
        f = e;
        e = d + one;
        d = c;
        c = b;
        b = a;
        a = one + two;
    }
    const State sum{a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < state.size(); ++i)
        state[i] += sum[i];
}

/// Returns the padded end of the message: the bytes after the last whole block, a one bit, zeros, and the number of
/// bits in the message.
std::string ending(std::string_view bytes)
{
    std::string last(bytes.substr(bytes.size() / blockSize * blockSize));
    last += '\x80';
    last.append((2 * blockSize - 8 - last.size()) % blockSize, '\0');
    const std::uint64_t bits = std::uint64_t{bytes.size()} * 8;
    for (int shift = 56; shift >= 0; shift -= 8)
        last += static_cast<char>(bits >> shift & 0xff);
    return last;
}

} // namespace

std::string sha256(std::string_view bytes)
{
    State state = primeRoots<8>([](double x) { return std::sqrt(x); });
    for (std::size_t at = 0; at + blockSize <= bytes.size(); at += blockSize)
        add(state, bytes.data() + at);
    const std::string last = ending(bytes);
    for (std::size_t at = 0; at < last.size(); at += blockSize)
        add(state, last.data() + at);
    std::string text;
    for (const Word word : state)
        text += formatted("{:08x}", word);
    return text;
}

} // namespace cutaway
