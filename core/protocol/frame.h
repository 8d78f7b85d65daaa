// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cutaway::protocol {

/// Limits on what the other side sends.
inline constexpr std::size_t maxHeaderLength = 1024;
inline constexpr std::uint64_t maxJsonSize = 64u << 20;
inline constexpr std::uint64_t maxPayloadSize = 4ull << 30;

/// A unit of transfer: a JSON text and the bytes that belong to it.
struct Frame {
    std::string json;
    std::string payload;
    bool operator==(const Frame &) const = default;
};

/// The base protocol of the Language Server Protocol, with an additional field for a payload:
/// "Content-Length: 17\r\nPayload-Length: 3\r\n\r\n", 17 bytes of JSON, 3 bytes.
std::string printFrame(const Frame &frame);

/// Splits received bytes into frames. Memory grows with what was received, never with what a length field announces.
/// Errors (Backend) describe what the sender did, to follow "the plugin 'x' ": "wrote something that is not a message:
/// 'Hello'"; their location is the byte offset in its output.
class FrameReader {
public:
    void append(std::string_view bytes);

    /// Returns the next frame; nullopt if it is incomplete. Errors: bytes that are no frame, a length above the limits.
    /// After an error the stream cannot be resumed.
    Result<std::optional<Frame>> next();

    /// Checks that the stream does not end within a frame; to be called at its end.
    Result<void> finish() const;

private:
    struct Lengths {
        std::optional<std::uint64_t> json;
        std::uint64_t payload = 0;
    };

    /// Removes the header from the buffer if it is complete. Errors: other text; no Content-Length; those of
    /// readField().
    Result<std::optional<Lengths>> readHeader();
    /// Reads one field of the header. Errors: a line without a colon; a length that is no number or above the limits.
    Result<void> readField(std::string_view line, Lengths &lengths) const;
    std::unexpected<Error> fault(std::string message, std::size_t at) const;
    std::unexpected<Error> garbage(std::string_view line) const;
    std::string_view rest() const { return std::string_view(m_buffer).substr(m_begin); }

    std::string m_buffer;
    std::size_t m_begin = 0;          ///< offset of the unread bytes in the buffer
    std::uint64_t m_discarded = 0;    ///< number of bytes of the stream that were dropped before the buffer
    std::optional<Lengths> m_lengths; ///< lengths of the frame whose content is incomplete
};

} // namespace cutaway::protocol
