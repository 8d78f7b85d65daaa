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

/// The work of one execution of a node. In FLOPs a multiply-add counts as two.
struct Cost {
    /// Counted like torch.utils.flop_counter: matrix products, convolutions, attention.
    ir::Dim flops = std::int64_t{0};
    ir::Dim otherFlops = std::int64_t{0}; ///< all other floating point operations
    /// The bytes of each tensor argument, once; the framework fills in this member and the next one.
    ir::Dim bytesRead = std::int64_t{0};
    /// The bytes of results in new memory, and of operands that are written in place.
    ir::Dim bytesWritten = std::int64_t{0};
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

/// Whether a node of the operator has effects besides its results.
enum class Effect : std::uint8_t {
    Pure,   ///< equal arguments give equal results; only an in-place operator writes to an argument
    Random, ///< draws random numbers
    Acts,   ///< prints, raises or synchronises
};

/// How the elements of a result depend on those of the operands.
enum class Pattern : std::uint8_t {
    Other,     ///< none of the others; results are in row-major order
    Pointwise, ///< each element depends on the operands' elements at the same index, broadcast; strides as the operands
    AlongAxis, ///< each element depends on all elements along one axis, as in softmax and cumsum; strides as the
               ///< operand
    Combining, ///< each element depends on many: convolution, reduction, normalization; channels last if the operand is
    Moving,    ///< the same elements in another shape, order or container
    Picking,   ///< elements of the first argument, selected or replaced by means of the other arguments
    Creating,  ///< elements that depend on no others; strides as the operand for zeros_like and the like
    Control,   ///< the operator runs regions, functions or other code
};

/// The dtype to which torch.autocast casts an operator's floating tensors, except float64, by PyTorch's lists for a CPU
/// and for CUDA (ATen/autocast_mode.h). An operator that is made of operators of one list has the dtype of that list.
enum class CastTo : std::uint8_t {
    Nothing,
    Lower, ///< the lower precision that the autocast was asked for
    Float32,
    Float32UnlessTyped, ///< float32, unless the call asks for a dtype
    Widest,             ///< float32 if one of the tensors is float32
    Unknown,            ///< the operator is made of other operators in a way that is not followed
};

/// The scale and zero point ("steps") of the result when an operator of aten gets a quantized tensor of PyTorch.
enum class OnQuantized : std::uint8_t {
    Unsupported,
    KeepsSteps,  ///< the scale and zero point of the argument: the operator moves or picks elements
    RoundsAgain, ///< the scale and zero point of the argument: the results are rounded to its steps
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

/// Further properties of an operator by name; those that a row omits have their defaults.
struct Traits {
    OperatorKind kind{};           ///< a constant of namespace kind; else derived from the name, see kindOf()
    ComputeRule compute = nullptr; ///< nullptr: the operator is not evaluated
    /// The operator as a formula of other operators of aten: "self * sigmoid(self)", by which it is decomposed and so
    /// converted. core/ops/formula.h describes the language. The formula of an operator of quantized tensors is for
    /// the numbers that they represent.
    std::string_view formula = {};
    Effect effect = Effect::Pure;
    DemandRule demand = nullptr;          ///< nullptr: the operator demands only what its shape rule checks
    PlaceRule place = nullptr;            ///< nullptr: new memory with the strides that follow from the pattern
    DomainRule domains = nullptr;         ///< nullptr: the arguments may have any values
    VariationRule variesOnCuda = nullptr; ///< nullptr: the results are the same in each run
    OnQuantized onQuantized = OnQuantized::Unsupported;
    CastTo cpuAutocast = CastTo::Nothing;
    CastTo cudaAutocast = CastTo::Nothing;
    InputSet parameters = {};   ///< ONNX: the inputs that are learned parameters, plain or quantized
    bool uninitialized = false; ///< whether the result is uninitialized memory
    bool keepsElements = false; ///< whether it changes at most the shape, the dtype or the storage: if the type stays
                                ///< the same, it changes nothing
    /// Whether its first two operands, tensors or numbers, may be exchanged if the others have their defaults.
    bool commutes = false;
    bool roundsOnce = false;        ///< whether IEEE 754 defines its results exactly
    bool keepsDType = false;        ///< whether the result's dtype is the first argument's, whatever the others' are
    bool writesDifferently = false; ///< whether its in-place form writes something else than the plain form returns,
                                    ///< because it converts or reshapes
    bool reshapesInPlace = false;   ///< whether it changes the tensor's shape in place
    bool repeatsRegions = false;    ///< whether its regions may run more than once
    bool runsRegionOnce = false;    ///< whether it only runs its region once
    /// Whether torch.jit.trace writes the operator, while torch.jit.script never makes it of users' code.
    bool isOfTracing = false;
};

/// A row: all that Cutaway knows of an operator in every dialect. Each family of operators is a source with its rows.
struct Operator {
    /// "aten::abs=absolute onnx::Abs": blanks separate names that share the row. "=" separates further names in the
    /// same dialect for the same operator with the same arguments. abs_, abs_copy and overloads share the row, too.
    std::string_view names;
    Category category = Category::Unknown; ///< the colour of its nodes
    Pattern pattern = Pattern::Other;
    ShapeRule shape = nullptr; ///< nullptr: unknown
    CostRule cost = nullptr;   ///< nullptr: nothing is computed, data is at most moved
    Traits traits = {};
};

/// A name that a row stands for, in one dialect.
struct OperatorName {
    std::string_view dialect;
    std::string_view name;
    std::string_view plain; ///< the first of the names that mean the same operator: "abs" for "absolute"
};
/// Returns all names in `Operator::names`, in all dialects.
std::vector<OperatorName> namesOf(const Operator &row);

// Cost rules that many operators share.
Cost onePerResult(const Call &call, std::span<const Fact> results); ///< one operation per element of the results
/// Counts one operation per element of the first argument.
Cost onePerArgument(const Call &call, std::span<const Fact> results);
Cost unknownFlops(const Call &call, std::span<const Fact> results);
/// Counts no FLOPs, and an unknown number of other operations.
Cost unknownOther(const Call &call, std::span<const Fact> results);

// Shape rules that many operators share: they return a number or a bool of unknown value.
Answer someInt(const Call &call);
Answer someBool(const Call &call);

/// The operators whose rows are in one source.
struct OperatorFamily {
    std::string_view name; ///< "matrix product"
    std::span<const Operator> rows;
};
std::span<const OperatorFamily> operatorFamilies();

/// A row, and the name by which it was found.
struct NamedRow {
    std::string_view plain; ///< see OperatorName
    const Operator *row;
};
/// Finds the row of an operator. A `name` ending in "_" or "_copy" that no row has is taken for the plain operator.
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
