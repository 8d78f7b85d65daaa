// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/unusable.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <google/protobuf/io/coded_stream.h>
#include <span>

namespace cutaway::formats::onnx {

using Bytes = std::span<const std::byte>;

/// A serialized protobuf message: its bytes, and the start of the file that contains them.
struct Message {
    Bytes bytes;
    const std::byte *file = nullptr;
    std::uint64_t offset() const { return static_cast<std::uint64_t>(bytes.data() - file); }
    std::string_view text() const { return {reinterpret_cast<const char *>(bytes.data()), bytes.size()}; }
};

// Returns the tag of a field, which combines its number and wire type.
constexpr std::uint32_t varintField(std::uint32_t number) { return number << 3; }
constexpr std::uint32_t fixed64Field(std::uint32_t number) { return number << 3 | 1; }
constexpr std::uint32_t bytesField(std::uint32_t number) { return number << 3 | 2; }
constexpr std::uint32_t fixed32Field(std::uint32_t number) { return number << 3 | 5; }

/// A field of a message: `value` for numbers, `payload` for bytes, texts, sub-messages and packed lists.
struct Field {
    std::uint32_t tag = 0;
    std::uint64_t value = 0;
    Message payload;

    std::uint32_t number() const { return tag >> 3; }
    std::int64_t integer() const { return static_cast<std::int64_t>(value); }
    float real() const { return std::bit_cast<float>(static_cast<std::uint32_t>(value)); }
    double longReal() const { return std::bit_cast<double>(value); }
    std::string_view text() const { return payload.text(); }
};

/// Reads the fields of one message one by one; sub-messages and payloads are skipped over. Throws Unusable with the
/// byte offset for a damaged wire format and for groups.
class MessageReader {
public:
    explicit MessageReader(const Message &message);
    /// Reads the next field; returns false at the message's end.
    bool next(Field &field);

private:
    [[noreturn]] void fail(std::string what) const;
    void readPayload(Field &field);

    Message m_message;
    google::protobuf::io::CodedInputStream m_input;
};

/// Reads a packed list of varints one by one.
class VarintReader {
public:
    explicit VarintReader(const Message &packed);
    bool next(std::uint64_t &value);

private:
    Message m_packed;
    google::protobuf::io::CodedInputStream m_input;
};

/// Calls visit(uint64) for every varint in one occurrence of a repeated field, packed or not.
template <class Visit>
void forEachVarint(const Field &field, Visit &&visit)
{
    if ((field.tag & 7) == 0)
        return visit(field.value);
    VarintReader packed(field.payload);
    for (std::uint64_t value = 0; packed.next(value);)
        visit(value);
}

} // namespace cutaway::formats::onnx
