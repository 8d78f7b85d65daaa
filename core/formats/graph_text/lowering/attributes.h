// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/graph_text/lowering/reading.h"
#include "core/ir/model.h"

#include <string>
#include <unordered_map>

namespace cutaway::formats::graph_text {

/// The inputs of a function and the tensors of its modules. A tensor whose dtype and size are in the text becomes a
/// tensor of the model, without bytes. Any other becomes an input of the function, and its entry in the signature
/// names the tensor as its target.
class Attributes {
public:
    Attributes(Reading &reading, ir::Function &function) : m_reading(reading), m_function(function) { }

    /// Adds an input of the signature.
    ir::ValueId input(std::string_view name, const InputSpec &spec, ir::TypeId type);
    /// Returns the value of the attribute at `path`, "layers.0.weight", for get_attr; equal paths return one value.
    ir::ValueId attribute(std::string_view name, const std::string &path, ir::TypeId type);
    void rename(ir::ValueId input, std::string_view name);

private:
    ir::TensorId tensor(const InputSpec &spec, const ir::TensorType &type);

    Reading &m_reading;
    ir::Function &m_function;
    std::unordered_map<std::string, ir::ValueId> m_attributes;
    std::unordered_map<ir::ValueId, std::size_t> m_positions; ///< the index of each value in the signature
};

} // namespace cutaway::formats::graph_text
