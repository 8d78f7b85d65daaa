// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/notes/notes.h"
#include "core/formats/onnx/read/external_data.h"
#include "core/formats/onnx/wire.h"
#include "core/ir/model.h"

#include <unordered_set>
#include <vector>

namespace cutaway::formats::onnx {

/// A text that the file attaches to an object: a StringStringEntryProto or a doc string.
struct Text {
    std::string_view key;
    std::string_view text;
};
Text readText(const Message &entry);

/// Reads TensorProto and SparseTensorProto into the model's tensors. Weights stay in the file: a tensor is a range of
/// the file, except short typed lists of integers, and strings.
class TensorReader {
public:
    TensorReader(ir::Model &model, Notes &notes, ExternalData &external);

    /// Reads a graph's initializer as a parameter or a buffer, as its exporter declares or else by its dtype.
    ir::TensorId initializer(const Message &tensor);
    /// Reads a constant; `name` is its name if the tensor has none.
    ir::TensorId constant(const Message &tensor, std::string_view name);
    ir::TensorId sparse(const Message &tensor, std::string_view name);
    ir::TensorId sparseInitializer(const Message &tensor);
    /// Makes a constant of numbers or texts that are in an attribute.
    ir::TensorId constant(std::string_view name, ir::DType dtype, std::vector<std::int64_t> shape,
                          std::vector<std::byte> bytes);
    ir::TensorId constant(std::string_view name, std::vector<std::int64_t> shape, std::vector<std::string> strings);

    /// Returns the initializers that the file declares to be parameters or buffers.
    const std::unordered_set<ir::TensorId> &declared() const { return m_declared; }

private:
    struct Proto;

    static Proto readProto(const Message &tensor);
    ir::TensorId add(const Proto &proto, std::string_view name);
    ir::TensorId add(ir::Tensor tensor, ir::Storage storage);
    void keepTexts(const Proto &proto, ir::TensorId id);
    ir::Storage storage(const Proto &proto, const ir::Tensor &tensor);
    ir::Storage typedStorage(const Proto &proto, const ir::Tensor &tensor, std::int64_t byteLength);
    ir::Storage withoutBytes(const ir::Tensor &tensor, std::string reason);
    ir::FileRange range(const Message &bytes, ir::FileRange::Encoding encoding) const;

    ir::Model &m_model;
    Notes &m_notes;
    ExternalData &m_external;
    std::unordered_set<ir::TensorId> m_declared;
};

} // namespace cutaway::formats::onnx
