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

/// How much the other side may ask for; see docs/architecture.md.
inline constexpr std::size_t maxHeaderLength = 1024;
inline constexpr std::uint64_t maxJsonSize = 64u << 20;
inline constexpr std::uint64_t maxPayloadSize = 4ull << 30;

/// What is sent at once: a JSON text, and bytes that belong to it.
struct Frame {
    std::string json;
    std::string payload;
    bool operator==(const Frame &) const = default;
};

/// The base protocol of the Language Server Protocol, with one field more where there is a payload:
/// "Content-Length: 17\r\nPayload-Length: 3\r\n\r\n", 17 bytes of JSON, 3 bytes.
std::string printFrame(const Frame &frame);

/// Takes bytes as they come and gives frames. What it holds is what has come, never what a length promises.
///
/// Its errors (Backend) say what the sender did, so that "the plugin 'x' " can stand before them: "wrote something that
/// is no message: 'Hello'"; their place is the byte of its output.
class FrameReader {
public:
    void append(std::string_view bytes);

    /// The next frame; nothing if more bytes are wanted. Errors: bytes that are no frame, a length above the limits.
    /// There is no way back from an error: what follows is not to be trusted.
    Result<std::optional<Frame>> next();

    /// To be asked at the end of the stream. Errors: it is not at the end of a frame.
    Result<void> finish() const;

private:
    struct Lengths {
        std::optional<std::uint64_t> json;
        std::uint64_t payload = 0;
    };

    Result<std::optional<Lengths>> readHeader();
    Result<void> readField(std::string_view line, Lengths &lengths) const;
    std::unexpected<Error> fault(std::string message, std::size_t at) const;
    std::unexpected<Error> garbage(std::string_view line) const;
    std::string_view rest() const { return std::string_view(m_buffer).substr(m_begin); }

    std::string m_buffer;
    std::size_t m_begin = 0;          ///< of what is not read yet
    std::uint64_t m_discarded = 0;    ///< bytes of the stream before the buffer
    std::optional<Lengths> m_lengths; ///< of the frame whose content is awaited
};

} // namespace cutaway::protocol
