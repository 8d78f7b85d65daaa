// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/node_ref.h"
#include "core/ops/answer.h"
#include "core/ops/fact_source.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/ops/facts/size_need.h"

#include <forward_list>
#include <string_view>

namespace cutaway::ops {

class Signatures;
struct Signature;

/// The position of an argument: among the parameters of the operator's schema, or among the inputs of ONNX. Nothing:
/// the operator has no such parameter.
using Position = std::optional<std::size_t>;
/// An argument that may be left out and has no default value. The outer optional: whether it is given; the inner one:
/// whether its value is known.
template <class T>
using Given = std::optional<std::optional<T>>;

/// A node in the view of a rule: its operator, the facts of its arguments, and the number of its results. Operators of
/// ATen and the like have named arguments (schema names, with the schema's defaults); ONNX operators have inputs by
/// position and attributes by name. A missing argument is None.
class Call {
public:
    Call(ir::NodeRef node, Signatures &signatures, FactSource &source, std::int64_t opset);

    std::string_view dialect() const;
    std::string_view name() const;     ///< "add", also for add_ and add_copy: see findOperator()
    std::string_view fullName() const; ///< the operator's name in the file: "add_"
    std::string_view overload() const;
    /// Whether the operator is of ONNX, in any of its domains: its inputs have positions, not names.
    bool isOnnx() const { return m_isOnnx; }
    std::int64_t opset() const { return m_opset; } ///< ONNX: the opset of the operator's domain
    std::size_t resultCount() const;

    /// The number of arguments by position that the file gives.
    std::size_t inputCount() const;
    const Fact &operator[](std::size_t position) const;
    const Fact &operator[](std::string_view name) const;
    const Fact &operator[](Position position) const;
    /// The position of the first of these names that is a parameter; nothing in ONNX, whose inputs have no names.
    Position position(std::initializer_list<std::string_view> names) const;
    /// Returns the argument with the first of these names that is given, None if there is no such argument: rows often
    /// serve operators whose names for one argument differ.
    const Fact &any(std::initializer_list<std::string_view> names) const;
    bool has(std::size_t position) const; ///< whether the argument is given and not None
    bool has(std::string_view name) const;
    bool has(Position position) const;

    // These functions read an argument as the type in their name; `Where` is a position or a name.
    template <class Where>
    const TensorFact *tensor(Where where) const
    {
        return asTensor((*this)[where]);
    }
    /// Returns the tensor's shape; nullptr if its rank is not known.
    template <class Where>
    const ir::Shape *shape(Where where) const
    {
        const TensorFact *fact = tensor(where);
        return fact && fact->shape ? &*fact->shape : nullptr;
    }
    template <class Where>
    std::optional<ir::DType> dtypeOf(Where where) const
    {
        const TensorFact *fact = tensor(where);
        return fact ? fact->dtype : std::nullopt;
    }
    template <class Where>
    std::optional<std::int64_t> integer(Where where) const
    {
        const auto value = asInt((*this)[where]);
        return value ? number(*value) : std::nullopt;
    }
    template <class Where>
    std::optional<ir::Dim> size(Where where) const
    {
        return asInt((*this)[where]);
    }
    template <class Where>
    std::optional<std::vector<ir::Dim>> sizes(Where where) const
    {
        return asInts((*this)[where]);
    }
    template <class Where>
    std::optional<double> floating(Where where) const
    {
        return asFloat((*this)[where]);
    }
    template <class Where>
    std::optional<bool> flag(Where where) const
    {
        return asBool((*this)[where]);
    }
    /// Returns the argument as a text; "" if it is not a text.
    std::string_view text(std::string_view name) const;
    /// The types that a list argument names.
    std::vector<const ir::Type *> types(std::string_view name) const;
    /// The dtype that an argument gives, also as a number of c10's ScalarType or, in ONNX, of TensorProto.DataType.
    std::optional<ir::DType> dtype(std::string_view name) const;
    /// The tensors of a list argument; nothing if their number is unknown.
    std::optional<std::vector<const TensorFact *>> tensors(std::string_view name) const;

    /// Returns a new symbol for a size that only the data decides, at most `most` if that is known.
    ir::Dim freshSize(const ir::Dim &most = ir::UnknownDim{}) const { return freshSize("u", most); }
    ir::Dim freshSize(std::string_view hint, const ir::Dim &most = ir::UnknownDim{}) const
    {
        return m_source.freshSize(hint, most);
    }

    /// Notes a condition on formulas, unless it certainly holds, is unknown, or is about numbers alone.
    void need(SizeNeed need) const;
    /// Whether two sizes may be equal; if so, notes as a need that they are.
    bool needSame(const ir::Dim &a, const ir::Dim &b) const;

    const SizeNeeds &needs() const { return m_needs; }

private:
    const Fact &made(const ir::Operand &operand) const;

    ir::NodeRef m_node;
    FactSource &m_source;
    std::int64_t m_opset;
    bool m_isOnnx;
    const Signature *m_signature; ///< nullptr: the operator is of ONNX, or unknown
    mutable std::forward_list<Fact> m_constants;
    mutable SizeNeeds m_needs;
};

/// A copy of the shape of the argument at a position; nothing if its rank is not known.
std::optional<ir::Shape> shapeAt(const Call &call, std::size_t position);

} // namespace cutaway::ops
