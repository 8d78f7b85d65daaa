// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/frame.h"

#include "core/base/formatted.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace cutaway::protocol {

namespace {

constexpr std::string_view jsonField = "Content-Length";
constexpr std::string_view payloadField = "Payload-Length";
constexpr std::string_view typeField = "Content-Type"; // a field that the base protocol allows; it is ignored
constexpr std::array fields{jsonField, payloadField, typeField};

/// Whether these first bytes can begin a header field. This is checked early, so that a program that prints something
/// else gets an error at once instead of a timeout.
bool mayBeField(std::string_view begun)
{
    const std::string_view name = begun.substr(0, begun.find(':'));
    if (name.size() < begun.size())
        return std::ranges::contains(fields, name);
    return begun == "\r"
        || std::ranges::any_of(fields, [&](std::string_view field) { return field.starts_with(name); });
}

std::string_view trimmed(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::optional<std::uint64_t> natural(std::string_view text)
{
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

} // namespace

std::string printFrame(const Frame &frame)
{
    std::string out = formatted("{}: {}\r\n", jsonField, frame.json.size());
    if (!frame.payload.empty())
        out += formatted("{}: {}\r\n", payloadField, frame.payload.size());
    return out.append("\r\n").append(frame.json).append(frame.payload);
}

void FrameReader::append(std::string_view bytes)
{
    if (m_begin > m_buffer.size() / 2) {
        m_buffer.erase(0, m_begin);
        m_discarded += m_begin;
        m_begin = 0;
    }
    m_buffer += bytes;
}

Result<std::optional<Frame>> FrameReader::next()
{
    if (!m_lengths) {
        CUTAWAY_TRY(auto lengths, readHeader());
        m_lengths = lengths;
    }
    if (!m_lengths || rest().size() < *m_lengths->json + m_lengths->payload)
        return std::nullopt;
    Frame frame{std::string(rest().substr(0, *m_lengths->json)),
                std::string(rest().substr(*m_lengths->json, m_lengths->payload))};
    m_begin += frame.json.size() + frame.payload.size();
    m_lengths.reset();
    return frame;
}

Result<void> FrameReader::finish() const
{
    if (m_lengths)
        return fault(formatted("ended its output within a message: {} of {} bytes are there", rest().size(),
                               *m_lengths->json + m_lengths->payload),
                     m_begin);
    if (!rest().empty())
        return fault("ended its output within the header of a message", m_begin);
    return {};
}

/// Removes the header from the buffer, if it is complete.
Result<std::optional<FrameReader::Lengths>> FrameReader::readHeader()
{
    Lengths lengths;
    for (std::size_t begin = 0;;) {
        const std::size_t end = rest().find('\n', begin);
        std::string_view line = rest().substr(begin, end - begin);
        if (begin + line.size() > maxHeaderLength || !mayBeField(line))
            return garbage(line);
        if (end == std::string_view::npos)
            return std::nullopt;
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        begin = end + 1;
        if (line.empty()) {
            if (!lengths.json)
                return fault("wrote a message whose header has no Content-Length", m_begin);
            m_begin += begin;
            return lengths;
        }
        CUTAWAY_RETURN_IF_ERROR(readField(line, lengths));
    }
}

Result<void> FrameReader::readField(std::string_view line, Lengths &lengths) const
{
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos)
        return garbage(line);
    const std::string_view name = line.substr(0, colon);
    const std::string_view value = trimmed(line.substr(colon + 1));
    if (name == typeField)
        return {};
    const auto length = natural(value);
    if (!length)
        return fault(formatted("wrote a message whose {} is '{}', no number", name, sanitized(value.substr(0, 40))),
                     m_begin);
    const std::uint64_t most = name == jsonField ? maxJsonSize : maxPayloadSize;
    if (*length > most)
        return fault(formatted("wrote a message whose {} is {}; {} is the most that is read", name, *length, most),
                     m_begin);
    if (name == jsonField)
        lengths.json = length;
    else
        lengths.payload = *length;
    return {};
}

std::unexpected<Error> FrameReader::fault(std::string message, std::size_t at) const
{
    return std::unexpected(
        Error{ErrorKind::Backend, std::move(message), formatted("byte {} of its output", m_discarded + at)});
}

std::unexpected<Error> FrameReader::garbage(std::string_view line) const
{
    constexpr std::size_t shown = 80;
    if (line.ends_with('\r'))
        line.remove_suffix(1);
    return fault(formatted("wrote something that is not a message: '{}{}'", sanitized(line.substr(0, shown)),
                           line.size() > shown ? "…" : ""),
                 m_begin);
}

} // namespace cutaway::protocol
