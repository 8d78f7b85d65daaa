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
/// An argument that may be left out and has no default value. The outer optional says whether it is given, the inner
/// one whether its value is known.
template <class T>
using Given = std::optional<std::optional<T>>;

/// One node as a rule sees it: its operator, the facts of its arguments, and the number of its results.
/// Operators of aten and the like have named arguments (schema names, with the schema's defaults where the file gives
/// none); ONNX operators have inputs by position and attributes by name. An argument that is not there is None.
class Call {
public:
    Call(ir::NodeRef node, Signatures &signatures, FactSource &source, std::int64_t opset);

    std::string_view dialect() const;
    std::string_view name() const;     ///< "add", also for add_ and add_copy: see findOperator()
    std::string_view fullName() const; ///< as the file has it: "add_"
    std::string_view overload() const;
    bool isOnnx() const { return m_isOnnx; }       ///< inputs by position: every domain of ONNX
    std::int64_t opset() const { return m_opset; } ///< ONNX: the opset of the operator's domain
    std::size_t resultCount() const;

    /// The number of arguments by position that the file gives.
    std::size_t inputCount() const;
    const Fact &operator[](std::size_t position) const;
    const Fact &operator[](std::string_view name) const;
    const Fact &operator[](Position position) const;
    /// The position of the first of these names that is a parameter. ONNX's inputs have no names: nothing.
    Position position(std::initializer_list<std::string_view> names) const;
    /// The argument with the first of these names that is there: rows often serve operators whose names for one
    /// argument differ.
    const Fact &any(std::initializer_list<std::string_view> names) const;
    bool has(std::size_t position) const; ///< given and not None
    bool has(std::string_view name) const;
    bool has(Position position) const;

    // Arguments as above, read as something; Where is a position or a name.
    template <class Where>
    const TensorFact *tensor(Where where) const
    {
        return asTensor((*this)[where]);
    }
    /// The tensor's shape, or nullptr if its rank is not known.
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
    /// The argument as a text; "" if it is none.
    std::string_view text(std::string_view name) const;
    /// The types that a list argument names.
    std::vector<const ir::Type *> types(std::string_view name) const;
    /// The dtype that an argument gives, also by its number in c10's ScalarType, or in ONNX TensorProto.DataType.
    std::optional<ir::DType> dtype(std::string_view name) const;
    /// The tensors of a list argument; nothing if their number is unknown.
    std::optional<std::vector<const TensorFact *>> tensors(std::string_view name) const;

    /// A symbol for a size that only the data decides, and that is not larger than `most`, if that is known.
    ir::Dim freshSize(const ir::Dim &most = ir::UnknownDim{}) const { return freshSize("u", most); }
    ir::Dim freshSize(std::string_view hint, const ir::Dim &most = ir::UnknownDim{}) const
    {
        return m_source.freshSize(hint, most);
    }

    /// Notes a condition on formulas; not one that certainly holds, is unknown, or is about numbers alone.
    void need(SizeNeed need) const;
    /// Whether two sizes may be the same; that they are is then noted as a need.
    bool needSame(const ir::Dim &a, const ir::Dim &b) const;

    const SizeNeeds &needs() const { return m_needs; }

private:
    const Fact &made(const ir::Operand &operand) const;

    ir::NodeRef m_node;
    FactSource &m_source;
    std::int64_t m_opset;
    bool m_isOnnx;
    const Signature *m_signature; ///< nullptr: of ONNX, or unknown
    mutable std::forward_list<Fact> m_constants;
    mutable SizeNeeds m_needs;
};

/// A copy of the shape of the argument at a position; nothing if its rank is not known.
std::optional<ir::Shape> shapeAt(const Call &call, std::size_t position);

} // namespace cutaway::ops
