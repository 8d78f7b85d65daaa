// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The yardstick for ONNX: every field of the messages that make up a graph is visited with protobuf's own reader and
// nothing is kept. Long fields (weights) are skipped, as in any reader that maps them.
#include "core/base/mapped_file.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>

using google::protobuf::internal::WireFormatLite;
using Stream = google::protobuf::io::CodedInputStream;

namespace {

/// Which messages lie in a message of ONNX, by field: enough of the schema to reach nodes, attributes and tensors.
enum class Message { Model, Graph, Node, Attribute, Tensor, Text };

Message inside(Message message, int field)
{
    if (message == Message::Model && field == 7)
        return Message::Graph;
    if (message == Message::Graph && field == 1)
        return Message::Node;
    if (message == Message::Graph && field == 5)
        return Message::Tensor;
    if (message == Message::Node && field == 5)
        return Message::Attribute;
    if (message == Message::Attribute && (field == 5 || field == 6))
        return field == 5 ? Message::Tensor : Message::Graph;
    return Message::Text;
}

bool walk(Stream &stream, Message message);

bool walkField(Stream &stream, Message message, std::uint32_t tag)
{
    if (WireFormatLite::GetTagWireType(tag) != WireFormatLite::WIRETYPE_LENGTH_DELIMITED)
        return WireFormatLite::SkipField(&stream, tag);
    std::uint32_t length = 0;
    if (!stream.ReadVarint32(&length))
        return false;
    const Message inner = inside(message, WireFormatLite::GetTagFieldNumber(tag));
    if (inner == Message::Text)
        return stream.Skip(static_cast<int>(length));
    const auto limit = stream.PushLimit(static_cast<int>(length));
    const bool good = walk(stream, inner);
    stream.PopLimit(limit);
    return good;
}

bool walk(Stream &stream, Message message)
{
    while (const std::uint32_t tag = stream.ReadTag())
        if (!walkField(stream, message, tag))
            return false;
    return stream.ConsumedEntireMessage();
}

} // namespace

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    const auto file = cutaway::MappedFile::open(argv[1]);
    if (!file)
        return 3;
    const auto bytes = file->bytes();
    Stream stream(reinterpret_cast<const std::uint8_t *>(bytes.data()), static_cast<int>(bytes.size()));
    stream.SetTotalBytesLimit(static_cast<int>(bytes.size()));
    return walk(stream, Message::Model) ? 0 : 1;
}
