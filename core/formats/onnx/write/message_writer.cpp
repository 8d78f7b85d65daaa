// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/formats/onnx/write/message_writer.h"

#include "core/base/text.h"
#include "core/formats/onnx/wire.h"
#include "core/ir/context.h"
#include "core/ir/tensors/tensor_bytes.h"

#include <bit>

namespace cutaway::formats::onnx {

void MessageWriter::varint(std::uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        m_text += static_cast<char>(value | 0x80);
    m_text += static_cast<char>(value);
}

void MessageWriter::number(std::uint32_t field, std::uint64_t value)
{
    varint(varintField(field));
    varint(value);
}

void MessageWriter::real(std::uint32_t field, float value)
{
    varint(fixed32Field(field));
    const auto bits = std::bit_cast<std::uint32_t>(value);
    for (unsigned shift = 0; shift < 32; shift += 8)
        m_text += static_cast<char>(bits >> shift);
}

void MessageWriter::text(std::uint32_t field, std::string_view text)
{
    varint(bytesField(field));
    varint(text.size());
    m_text += text;
}

void MessageWriter::textIfAny(std::uint32_t field, std::string_view text)
{
    if (!text.empty())
        this->text(field, text);
}

void MessageWriter::message(std::uint32_t field, const MessageWriter &inner)
{
    varint(bytesField(field));
    varint(inner.size());
    for (const Gap &gap : inner.m_gaps)
        m_gaps.push_back({m_text.size() + gap.position, gap.tensor});
    m_text += inner.m_text;
    m_gapBytes += inner.m_gapBytes;
}

void MessageWriter::elements(std::uint32_t field, ir::TensorId tensor, std::uint64_t length)
{
    varint(bytesField(field));
    varint(length);
    if (length > 0)
        m_gaps.push_back({m_text.size(), tensor});
    m_gapBytes += length;
}

void MessageWriter::entry(std::uint32_t field, std::string_view key, std::string_view text)
{
    MessageWriter pair;
    pair.text(1, key);
    pair.text(2, text);
    message(field, pair);
}

Result<void> MessageWriter::writeTo(OutputFile &file, const ir::Model &model, const Task &task) const
{
    const std::string_view all = m_text;
    std::size_t done = 0;
    for (const Gap &gap : m_gaps) {
        if (task.stopRequested())
            return cancelled();
        if (file.failed())
            return {};
        task.report("writing the model", file.size(), size());
        file.write(all.substr(done, gap.position - done));
        done = gap.position;
        CUTAWAY_RETURN_IF_ERROR(writeElements(file, model, gap.tensor));
    }
    file.write(all.substr(done));
    return {};
}

Result<void> writeElements(OutputFile &file, const ir::Model &model, ir::TensorId tensor)
{
    auto visited = ir::visitElements(model, tensor, [&](std::span<const std::byte> bytes) { file.write(bytes); });
    if (!visited)
        visited.error().message = "the elements of tensor " + sanitized(model.context->text(model.at(tensor).name))
            + " cannot be read: " + visited.error().message;
    return visited;
}

} // namespace cutaway::formats::onnx
