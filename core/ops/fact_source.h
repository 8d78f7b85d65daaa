// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/dim.h"
#include "core/ir/ids.h"
#include "core/ops/facts/fact.h"

#include <string_view>
#include <utility>

namespace cutaway::ops {

/// The facts that a rule can ask for. This class itself knows only the constants written at a node; derived classes
/// add derived facts.
class FactSource {
public:
    virtual ~FactSource() = default;
    virtual const Fact &fact(ir::ValueId value) const;
    virtual Fact tensor(ir::TensorId weight) const;
    virtual Fact object(ir::ObjectId object) const;
    /// The fact of an attribute of the ONNX function around the node.
    virtual Fact attribute(ir::NameId name) const;
    /// The size that a formula of the file stands for, with bound symbols replaced.
    virtual ir::Dim size(const symbolic::Expr &formula) const;
    /// Returns a new symbol for a size that only data decides and that is at most `most`, if that is known.
    virtual ir::Dim freshSize(std::string_view hint, const ir::Dim &most);
};

/// A source of the facts of values: `find` returns the fact of a ValueId, by reference.
template <class Find>
class FactsOfValues final : public FactSource {
public:
    explicit FactsOfValues(Find find) : m_find(std::move(find)) { }
    const Fact &fact(ir::ValueId value) const override { return m_find(value); }

private:
    Find m_find;
};

/// Returns the fact of an operand: the fact of the value, or of the constant, that the operand is.
Fact factOf(const ir::Context &context, const FactSource &source, const ir::Operand &operand);

} // namespace cutaway::ops
