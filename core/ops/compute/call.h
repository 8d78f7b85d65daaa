// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/call.h"
#include "core/ops/compute/value.h"

#include <forward_list>
#include <functional>

namespace cutaway::compute {

/// Returns the value of an operand, or nullptr if it is not known. A value that is made for the operand lives as long
/// as the call.
using ValueOf = std::function<const Value *(const ir::Operand &)>;

/// A node in the view of a compute rule: the values of its arguments, and the results of its shape rule.
class Call {
public:
    /// `facts`: the call that the shape rule got, with the values of all attributes. `results`: the facts that the
    /// shape rule returned.
    Call(ir::NodeRef node, const ops::Signature *signature, const ops::Call &facts, std::span<const ops::Fact> results,
         ValueOf valueOf);

    /// A copy of this call in which each value is replaced by the one that replace() returns for it.
    Call with(std::function<const Value *(const Value *)> replace) const { return with(std::move(replace), m_results); }
    /// A copy with replaced values, with `results` as the facts of the shape rule; these have to outlive the copy.
    Call with(std::function<const Value *(const Value *)> replace, std::span<const ops::Fact> results) const
    {
        return {m_node, m_signature, m_facts, results,
                [valueOf = m_valueOf, replace = std::move(replace)](const ir::Operand &operand) {
                    return replace(valueOf(operand));
                }};
    }

    const ops::Call &facts() const { return m_facts; }
    ir::Context &context() const { return m_node.graph().context(); }
    bool isOnnx() const { return m_facts.isOnnx(); }

    /// An argument's value by its position in the schema, or among the inputs of ONNX; nullptr where there is none.
    const Value *value(std::size_t position) const;
    const Value *value(std::string_view name) const;
    /// An argument's value as a tensor, nullptr if it is none; a number is a tensor without dimensions.
    const Array *array(std::size_t position) const { return asArray(value(position)); }
    const Array *array(std::string_view name) const { return asArray(value(name)); }
    const Array *array(ops::Position position) const { return position ? array(*position) : nullptr; }
    /// Whether a tensor is given whose elements are not known.
    template <class Where>
    bool isUnknown(const Where &where) const
    {
        return m_facts.has(where) && !array(where);
    }
    /// Returns the tensors of a list argument in aten, or of all inputs from the position on in ONNX; nothing if one
    /// is not a tensor.
    std::optional<std::vector<const Array *>> arrays(std::size_t position) const;

    /// The shape that the shape rule finds for a result that is a tensor; nothing if it depends on data.
    std::optional<Sizes> shape(std::size_t result = 0) const;
    std::optional<ir::DType> dtype(std::size_t result = 0) const;
    std::size_t resultCount() const { return m_facts.resultCount(); }
    /// Whether nothing reads the result's elements before all are written: by copy_, fill_ or zero_.
    bool isOverwritten() const;

    /// Returns the integers of a list, or a single integer as a list of one; nothing if any of them is not known.
    template <class Where>
    std::optional<Sizes> integers(const Where &where) const
    {
        const auto listed = m_facts.sizes(where);
        return listed ? ops::numbers(*listed) : std::nullopt;
    }
    /// Returns the dimensions of a tensor of this rank that a list names, each read as axis() does; nothing if one is
    /// unknown or out of range.
    std::optional<std::vector<std::size_t>> axes(std::string_view name, std::size_t rank) const
    {
        const auto listed = m_facts.sizes(name);
        return listed ? ops::dimensions(*listed, rank) : std::nullopt;
    }
    /// Returns a number by its name in ATen or in ONNX, or `defaultValue` if it is not given; nothing if it is given
    /// and not known.
    std::optional<double> number(std::string_view aten, std::string_view onnx, double defaultValue) const;
    std::optional<std::int64_t> integer(std::string_view aten, std::string_view onnx, std::int64_t defaultValue) const;
    std::optional<bool> flag(std::string_view aten, bool defaultValue) const;
    /// A flag that is a bool in aten and an int in ONNX, where it is true unless it is 0.
    std::optional<bool> flag(std::string_view aten, std::string_view onnx, bool defaultValue) const;
    /// A dimension of a tensor of this rank, counted from the end where it is negative.
    std::optional<std::size_t> axis(std::string_view aten, std::string_view onnx, std::int64_t defaultValue,
                                    std::size_t rank) const;

private:
    const Array *asArray(const Value *value) const;
    std::string_view named(std::string_view aten, std::string_view onnx) const { return isOnnx() ? onnx : aten; }

    ir::NodeRef m_node;
    const ops::Signature *m_signature;
    const ops::Call &m_facts;
    std::span<const ops::Fact> m_results;
    ValueOf m_valueOf;
    mutable std::forward_list<Array> m_numbers;
    mutable std::forward_list<Value> m_defaults;
};

/// Whether all of a rule's arguments are known: pointers and optionals that hold a value.
template <class... Argument>
bool areKnown(const Argument &...arguments)
{
    return (... && static_cast<bool>(arguments));
}

/// The results of a node; nothing if the rule cannot compute them.
using Answer = std::optional<Values>;

/// Returns the tensor as the only result; no answer if it is nothing.
Answer answer(std::optional<Array> array);
/// Floats of this shape as the only result; no answer if the shape is for another number of elements.
Answer answer(Sizes shape, std::vector<double> elements);

} // namespace cutaway::compute
