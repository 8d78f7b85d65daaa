// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::tests {

struct ZipEntry {
    std::string name;
    std::string content;
    std::string deflated = {}; ///< raw deflate data of `content`; empty: stored
};

/// Python's zipfile, or PyTorch's own writer: local headers without sizes, padding in the local header only, data
/// descriptors, the date 1980-00-00, a zip64 end record always.
enum class ZipStyle { Python, PyTorch };

inline std::uint32_t crc32(std::string_view bytes)
{
    static const auto table = [] {
        std::array<std::uint32_t, 256> t{};
        for (std::uint32_t i = 0; i < t.size(); ++i) {
            t[i] = i;
            for (int bit = 0; bit < 8; ++bit)
                t[i] = (t[i] >> 1) ^ (t[i] & 1 ? 0xedb88320u : 0u);
        }
        return t;
    }();
    std::uint32_t crc = ~0u;
    for (const char c : bytes)
        crc = (crc >> 8) ^ table[(crc ^ static_cast<unsigned char>(c)) & 0xff];
    return ~crc;
}

/// Makes small zip archives, good ones and, by its public parts, bad ones.
class ZipWriter {
public:
    explicit ZipWriter(ZipStyle style = ZipStyle::Python) : m_style(style) { }

    void add(const ZipEntry &entry)
    {
        const bool isPyTorch = m_style == ZipStyle::PyTorch;
        const std::string_view stored = entry.deflated.empty() ? entry.content : entry.deflated;
        const auto offset = m_out.size();
        const std::string sizes =
            number(crc32(entry.content), 4) + number(stored.size(), 4) + number(entry.content.size(), 4);
        const std::string common = number(isPyTorch ? 0x0808 : 0, 2) + number(entry.deflated.empty() ? 0 : 8, 2)
            + number(isPyTorch ? 0 : 0x00210000, 4);
        std::string padding;
        if (isPyTorch) {
            const auto unpadded = offset + 30 + entry.name.size() + 4;
            const auto length = (64 - unpadded % 64) % 64;
            padding = number(0x4246, 2) + number(length, 2) + std::string(length, 'Z');
        }
        m_out += number(0x04034b50, 4) + number(20, 2) + common + (isPyTorch ? std::string(12, '\0') : sizes)
            + number(entry.name.size(), 2) + number(padding.size(), 2) + entry.name + padding;
        m_out += stored;
        if (isPyTorch)
            m_out += number(0x08074b50, 4) + sizes;
        m_directory += number(0x02014b50, 4) + number(20, 2) + number(20, 2) + common + sizes
            + number(entry.name.size(), 2) + std::string(12, '\0') + number(offset, 4) + entry.name;
        ++m_count;
    }

    std::string finish() const
    {
        const auto start = m_out.size();
        std::string out = m_out + m_directory;
        if (m_style == ZipStyle::PyTorch) {
            const auto record = out.size();
            out += number(0x06064b50, 4) + number(44, 8) + number(45, 2) + number(45, 2) + std::string(8, '\0')
                + number(m_count, 8) + number(m_count, 8) + number(m_directory.size(), 8) + number(start, 8);
            out += number(0x07064b50, 4) + number(0, 4) + number(record, 8) + number(1, 4);
        }
        return out + number(0x06054b50, 4) + std::string(4, '\0') + number(m_count, 2) + number(m_count, 2)
            + number(m_directory.size(), 4) + number(start, 4) + number(0, 2);
    }

private:
    static std::string number(std::uint64_t n, int bytes)
    {
        std::string text;
        for (int i = 0; i < bytes; ++i)
            text += static_cast<char>(n >> (8 * i));
        return text;
    }

    ZipStyle m_style;
    std::string m_out;
    std::string m_directory;
    unsigned m_count = 0;
};

inline std::string zipArchive(const std::vector<ZipEntry> &entries, ZipStyle style = ZipStyle::Python)
{
    ZipWriter writer(style);
    for (const ZipEntry &entry : entries)
        writer.add(entry);
    return writer.finish();
}

} // namespace cutaway::tests
