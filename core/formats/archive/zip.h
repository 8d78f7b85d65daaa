// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace cutaway::formats::archive {

/// A file in a zip archive, as its central directory describes it.
struct Member {
    enum class Method : std::uint8_t { Stored, Deflated };
    /// The full name, a view of the archive's bytes; it was checked to be UTF-8, relative and without "..".
    std::string_view name;
    Method method = Method::Stored;
    std::uint32_t crc = 0;
    std::uint64_t storedSize = 0; ///< the size in the archive, in bytes
    std::uint64_t size = 0;       ///< the size after inflating, in bytes
    std::uint64_t header = 0;     ///< the position of its local header
};

/// A range of bytes of the archive.
struct Extent {
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
    bool operator==(const Extent &) const = default;
};

/// A member's bytes: a view of the archive if the member is stored, a buffer of its own if it is deflated.
class Content {
public:
    explicit Content(std::span<const std::byte> view) : m_view(view) { }
    explicit Content(std::vector<std::byte> inflated) : m_inflated(std::move(inflated)), m_view(m_inflated) { }
    Content(Content &&) = default;
    Content &operator=(Content &&) = default;

    std::span<const std::byte> bytes() const { return m_view; }
    std::string_view text() const { return {reinterpret_cast<const char *>(m_view.data()), m_view.size()}; }

private:
    std::vector<std::byte> m_inflated; // moving a vector does not move its bytes
    std::span<const std::byte> m_view;
};

/// The directory of a zip archive that lies in (mapped) memory. Opening reads only its end and the directory.
/// Archives that different readers would read differently are refused: duplicate names, overlapping members.
class Zip {
public:
    /// Reads the directory of `bytes`, which must outlive the archive. Errors: what is wrong, with its byte or member.
    static Result<Zip> open(std::span<const std::byte> bytes);

    std::span<const Member> members() const { return m_members; }
    /// Returns the member with this full name; nullptr if there is none.
    const Member *find(std::string_view name) const;
    /// Returns "folder/" if all members lie in one folder, else "".
    std::string_view root() const { return m_root; }

    /// Finds the member's stored bytes. Reads its local header. Errors: no member starts there; it is encrypted, or
    /// reaches beyond the file.
    Result<Extent> extent(const Member &member) const;
    /// Finds the stored bytes of the member with this full name. Errors: there is no such member, or it is deflated;
    /// those of extent().
    Result<Extent> storedExtent(std::string_view name) const;
    /// Returns the member's content. Errors: a checksum that does not match; a deflated member that is damaged or
    /// beyond the limits of limits.h; those of extent().
    Result<Content> read(const Member &member) const;

private:
    explicit Zip(std::span<const std::byte> bytes) : m_bytes(bytes) { }
    /// Errors: two members overlap.
    Result<void> checkOverlaps() const;

    std::span<const std::byte> m_bytes;
    std::vector<Member> m_members;
    std::unordered_map<std::string_view, std::size_t> m_byName;
    std::string_view m_root;
};

/// Whether the bytes begin like a zip archive.
bool looksLikeZip(std::span<const std::byte> bytes);

} // namespace cutaway::formats::archive
