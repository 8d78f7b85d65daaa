// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/notes/notes.h"
#include "core/formats/onnx/wire.h"
#include "core/ir/context.h"
#include "core/ir/model.h"

#include <unordered_map>
#include <unordered_set>

namespace cutaway::formats::onnx {

/// Whether elements of the dtype are real or complex floating-point numbers of any precision, as weights are.
inline bool isFloatingPoint(ir::DType dtype) { return ir::isFloating(dtype) || ir::isComplex(dtype); }

/// A value's type, and its denotations in the file ("IMAGE", "dim 0 DATA_BATCH"), which are usually missing.
struct ValueType {
    ir::TypeId id;
    std::string denotations;
};

/// Reads TypeProto. Equal encodings are read only once, because models repeat the same few types.
class TypeReader {
public:
    TypeReader(ir::Model &model, Notes &notes) : m_model(model), m_notes(notes) { }

    /// Notes the names of the sizes of a model's input. Call it for all inputs before the first inputType().
    void noteSizes(const Message &type);
    /// Returns the type of a model's input. A size whose name is a formula of names of other sizes ("past_length +
    /// length") becomes that formula; every other name becomes a symbol of the model.
    ValueType inputType(const Message &type);
    /// Returns the type of another value. A size is an expression of the inputs' symbols, or else an opaque text.
    const ValueType &type(const Message &type);

private:
    ir::Type read(const Message &type, int depth);
    ir::Type readTensor(const Message &tensor, ir::Layout layout);
    ir::Type readMap(const Message &map, int depth);
    ir::Type readOpaque(const Message &opaque);
    ir::CompoundType readElements(const Message &message, ir::CompoundType::Kind kind, int depth);
    ir::Shape readShape(const Message &shape);
    ir::Dim readDim(const Message &dim, std::size_t index);
    ir::Dim namedDim(std::string_view name);
    std::optional<symbolic::Expr> formulaOf(std::string_view name) const;
    std::optional<ir::DType> knownDType(std::uint64_t dataType);
    void addDenotation(std::string_view text);

    ir::Model &m_model;
    Notes &m_notes;
    bool m_inInput = false;
    std::string m_denotations; ///< the denotations in the type that is being read
    std::unordered_map<std::string_view, ValueType> m_bySpelling;
    std::unordered_map<std::string_view, ir::Dim> m_dims;
    std::unordered_set<std::string_view> m_symbols;
    std::unordered_set<std::string_view> m_sizeNames; ///< the names of the inputs' sizes, including formulas
};

} // namespace cutaway::formats::onnx
