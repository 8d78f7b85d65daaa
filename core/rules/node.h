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
    ops::Position position = {}; ///< where there is no name
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

/// The node that a rule replaces or changes: what rules read of it. A rule reads what it needs and does not test
/// whether that is known: the first thing that is not refuses the rule with a reason, and what is read is then 0,
/// false, empty, or a float32 without dimensions. The code that applies rules takes back what a refused rule has made.
/// A rule that could not go on with such a value, for instance because it indexes a shape, ends before: `if
/// (n.isRefused())`.
class Node {
public:
    using Numbers = std::vector<std::int64_t>;
    struct Tensor {
        ir::DType dtype = ir::DType::Float32;
        ir::Shape shape;
        std::size_t rank() const { return shape.size(); }
    };
    /// Answers what is known of an operand.
    using Facts = std::function<ops::Fact(const ir::Operand &)>;

    /// `signature` is nullptr for operators of ONNX and unknown ones. The arguments have to outlive the object.
    Node(const ir::NodeRef &node, ops::Call call, const ops::Signature *signature, Facts facts);
    virtual ~Node() = default;

    const ir::NodeRef &node() const { return m_node; }
    const ops::Call &call() const { return m_call; }
    std::size_t inputCount() const { return m_call.inputCount(); }
    std::size_t resultCount() const { return m_node.outputCount(); }
    bool isRead(std::size_t result) const; ///< false where there is no such result
    ops::Fact fact(const ir::Operand &operand) const { return m_facts(operand); }
    /// The argument as the file gives it; nullptr where it is left out. Defaults are call()'s.
    const ir::Operand *operand(Where where) const;
    virtual bool has(Where where) const { return !at(where).as<ops::NoneFact>(); }

    // Reading what the rule needs.
    Tensor tensor(Where where);
    Tensor result(std::size_t position = 0);
    std::int64_t integer(Where where);
    double number(Where where);
    bool flag(Where where);
    std::string_view text(std::string_view parameter) const { return m_call.text(parameter); } ///< "" if it is none
    /// The integers of a list, a vector or one number.
    Numbers integers(Where where);
    Numbers numbersOf(std::span<const ir::Dim> dims, std::string_view what);
    /// A dimension, counted from the front.
    std::int64_t axis(Where where, std::size_t rank);
    /// The value; without one the rule is refused. `what` is how a reason begins: "the dimension is".
    template <class T>
    T known(const std::optional<T> &value, std::string_view what)
    {
        if (!value)
            refuse(std::string(what) + " not known");
        return value.value_or(T{});
    }

    // Reading arguments that have a default, as attributes of ONNX have.
    std::int64_t integer(Where where, std::int64_t byDefault) { return has(where) ? integer(where) : byDefault; }
    double number(Where where, double byDefault) { return has(where) ? number(where) : byDefault; }
    std::string_view text(std::string_view parameter, std::string_view byDefault) const
    {
        return has(parameter) ? text(parameter) : byDefault;
    }

    // Reading what the rule can do without: these give nothing where it is not known.
    std::optional<Tensor> knownTensor(Where where) const;
    std::optional<Tensor> knownResult(std::size_t position = 0) const;
    virtual std::optional<Numbers> knownIntegers(Where where) const;

    /// Says that the rule does not apply, and why, as a clause: "its step is -2". The first reason counts.
    Refusal refuse(std::string reason);
    bool isRefused() const { return !m_reason.empty(); }
    const std::string &reason() const { return m_reason; } ///< "" if the rule has not said

protected:
    /// The tensor of a fact; `what` is how a reason calls it.
    virtual Tensor neededTensor(const ops::Fact &fact, const std::string &what);
    const ops::Fact &at(Where where) const { return where.name.empty() ? m_call[where.position] : m_call[where.name]; }
    /// How a reason calls an argument: "'dim'" of torch, "its input x" of ONNX.
    std::string spoken(Where where) const;
    const ops::Signature *signature() const { return m_signature; }
    void forgetReason() { m_reason.clear(); } ///< before another rule is tried

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

/// The tensor of a fact, if its dtype and rank are known.
std::optional<Node::Tensor> tensorIn(const ops::Fact &fact);
/// Why tensorIn() gives nothing: "the rank of 'self' is not known".
std::string whyNoTensor(const ops::Fact &fact, std::string_view what);

} // namespace cutaway::rules
