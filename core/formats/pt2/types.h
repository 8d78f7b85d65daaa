// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/pt2/json.h"
#include "core/formats/pt2/read/reading.h"
#include "core/ir/type.h"

#include <functional>
#include <map>
#include <unordered_map>

namespace cutaway::formats::pt2 {

/// The types that a graph records for its values, by the values' names.
using ValueTypes = std::unordered_map<std::string_view, ir::TypeId>;

/// Reads the schema's records of tensors, sizes and symbolic numbers, and collects their symbols.
class TypeReader {
public:
    explicit TypeReader(Reading &reading) : m_reading(reading) { }

    ValueTypes valuesOf(Json graph);
    ir::TensorType tensor(Json meta);
    ir::Dim dim(Json symInt);
    /// Reads a device; if "index" is null or absent, it has no index.
    std::optional<ir::Device> device(Json json) const;

    /// Returns every symbol read so far, with its value in the exporter's example if that is recorded.
    const std::map<std::string, std::optional<std::int64_t>, std::less<>> &symbols() const { return m_symbols; }

private:
    std::optional<symbolic::Expr> expression(Json recorded);
    std::optional<symbolic::Expr> parsed(std::string_view text);
    std::optional<ir::Shape> shape(Json sizes);
    ir::NumberType number(ir::NumberType::Kind kind, Json recorded);

    Reading &m_reading;
    std::unordered_map<std::string, std::optional<symbolic::Expr>> m_expressions;
    std::map<std::string, std::optional<std::int64_t>, std::less<>> m_symbols;
};

} // namespace cutaway::formats::pt2
