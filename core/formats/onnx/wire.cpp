// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/formats/onnx/wire.h"

#include "core/base/formatted.h"

namespace cutaway::formats::onnx {

namespace {

const std::uint8_t *raw(const Message &message) { return reinterpret_cast<const std::uint8_t *>(message.bytes.data()); }

int size(const Message &message) { return static_cast<int>(message.bytes.size()); }

} // namespace

MessageReader::MessageReader(const Message &message) : m_message(message), m_input(raw(message), size(message)) { }

bool MessageReader::next(Field &field)
{
    if (m_input.CurrentPosition() == size(m_message))
        return false;
    field = {m_input.ReadTagNoLastTag(), 0, {}};
    if (field.number() == 0)
        fail("not a protobuf field: its number is 0 or does not end");
    switch (field.tag & 7) {
    case 0:
        if (!m_input.ReadVarint64(&field.value))
            fail("a number has more than 10 bytes or is cut off");
        break;
    case 1:
        if (!m_input.ReadLittleEndian64(&field.value))
            fail("a 64-bit number is cut off");
        break;
    case 2:
        readPayload(field);
        break;
    case 5: {
        std::uint32_t value = 0;
        if (!m_input.ReadLittleEndian32(&value))
            fail("a 32-bit number is cut off");
        field.value = value;
        break;
    }
    case 3:
    case 4:
        fail("a protobuf group, which no ONNX file has");
    default:
        fail(formatted("protobuf wire type {}, which does not exist", field.tag & 7));
    }
    return true;
}

void MessageReader::readPayload(Field &field)
{
    std::uint64_t length = 0;
    if (!m_input.ReadVarint64(&length))
        fail("a length has more than 10 bytes or is cut off");
    const auto position = static_cast<std::size_t>(m_input.CurrentPosition());
    const std::size_t left = m_message.bytes.size() - position;
    if (length > left)
        fail(formatted("a field of {} bytes, but only {} are left", length, left));
    field.payload = {m_message.bytes.subspan(position, length), m_message.file};
    m_input.Skip(static_cast<int>(length));
}

void MessageReader::fail(std::string what) const
{
    const auto offset = m_message.offset() + static_cast<std::uint64_t>(m_input.CurrentPosition());
    unusable("the protobuf data is damaged: " + std::move(what), formatted("byte {}", offset));
}

VarintReader::VarintReader(const Message &packed) : m_packed(packed), m_input(raw(packed), size(packed)) { }

bool VarintReader::next(std::uint64_t &value)
{
    if (m_input.CurrentPosition() == size(m_packed))
        return false;
    if (!m_input.ReadVarint64(&value))
        unusable("the protobuf data is damaged: a number in a list has more than 10 bytes or is cut off",
                 formatted("byte {}", m_packed.offset() + static_cast<std::uint64_t>(m_input.CurrentPosition())));
    return true;
}

} // namespace cutaway::formats::onnx
