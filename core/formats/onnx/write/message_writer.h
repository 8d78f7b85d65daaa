// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/output_file.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/ir/model.h"

#include <string>
#include <vector>

namespace cutaway::formats::onnx {

/// A protobuf message under construction. For elements of tensors it has gaps, which are filled from their file when
/// the message is written: only the message's own bytes are ever in memory.
class MessageWriter {
public:
    void number(std::uint32_t field, std::uint64_t value);
    void integer(std::uint32_t field, std::int64_t value) { number(field, static_cast<std::uint64_t>(value)); }
    void real(std::uint32_t field, float value);
    void text(std::uint32_t field, std::string_view text);
    /// Adds the text, unless it is empty.
    void textIfAny(std::uint32_t field, std::string_view text);
    void message(std::uint32_t field, const MessageWriter &inner);
    /// Adds the elements of a tensor, which have `length` bytes.
    void elements(std::uint32_t field, ir::TensorId tensor, std::uint64_t length);
    /// Adds a StringStringEntryProto.
    void entry(std::uint32_t field, std::string_view key, std::string_view text);

    std::uint64_t size() const { return m_text.size() + m_gapBytes; }
    bool empty() const { return size() == 0; }

    /// Writes the message. Errors: elements that cannot be read, with the tensor's name; cancelled. The file's
    /// close() reports errors of the file.
    Result<void> writeTo(OutputFile &file, const ir::Model &model, const Task &task) const;

private:
    struct Gap {
        std::size_t position = 0; ///< the position of the gap in m_text
        ir::TensorId tensor;
    };
    void varint(std::uint64_t value);

    std::string m_text;
    std::vector<Gap> m_gaps;
    std::uint64_t m_gapBytes = 0;
};

/// Writes the elements of a tensor. Errors: the elements cannot be read, with the tensor's name.
Result<void> writeElements(OutputFile &file, const ir::Model &model, ir::TensorId tensor);

} // namespace cutaway::formats::onnx
