// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/dim.h"
#include "core/ir/ids.h"
#include "core/ops/facts/fact.h"

#include <string_view>
#include <utility>

namespace cutaway::ops {

/// What a rule can learn where it is asked. As it is, a source knows what is written at a node and nothing else;
/// whoever knows more overrides what it knows.
class FactSource {
public:
    virtual ~FactSource() = default;
    virtual const Fact &fact(ir::ValueId value) const;
    virtual Fact tensor(ir::TensorId weight) const;
    virtual Fact object(ir::ObjectId object) const;
    /// An attribute of the ONNX function around.
    virtual Fact attribute(ir::NameId name) const;
    /// The size that a formula of the file is, with bound symbols replaced.
    virtual ir::Dim size(const symbolic::Expr &formula) const;
    /// A symbol for a size that only data decides and that is at most `most`, if that is known.
    virtual ir::Dim freshSize(std::string_view hint, const ir::Dim &most);
};

/// Knows what `find` says of a value, a function of an id that returns a Fact by reference.
template <class Find>
class FactsOfValues final : public FactSource {
public:
    explicit FactsOfValues(Find find) : m_find(std::move(find)) { }
    const Fact &fact(ir::ValueId value) const override { return m_find(value); }

private:
    Find m_find;
};

/// What is known of an operand: of its value, or of the constant it is.
Fact factOf(const ir::Context &context, const FactSource &source, const ir::Operand &operand);

} // namespace cutaway::ops
