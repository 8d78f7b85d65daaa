// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/call.h"
#include "core/ops/category.h"
#include "core/ops/domains.h"
#include "core/ops/kind.h"
#include "core/ops/placement.h"

#include <span>
#include <string_view>
#include <vector>

namespace cutaway::compute {
class Call;
struct Value;
} // namespace cutaway::compute

namespace cutaway::ops {

/// The work of one execution. Floating point operations: a multiply-add is two.
struct Cost {
    ir::Dim flops = std::int64_t{0}; ///< as torch.utils.flop_counter counts: matrix products, convolutions, attention
    ir::Dim otherFlops = std::int64_t{0};   ///< everything else
    ir::Dim bytesRead = std::int64_t{0};    ///< each tensor argument once; cost rules leave these two alone
    ir::Dim bytesWritten = std::int64_t{0}; ///< results in new memory, and operands that are written to in place
};
Cost plus(const Cost &a, const Cost &b);
Cost times(const Cost &cost, const ir::Dim &count);

/// Returns the results of a call, one per output (if fewer, the rest is unknown).
using ShapeRule = Answer (*)(const Call &call);
/// See core/ops/demands/demands.h.
using DemandRule = Met (*)(const Call &call);
using CostRule = Cost (*)(const Call &call, std::span<const Fact> results);
/// Computes the numbers of the results, see core/ops/compute/rules.h.
using ComputeRule = std::optional<std::vector<compute::Value>> (*)(const compute::Call &call);
/// Whether results may differ from run to run for the arguments of the call, see core/ops/torch/determinism.h.
using VariationRule = bool (*)(const Call &call);

/// Whether running an operator does more than to give its results.
enum class Effect : std::uint8_t {
    Pure,   ///< equal arguments give equal results; only an operator in place writes to one (see the schema)
    Random, ///< draws numbers
    Acts,   ///< prints, raises, synchronises
};

/// How the elements of a result come from those of the operands.
enum class Pattern : std::uint8_t {
    Other,     ///< not further described; results lie in row-major order
    Pointwise, ///< each comes from those at the same index, operands broadcast; laid out as the operands
    AlongAxis, ///< each comes from all along one axis, as softmax and cumsum do; laid out as the operand
    Combining, ///< each comes from many: convolution, reduction, normalization; channels last where the operand is
    Moving,    ///< elements as they were, in another shape, order or container
    Picking,   ///< some elements of the first argument, chosen by the others, or replaced
    Creating,  ///< from no other elements; laid out as the operand, as zeros_like does
    Control,   ///< it runs regions, functions or other code
};

/// The cast that torch.autocast makes of an operator's floating tensors, but not of float64: by PyTorch's lists for a
/// CPU and for CUDA (ATen/autocast_mode.h), also for operators that are made of listed ones.
enum class CastTo : std::uint8_t {
    Nothing,
    Lower, ///< the lower precision that autocast was asked for
    Float32,
    Float32UnlessTyped, ///< float32, if no dtype is asked for
    Widest,             ///< float32, if one of the tensors is
    Unknown,            ///< the operator is made of others in ways that are not followed
};

/// The scale and zero point of the result when an operator of aten gets a quantized tensor of PyTorch.
enum class OnQuantized : std::uint8_t {
    Unsupported,
    KeepsSteps,  ///< the argument's, as the operator moves or picks elements
    RoundsAgain, ///< the argument's, to which the results are rounded
    TakesUnit,   ///< 256 steps from 0 to 1
    TakesSigned, ///< 256 steps from -1 to 1
    AsksSizes,   ///< the result is not quantized
};

/// A set of inputs of an operator of ONNX, by position.
class InputSet {
public:
    constexpr InputSet() = default;
    constexpr InputSet(std::initializer_list<unsigned> positions)
    {
        for (const unsigned position : positions)
            m_bits |= 1u << position;
    }
    constexpr bool contains(std::size_t position) const { return position < 32 && (m_bits >> position & 1u) != 0; }
    constexpr bool isEmpty() const { return m_bits == 0; }

private:
    std::uint32_t m_bits = 0;
};

/// Further properties of an operator, each given by its name. A row that leaves one out has the default.
struct Traits {
    OperatorKind kind{};           ///< a constant of namespace kind; else it follows from the name, see kindOf()
    ComputeRule compute = nullptr; ///< nullptr: it is not evaluated
    /// The operator as a formula of other operators of aten, by which it is decomposed and thus converted:
    /// "self * sigmoid(self)". Its language is described in core/ops/formula.h. An operator of quantized tensors has
    /// the formula of what these stand for.
    std::string_view formula = {};
    Effect effect = Effect::Pure;
    DemandRule demand = nullptr;          ///< nullptr: no demand beyond those of the shape rule
    PlaceRule place = nullptr;            ///< nullptr: new memory, laid out as the pattern says
    DomainRule domains = nullptr;         ///< nullptr: every value of the arguments will do
    VariationRule variesOnCuda = nullptr; ///< nullptr: the results are the same in each run
    OnQuantized onQuantized = OnQuantized::Unsupported;
    CastTo cpuAutocast = CastTo::Nothing;
    CastTo cudaAutocast = CastTo::Nothing;
    InputSet parameters = {};   ///< ONNX: the inputs for learned parameters, plain or quantized
    bool uninitialized = false; ///< its result is memory that nothing has written to
    bool keepsElements = false; ///< another shape, dtype or copy at most: it does nothing to what is of that type
    bool commutes =
        false; ///< its first two operands, tensors or numbers, may be exchanged if others have their defaults
    bool roundsOnce = false;        ///< IEEE 754 prescribes its results
    bool keepsDType = false;        ///< the result's dtype is the first argument's, whatever the others are
    bool writesDifferently = false; ///< in place it does not write what the plain form returns: it converts, or
                                    ///< reshapes
    bool reshapesInPlace = false;   ///< in place it gives the tensor another shape
    bool repeatsRegions = false;    ///< its regions may run more than once
    bool runsRegionOnce = false;    ///< it runs its region once and does nothing else
    bool isOfTracing = false;       ///< torch.jit.trace writes it, and torch.jit.script for nothing that users write
};

/// The meaning of an operator in all dialects that have it. Each family of operators is a source with its rows.
struct Operator {
    /// "aten::abs=absolute onnx::Abs": blanks separate names that share the row. After "=" stand further names in the
    /// same dialect for the same operator with the same arguments. abs_, abs_copy and overloads share the row, too.
    std::string_view names;
    Category category = Category::Unknown; ///< its colour
    Pattern pattern = Pattern::Other;
    ShapeRule shape = nullptr; ///< nullptr: unknown
    CostRule cost = nullptr;   ///< nullptr: nothing is computed, data is at most moved
    Traits traits = {};
};

/// A name that a row stands for, in one dialect.
struct OperatorName {
    std::string_view dialect;
    std::string_view name;
    std::string_view plain; ///< the first of the names that mean the same: "abs" for "absolute"
};
/// All names that `Operator::names` lists, of each dialect.
std::vector<OperatorName> namesOf(const Operator &row);

// Costs that many operators share.
Cost onePerResult(const Call &call, std::span<const Fact> results);   ///< one operation per element of the results
Cost onePerArgument(const Call &call, std::span<const Fact> results); ///< one per element of the first argument
Cost unknownFlops(const Call &call, std::span<const Fact> results);
Cost unknownOther(const Call &call, std::span<const Fact> results); ///< no flops; the number of others is unknown

// Shape rules that many operators share: a number or a bool of unknown value.
Answer someInt(const Call &call);
Answer someBool(const Call &call);

/// Operators that have one source.
struct OperatorFamily {
    std::string_view name; ///< "matrix product"
    std::span<const Operator> rows;
};
std::span<const OperatorFamily> operatorFamilies();

/// A row as it was found by a name.
struct NamedRow {
    std::string_view plain; ///< see OperatorName
    const Operator *row;
};
/// Finds the row of an operator. A `name` with a trailing "_" or "_copy" that no row has is that of the plain operator.
std::optional<NamedRow> findRow(std::string_view dialect, std::string_view name);
/// Finds the row of an operator by findRow(); nullptr if there is none.
const Operator *findOperator(std::string_view dialect, std::string_view name);
/// The plain name: "abs" for "absolute", which takes the same arguments; `name` if no row has it.
std::string_view plainNameOf(std::string_view dialect, std::string_view name);

/// The meaning of an operator, in half a sentence: "the sum along dimensions"; "" if there is none.
std::string_view meaningOf(std::string_view dialect, std::string_view name);

/// Whether any row is of this dialect.
bool isKnownDialect(std::string_view dialect);

} // namespace cutaway::ops
