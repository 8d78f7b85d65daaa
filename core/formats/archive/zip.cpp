// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// minizip and libzip are not used because both rely on the directory alone, and leave it to the caller to check an
// archive of unknown origin. Here a model file must be refused if a name occurs twice, members overlap, a name leaves
// the folder, a stored size differs from the size, or the directory does not end where the end record begins (in a
// truncated archive, the last end record may be that of an archive nested in it). Members are read in place, at their
// offset in the mapped file. And PyTorch's own archives have local headers without sizes, and the date 1980-00-00. The
// code below, which checks all this, is shorter than adapters would be; zlib inflates.

#include "core/formats/archive/zip.h"

#include "core/base/checked.h"
#include "core/base/text.h"
#include "core/formats/archive/little_endian.h"
#include "core/formats/limits.h"

#include <algorithm>
#include <optional>
#include <zlib.h>

namespace cutaway::formats::archive {

namespace {

using Bytes = std::span<const std::byte>;

constexpr std::size_t endRecordSize = 22;
constexpr std::size_t locatorSize = 20;
constexpr std::size_t wideEndRecordSize = 56;
constexpr std::size_t directoryEntrySize = 46;
constexpr std::size_t localHeaderSize = 30;

constexpr std::uint32_t localHeaderMark = 0x04034b50;
constexpr std::uint32_t directoryEntryMark = 0x02014b50;
constexpr std::uint32_t endRecordMark = 0x06054b50;
constexpr std::uint32_t wideEndRecordMark = 0x06064b50;
constexpr std::uint32_t locatorMark = 0x07064b50;

std::string atByte(std::uint64_t offset) { return "byte " + std::to_string(offset); }

/// The number of entries and the position of the directory, as the end record gives them.
struct Directory {
    std::uint64_t entries = 0;
    std::uint64_t size = 0;
    std::uint64_t offset = 0;
    std::uint64_t end = 0; ///< the position after the central directory
};

/// Returns the position of the end record: the last one whose comment reaches the end of the file; nothing if there is
/// none.
std::optional<std::size_t> findEndRecord(Bytes bytes)
{
    if (bytes.size() < endRecordSize)
        return std::nullopt;
    const std::size_t last = bytes.size() - endRecordSize;
    const std::size_t first = last > 0xffff ? last - 0xffff : 0;
    for (std::size_t at = last + 1; at-- > first;)
        if (littleEndian<std::uint32_t>(bytes, at) == endRecordMark
            && at + endRecordSize + littleEndian<std::uint16_t>(bytes, at + 20) == bytes.size())
            return at;
    return std::nullopt;
}

/// Returns the position of the zip64 end record; nothing if there is no locator for it in front of the plain end
/// record.
std::optional<std::size_t> findWideEndRecord(Bytes bytes, std::size_t endRecord)
{
    if (endRecord < locatorSize + wideEndRecordSize
        || littleEndian<std::uint32_t>(bytes, endRecord - locatorSize) != locatorMark)
        return std::nullopt;
    const auto at = littleEndian<std::uint64_t>(bytes, endRecord - locatorSize + 8);
    if (at > endRecord - locatorSize - wideEndRecordSize || littleEndian<std::uint32_t>(bytes, at) != wideEndRecordMark)
        return std::nullopt;
    return at;
}

Result<Directory> wideDirectory(Bytes bytes, std::size_t record)
{
    if (littleEndian<std::uint32_t>(bytes, record + 16) != 0 || littleEndian<std::uint32_t>(bytes, record + 20) != 0)
        return unreadable("the zip archive is split over several disks", atByte(record));
    return Directory{littleEndian<std::uint64_t>(bytes, record + 32), littleEndian<std::uint64_t>(bytes, record + 40),
                     littleEndian<std::uint64_t>(bytes, record + 48), record};
}

Result<Directory> plainDirectory(Bytes bytes, std::size_t record)
{
    if (littleEndian<std::uint16_t>(bytes, record + 4) != 0 || littleEndian<std::uint16_t>(bytes, record + 6) != 0)
        return unreadable("the zip archive is split over several disks", atByte(record));
    return Directory{littleEndian<std::uint16_t>(bytes, record + 10), littleEndian<std::uint32_t>(bytes, record + 12),
                     littleEndian<std::uint32_t>(bytes, record + 16), record};
}

bool isSaturated(const Directory &d) { return d.entries == 0xffff || d.size == 0xffffffff || d.offset == 0xffffffff; }

Result<Directory> findDirectory(Bytes bytes)
{
    const auto record = findEndRecord(bytes);
    if (!record)
        return unreadable("the zip archive has no end record: the file is cut short or was not written to its end",
                          atByte(bytes.size()));
    Result<Directory> directory = plainDirectory(bytes, *record);
    if (const auto wide = findWideEndRecord(bytes, *record); directory && wide) {
        if (isSaturated(*directory))
            directory = wideDirectory(bytes, *wide);
        else
            directory->end = *wide;
    }
    if (!directory)
        return directory;
    if (checkedAdd(directory->offset, directory->size) != directory->end)
        return unreadable("the zip directory does not end where its end record starts", atByte(directory->end));
    if (directory->entries > limits::maxMembers || directory->entries * directoryEntrySize > directory->size)
        return unreadable("the zip directory says it has " + std::to_string(directory->entries)
                              + " members, more than fit",
                          atByte(directory->offset));
    return directory;
}

bool isUtf8(std::string_view name) { return sanitized(name) == name; }

/// Returns what is wrong with a member's name; nothing if the name is a plain relative path.
std::optional<std::string_view> nameFault(std::string_view name)
{
    if (name.empty())
        return "an empty name";
    if (name.front() == '/' || name.find('\\') != name.npos || (name.size() > 1 && name[1] == ':'))
        return "an absolute or foreign path as its name";
    for (std::size_t from = 0; from <= name.size();) {
        const std::size_t to = std::min(name.find('/', from), name.size());
        if (name.substr(from, to - from) == "..")
            return "a name that leaves the archive";
        from = to + 1;
    }
    if (!isUtf8(name))
        return "a name that is not plain UTF-8 text";
    return std::nullopt;
}

/// Replaces a saturated size, stored size or header offset by that of the zip64 extra field; false if it is missing.
bool widen(Bytes extra, Member &member)
{
    std::uint64_t *const fields[] = {&member.size, &member.storedSize, &member.header};
    if (std::ranges::none_of(fields, [](const std::uint64_t *f) { return *f == 0xffffffff; }))
        return true;
    while (extra.size() >= 4) {
        const auto id = littleEndian<std::uint16_t>(extra, 0);
        const std::size_t length = littleEndian<std::uint16_t>(extra, 2);
        if (length > extra.size() - 4)
            return false;
        Bytes data = extra.subspan(4, length);
        extra = extra.subspan(4 + length);
        if (id != 1)
            continue;
        for (std::uint64_t *field : fields) {
            if (*field != 0xffffffff)
                continue;
            if (data.size() < 8)
                return false;
            *field = littleEndian<std::uint64_t>(data, 0);
            data = data.subspan(8);
        }
        return true;
    }
    return false;
}

Result<void> checkMember(const Member &member, unsigned method, unsigned flags, std::uint64_t directoryOffset)
{
    const std::string shown = "member " + sanitized(member.name);
    if (const auto fault = nameFault(member.name))
        return unreadable("a zip member has " + std::string(*fault), shown);
    if (flags & 1)
        return unreadable("the zip member is encrypted", shown);
    if (method != 0 && method != 8)
        return unreadable("the zip member uses compression method " + std::to_string(method)
                              + "; only stored and deflated members are read",
                          shown);
    if (method == 0 && member.size != member.storedSize)
        return unreadable("the stored zip member says two different sizes", shown);
    const auto end = checkedAdd(member.header, member.storedSize);
    if (!end || checkedAdd(*end, localHeaderSize + member.name.size()).value_or(~0ull) > directoryOffset)
        return unreadable("the zip member reaches beyond the archive's data", shown);
    return {};
}

/// Reads the entry at the front of `entries` and removes it.
Result<Member> takeEntry(Bytes &entries, std::uint64_t directoryOffset, Bytes all)
{
    const auto place = [&] { return atByte(static_cast<std::uint64_t>(entries.data() - all.data())); };
    if (entries.size() < directoryEntrySize || littleEndian<std::uint32_t>(entries, 0) != directoryEntryMark)
        return unreadable("the zip directory is damaged: an entry was expected", place());
    const std::size_t nameLength = littleEndian<std::uint16_t>(entries, 28);
    const std::size_t extraLength = littleEndian<std::uint16_t>(entries, 30);
    const std::size_t commentLength = littleEndian<std::uint16_t>(entries, 32);
    const std::size_t length = directoryEntrySize + nameLength + extraLength + commentLength;
    if (length > entries.size())
        return unreadable("the zip directory is damaged: an entry reaches beyond its end", place());
    const unsigned method = littleEndian<std::uint16_t>(entries, 10);
    Member member{.name = asText(entries.subspan(directoryEntrySize, nameLength)),
                  .method = method == 8 ? Member::Method::Deflated : Member::Method::Stored,
                  .crc = littleEndian<std::uint32_t>(entries, 16),
                  .storedSize = littleEndian<std::uint32_t>(entries, 20),
                  .size = littleEndian<std::uint32_t>(entries, 24),
                  .header = littleEndian<std::uint32_t>(entries, 42)};
    if (!widen(entries.subspan(directoryEntrySize + nameLength, extraLength), member))
        return unreadable("the zip member's 64-bit sizes are missing", "member " + sanitized(member.name));
    const unsigned flags = littleEndian<std::uint16_t>(entries, 8);
    CUTAWAY_RETURN_IF_ERROR(checkMember(member, method, flags, directoryOffset));
    entries = entries.subspan(length);
    return member;
}

/// Returns the folder, with its slash, that all members are in; "" if there is none.
std::string_view commonRoot(std::span<const Member> members)
{
    if (members.empty())
        return {};
    const std::string_view first = members.front().name;
    const std::string_view root = first.substr(0, first.find('/') + 1);
    return std::ranges::all_of(members, [&](const Member &m) { return m.name.starts_with(root); }) ? root : "";
}

Result<std::vector<std::byte>> inflated(Bytes stored, const Member &member)
{
    const std::string shown = "member " + sanitized(member.name);
    const bool isSteep =
        member.size > limits::maxFreelyInflatedSize && member.size / limits::maxInflationRatio > stored.size();
    if (member.size > limits::maxInflatedSize || isSteep)
        return unreadable("the zip member would inflate from " + byteCount(double(stored.size())) + " to "
                              + byteCount(double(member.size)) + ", beyond what is accepted",
                          shown);
    std::vector<std::byte> out(std::max<std::uint64_t>(member.size, 1)); // zlib does not accept a null pointer
    z_stream stream{};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
        return unreadable("the zip member cannot be inflated: no memory", shown);
    // zlib's interface takes a pointer to non-const bytes, which it does not change.
    stream.next_in = reinterpret_cast<Bytef *>(const_cast<std::byte *>(stored.data()));
    stream.avail_in = static_cast<uInt>(std::min<std::uint64_t>(stored.size(), limits::maxInflatedSize));
    stream.next_out = reinterpret_cast<Bytef *>(out.data());
    stream.avail_out = static_cast<uInt>(member.size);
    const int status = inflate(&stream, Z_FINISH);
    const bool complete = status == Z_STREAM_END && stream.total_out == member.size;
    inflateEnd(&stream);
    if (!complete)
        return unreadable("the deflated zip member is damaged or has another size than it says", shown);
    out.resize(member.size);
    return out;
}

std::uint32_t checksum(Bytes bytes)
{
    return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef *>(bytes.data()), bytes.size()));
}

} // namespace

Result<Zip> Zip::open(Bytes bytes)
{
    CUTAWAY_TRY(auto directory, findDirectory(bytes));
    Zip zip(bytes);
    zip.m_members.reserve(directory.entries);
    zip.m_byName.reserve(directory.entries);
    Bytes entries = bytes.subspan(directory.offset, directory.size);
    for (std::uint64_t i = 0; i < directory.entries; ++i) {
        CUTAWAY_TRY(auto member, takeEntry(entries, directory.offset, bytes));
        if (!zip.m_byName.emplace(member.name, zip.m_members.size()).second)
            return unreadable("the zip archive has two members of one name", "member " + sanitized(member.name));
        zip.m_members.push_back(member);
    }
    if (!entries.empty())
        return unreadable("the zip directory has more entries than it says", atByte(directory.offset));
    CUTAWAY_RETURN_IF_ERROR(zip.checkOverlaps());
    // Encryption may be marked only in the local headers; checking one of them is enough.
    if (!zip.m_members.empty())
        CUTAWAY_RETURN_IF_ERROR(zip.extent(zip.m_members.front()));
    zip.m_root = commonRoot(zip.m_members);
    return zip;
}

Result<void> Zip::checkOverlaps() const
{
    std::vector<const Member *> byPlace;
    byPlace.reserve(m_members.size());
    for (const Member &member : m_members)
        byPlace.push_back(&member);
    std::ranges::sort(byPlace, {}, &Member::header);
    for (std::size_t i = 1; i < byPlace.size(); ++i) {
        const Member &before = *byPlace[i - 1];
        if (before.header + localHeaderSize + before.name.size() + before.storedSize > byPlace[i]->header)
            return unreadable("two zip members overlap",
                              "members " + sanitized(before.name) + " and " + sanitized(byPlace[i]->name));
    }
    return {};
}

const Member *Zip::find(std::string_view name) const
{
    const auto found = m_byName.find(name);
    return found == m_byName.end() ? nullptr : &m_members[found->second];
}

Result<Extent> Zip::extent(const Member &member) const
{
    // checkMember() has checked that a header and the name lie within the file.
    if (littleEndian<std::uint32_t>(m_bytes, member.header) != localHeaderMark)
        return unreadable("the zip directory is damaged: no member starts where it says",
                          "member " + sanitized(member.name));
    if (littleEndian<std::uint16_t>(m_bytes, member.header + 6) & 1)
        return unreadable("the zip member is encrypted", "member " + sanitized(member.name));
    const std::uint64_t offset = member.header + localHeaderSize
        + littleEndian<std::uint16_t>(m_bytes, member.header + 26)
        + littleEndian<std::uint16_t>(m_bytes, member.header + 28);
    if (offset > m_bytes.size() || member.storedSize > m_bytes.size() - offset)
        return unreadable("the zip member reaches beyond the end of the file", "member " + sanitized(member.name));
    return Extent{offset, member.storedSize};
}

Result<Extent> Zip::storedExtent(std::string_view name) const
{
    const Member *member = find(name);
    if (!member)
        return unreadable("the zip archive has no such member", "member " + sanitized(name));
    if (member->method != Member::Method::Stored)
        return unreadable("the zip member is compressed", "member " + sanitized(name));
    return extent(*member);
}

Result<Content> Zip::read(const Member &member) const
{
    CUTAWAY_TRY(const auto place, extent(member));
    const Bytes stored = m_bytes.subspan(place.offset, place.length);
    std::optional<Content> content;
    if (member.method == Member::Method::Stored) {
        content.emplace(stored);
    } else {
        CUTAWAY_TRY(auto bytes, inflated(stored, member));
        content.emplace(std::move(bytes));
    }
    if (checksum(content->bytes()) != member.crc)
        return unreadable("the zip member's checksum does not match its bytes", "member " + sanitized(member.name));
    return std::move(*content);
}

bool looksLikeZip(Bytes bytes)
{
    if (bytes.size() < 4)
        return false;
    const auto mark = littleEndian<std::uint32_t>(bytes, 0);
    return mark == localHeaderMark || mark == endRecordMark;
}

} // namespace cutaway::formats::archive
