// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/graph_text/read/printed_tensor.h"
#include "core/formats/notes/notes.h"
#include "core/ir/context.h"
#include "core/ir/dim.h"

#include <set>
#include <unordered_map>

namespace cutaway::formats::graph_text {

/// Reads the types that torch.fx prints after names: "f32[4, s0][16, 1]cuda:0" (sizes, strides in elements, device),
/// "Sym(s0 + 1)", and Python's own, "torch.Tensor". Equal texts are read once; they must live as long as the reader.
class AnnotationReader {
public:
    AnnotationReader(ir::Context &context, Notes &notes) : m_context(context), m_notes(notes) { }

    /// Returns the type that a text describes; TypeId{} if it describes none.
    ir::TypeId type(std::string_view text);
    ir::Dim dim(std::string_view text);

    /// Returns the symbols of all types that were read so far.
    const std::set<std::string, std::less<>> &symbols() const { return m_symbols; }

private:
    ir::TypeId read(std::string_view text);
    std::optional<ir::TensorType> tensor(std::string_view text);
    std::optional<ir::Shape> shape(const std::optional<PrintedSizes> &sizes);
    ir::Type number(std::string_view expression);
    std::optional<symbolic::Expr> expression(std::string_view text);

    ir::Context &m_context;
    Notes &m_notes;
    std::unordered_map<std::string_view, ir::TypeId> m_types;
    std::set<std::string, std::less<>> m_symbols;
};

} // namespace cutaway::formats::graph_text
