// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/call.h"

#include <concepts>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cutaway::ops {
struct Signature;
}

namespace cutaway::rules {

/// Names an argument: by the name of a parameter or attribute, or by a position.
struct Where {
    // NOLINTBEGIN(google-explicit-constructor): arguments are written as their names or positions
    Where(std::string_view parameter) : name(parameter) { }
    Where(const char *parameter) : name(parameter) { }
    Where(ops::Position at) : position(at) { }
    template <std::integral Integer>
    Where(Integer at) : position(static_cast<std::size_t>(at))
    {
    }
    // NOLINTEND(google-explicit-constructor)

    std::string_view name = {};
    ops::Position position = {}; ///< the argument's position, for nodes that do not name it
};

/// The return value of a rule that does not apply, whatever the rule returns: no results.
struct Refusal {
    // NOLINTBEGIN(google-explicit-constructor): it stands for what a rule returns otherwise
    template <class T>
    operator std::vector<T>() const
    {
        return {};
    }
    template <class T>
    operator std::optional<T>() const
    {
        return {};
    }
    // NOLINTEND(google-explicit-constructor)
};

/// The dtype and sizes of a tensor with a known dtype and rank; sizes may be unknown.
struct KnownTensor {
    ir::DType dtype = ir::DType::Float32;
    ir::Shape shape;
    std::size_t rank() const { return shape.size(); }
};

/// The node that a rule replaces or changes, and what rules read of it. A rule reads what it needs without testing
/// whether that is known: the first thing that is unknown refuses the rule with a reason, and the rule gets 0, false,
/// an empty list, or a float32 without dimensions in its place. The code that applies rules takes back what a refused
/// rule has made. A rule that could not go on with such a value, for instance because it indexes a shape, returns
/// before: `if (n.isRefused())`.
class Node {
public:
    using Numbers = std::vector<std::int64_t>;
    using Tensor = KnownTensor;
    /// Returns the known facts of an operand.
    using Facts = std::function<ops::Fact(const ir::Operand &)>;

    /// `signature` is nullptr for operators of ONNX and unknown ones. The arguments have to outlive the object.
    Node(const ir::NodeRef &node, ops::Call call, const ops::Signature *signature, Facts facts);
    virtual ~Node() = default;

    const ir::NodeRef &node() const { return m_node; }
    const ops::Call &call() const { return m_call; }
    std::size_t inputCount() const { return m_call.inputCount(); }
    std::size_t resultCount() const { return m_node.outputCount(); }
    bool isRead(std::size_t result) const; ///< whether something reads the result; false if there is no such result
    ops::Fact factOfResult(std::size_t position) const;
    ops::Fact fact(const ir::Operand &operand) const { return m_facts(operand); }
    /// Returns the argument in the file; nullptr if it is omitted. Defaults are those of call().
    const ir::Operand *operand(Where where) const;
    virtual bool has(Where where) const { return !at(where).as<ops::NoneFact>(); }

    // The functions from tensor() to known(), except text(), read what a rule needs: they refuse the rule if an
    // argument or result is not known.
    Tensor tensor(Where where);
    Tensor result(std::size_t position = 0);
    // dtype() and declaredDType() do not need the rank.
    ir::DType dtype(Where where);
    ir::DType declaredDType(std::size_t position = 0); ///< the dtype of a result, as the model has it
    // integer() and number() return `byDefault` for an attribute of ONNX that is left out.
    std::int64_t integer(Where where, std::optional<std::int64_t> byDefault = {});
    double number(Where where, std::optional<double> byDefault = {});
    bool flag(Where where);
    /// Returns the text of an argument; `byDefault` if the node leaves it out, "" if it is no text.
    std::string_view text(std::string_view parameter, std::optional<std::string_view> byDefault = {}) const;
    /// Returns the integers of a list, a vector or a single number.
    Numbers integers(Where where);
    Numbers numbersOf(std::span<const ir::Dim> dims, std::string_view what);
    /// Returns the dimension that an argument names, counted from the front, of a tensor of rank `rank`.
    std::int64_t axis(Where where, std::size_t rank);
    /// Returns the value; if there is none, refuses the rule. `what` is the beginning of the reason: "the dimension
    /// is".
    template <class T>
    T known(const std::optional<T> &value, std::string_view what)
    {
        if (!value)
            refuse(std::string(what) + " not known");
        return value.value_or(T{});
    }

    // knownTensor(), knownResult() and knownIntegers() return nothing for what is not known, and refuse no rule.
    std::optional<Tensor> knownTensor(Where where) const;
    std::optional<Tensor> knownResult(std::size_t position = 0) const;
    virtual std::optional<Numbers> knownIntegers(Where where) const;

    /// Notes that the rule does not apply, and why, as a clause: "its step is -2". The first reason counts.
    Refusal refuse(std::string reason);
    bool isRefused() const { return !m_reason.empty(); }
    const std::string &reason() const { return m_reason; } ///< the reason; "" if the rule has given none

protected:
    // neededTensor() and neededDType() refuse the rule if `fact` is not that of a tensor; `what` is the operand's name
    // in the reason.
    Tensor neededTensor(const ops::Fact &fact, const std::string &what);
    ir::DType neededDType(const ops::Fact &fact, const std::string &what);
    /// Returns the fact of a tensor for the fact of an operand that rules read as a tensor, such as a number; other
    /// facts are returned unchanged.
    virtual ops::Fact asTensor(const ops::Fact &fact) const { return fact; }
    const ops::Fact &at(Where where) const { return where.name.empty() ? m_call[where.position] : m_call[where.name]; }
    /// Returns the name of an argument in a reason: "'dim'" for torch, "its input x" for ONNX.
    std::string spoken(Where where) const;
    const ops::Signature *signature() const { return m_signature; }
    void forgetReason() { m_reason.clear(); } ///< called before another rule is tried

private:
    template <class T>
    T needed(std::optional<T> value, Where where)
    {
        if (!value)
            refuse(spoken(where) + " is not known");
        return std::move(value).value_or(T{});
    }

    ir::NodeRef m_node;
    ops::Call m_call;
    const ops::Signature *m_signature;
    Facts m_facts;
    std::string m_reason;
};

/// Returns first, first + 1, … up to end - 1.
Node::Numbers consecutive(std::size_t first, std::size_t end);

/// Returns the tensor of a fact; nothing if its dtype or rank is not known.
std::optional<Node::Tensor> tensorIn(const ops::Fact &fact);
/// Returns why tensorIn() returns nothing: "the rank of 'self' is not known".
std::string whyNoTensor(const ops::Fact &fact, std::string_view what);
/// Returns the dtype of a tensor's fact; nothing if it is not known.
std::optional<ir::DType> dtypeIn(const ops::Fact &fact);
/// Whether two facts may be those of one tensor, by their dtypes and sizes as far as these are known.
bool mayBeSame(const ops::Fact &a, const ops::Fact &b);

} // namespace cutaway::rules
