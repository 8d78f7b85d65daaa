// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/pt2/json.h"
#include "core/formats/pt2/read/reading.h"
#include "core/formats/pt2/types.h"
#include "core/ir/argument.h"

#include <unordered_map>
#include <utility>

namespace cutaway::formats::pt2 {

/// The values of one graph by their names.
using Names = std::unordered_map<std::string_view, ir::ValueId>;

/// Returns the only member of a union object: its kind and its value; nothing if it is no union.
std::optional<std::pair<std::string_view, Json>> unionMember(Json json);

/// Returns the operator that a node's target names: "torch.ops.aten.add.Tensor" is aten::add.Tensor,
/// "torch.ops.higher_order.cond" higher_order::cond, the Python function "math.trunc" math::trunc.
ir::OpId operatorOf(ir::Context &context, std::string_view target);

/// Reads the schema's Argument unions, of every kind but graphs. An unknown kind becomes its JSON, with a diagnostic.
class ArgumentReader {
public:
    /// `names` is stored by reference, not copied: it may grow while the graph is read. In the functions, `where` is
    /// the position that error messages give.
    ArgumentReader(Reading &reading, const TypeReader &types, const Names &names)
        : m_reading(reading),
          m_types(types),
          m_names(names)
    {
    }

    ir::Operand read(Json argument, std::string_view where) const;
    /// Returns the value with this name; throws Unusable if nothing has made it.
    ir::Operand value(std::string_view name, std::string_view where) const;

private:
    ir::Operand number(std::string_view kind, Json value, std::string_view where) const;
    ir::Operand tensor(Json value, std::string_view where) const;
    ir::Operand list(std::string_view itemKind, Json items, std::string_view where) const;
    ir::Operand dict(Json members, std::string_view where) const;
    std::optional<ir::Operand> constant(std::string_view kind, Json value) const;
    ir::Operand unknown(std::string_view kind, Json value, std::string_view where) const;
    [[noreturn]] void wrongKind(std::string_view wanted, Json value, std::string_view where) const;

    Reading &m_reading;
    const TypeReader &m_types;
    const Names &m_names;
};

} // namespace cutaway::formats::pt2
