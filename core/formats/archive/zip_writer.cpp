// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/formats/archive/zip_writer.h"

#include <algorithm>
#include <zlib.h>

namespace cutaway::formats::archive {

namespace {

constexpr std::uint64_t limitOf32 = 0xffffffff;
constexpr std::uint64_t alignment = 64;
constexpr std::uint64_t flags = 0x0808; // bit 3: sizes follow the bytes; bit 11: names are UTF-8
constexpr std::uint64_t noDate = 0;     // no date, as in PyTorch, so that the same model always gives the same file
constexpr std::uint64_t wideField = 1;  // id of the extra field with 64-bit sizes
constexpr std::uint64_t paddingField = 0x4246;

/// Collects little-endian numbers one after the other.
class Record {
public:
    Record &number(std::uint64_t n, int bytes)
    {
        for (int i = 0; i < bytes; ++i)
            m_text += static_cast<char>(n >> (8 * i));
        return *this;
    }
    /// Appends a 32-bit number, which is saturated if it does not fit.
    Record &narrow(std::uint64_t n) { return number(std::min(n, limitOf32), 4); }
    Record &text(std::string_view text) { return m_text += text, *this; }
    std::size_t size() const { return m_text.size(); }
    const std::string &bytes() const { return m_text; }

private:
    std::string m_text;
};

bool isWide(const Member &member) { return member.size >= limitOf32 || member.storedSize >= limitOf32; }

std::uint64_t methodOf(const Member &member) { return member.method == Member::Method::Deflated ? 8 : 0; }

std::uint64_t versionOf(const Member &member) { return isWide(member) || member.header >= limitOf32 ? 45 : 20; }

} // namespace

void ZipWriter::begin(std::string_view name, std::uint64_t size)
{
    beginMember({.name = m_names.emplace_back(name), .storedSize = size, .size = size});
}

/// Writes the header of a member. Sizes follow the bytes of the member, but the header has to say whether they take 64
/// bits.
void ZipWriter::beginMember(const Member &member)
{
    m_members.push_back(member);
    m_members.back().header = m_file.size();
    Record extra;
    if (isWide(member))
        extra.number(wideField, 2).number(16, 2).number(member.size, 8).number(member.storedSize, 8);
    constexpr std::uint64_t headerSize = 30, fieldSize = 4;
    const std::uint64_t unpadded = m_file.size() + headerSize + member.name.size() + extra.size() + fieldSize;
    const std::uint64_t padding = (alignment - unpadded % alignment) % alignment;
    extra.number(paddingField, 2).number(padding, 2).text(std::string(padding, 'Z'));
    Record header;
    header.number(0x04034b50, 4).number(versionOf(m_members.back()), 2).number(flags, 2);
    header.number(methodOf(member), 2).number(noDate, 4).number(0, 4);
    header.number(isWide(member) ? limitOf32 : 0, 4).number(isWide(member) ? limitOf32 : 0, 4);
    header.number(member.name.size(), 2).number(extra.size(), 2).text(member.name).text(extra.bytes());
    m_file.write(header.bytes());
}

void ZipWriter::write(std::span<const std::byte> bytes)
{
    Member &member = m_members.back();
    member.crc =
        static_cast<std::uint32_t>(crc32_z(member.crc, reinterpret_cast<const Bytef *>(bytes.data()), bytes.size()));
    m_file.write(bytes);
}

void ZipWriter::end()
{
    const Member &member = m_members.back();
    const int width = isWide(member) ? 8 : 4;
    Record descriptor;
    descriptor.number(0x08074b50, 4).number(member.crc, 4).number(member.storedSize, width).number(member.size, width);
    m_file.write(descriptor.bytes());
}

void ZipWriter::add(std::string_view name, std::string_view content)
{
    begin(name, content.size());
    write(std::as_bytes(std::span(content)));
    end();
}

void ZipWriter::copy(const Member &member, std::span<const std::byte> stored)
{
    Member copied = member;
    copied.name = m_names.emplace_back(member.name);
    beginMember(copied);
    m_file.write(stored);
    end();
}

void ZipWriter::writeDirectory(const Member &member)
{
    const bool isFar = member.header >= limitOf32;
    Record extra;
    if (isWide(member) || isFar) {
        extra.number(wideField, 2).number((isWide(member) ? 16 : 0) + (isFar ? 8 : 0), 2);
        if (isWide(member))
            extra.number(member.size, 8).number(member.storedSize, 8);
        if (isFar)
            extra.number(member.header, 8);
    }
    const std::uint64_t storedSize = isWide(member) ? limitOf32 : member.storedSize;
    const std::uint64_t size = isWide(member) ? limitOf32 : member.size;
    Record entry;
    entry.number(0x02014b50, 4).number(0, 2).number(versionOf(member), 2).number(flags, 2);
    entry.number(methodOf(member), 2).number(noDate, 4).number(member.crc, 4);
    entry.number(storedSize, 4).number(size, 4).number(member.name.size(), 2).number(extra.size(), 2);
    entry.number(0, 2).number(0, 2).number(0, 2).number(0, 4).narrow(member.header);
    entry.text(member.name).text(extra.bytes());
    m_file.write(entry.bytes());
}

void ZipWriter::finish()
{
    const std::uint64_t start = m_file.size();
    for (const Member &member : m_members)
        writeDirectory(member);
    const std::uint64_t end = m_file.size(), count = m_members.size();
    Record wide;
    wide.number(0x06064b50, 4).number(44, 8).number(45, 2).number(45, 2).number(0, 4).number(0, 4);
    wide.number(count, 8).number(count, 8).number(end - start, 8).number(start, 8);
    wide.number(0x07064b50, 4).number(0, 4).number(end, 8).number(1, 4);
    Record plain;
    const std::uint64_t shortCount = std::min<std::uint64_t>(count, 0xffff);
    plain.number(0x06054b50, 4).number(0, 2).number(0, 2).number(shortCount, 2).number(shortCount, 2);
    plain.narrow(end - start).narrow(start).number(0, 2);
    m_file.write(wide.bytes());
    m_file.write(plain.bytes());
}

} // namespace cutaway::formats::archive
