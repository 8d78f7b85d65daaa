// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/symbolic/expr.h"

#include "core/base/reference_count.h"
#include "core/symbolic/function.h"
#include "core/symbolic/interval.h"
#include "core/symbolic/tree.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>

namespace cutaway::symbolic {

namespace {

/// Whether an operation on integers always has an integer as its result.
bool givesIntegers(Kind kind, const std::vector<Expr> &operands)
{
    if (isRounding(kind))
        return true;
    if (kind == Kind::TrueDivide || kind == Kind::ToFloat || kind == Kind::Call)
        return false;
    if (kind == Kind::Power && !(operands[1].kind() == Kind::Integer && operands[1].integerValue() >= 0))
        return false;
    return std::ranges::all_of(operands, &Expr::isIntegral);
}

/// The contents of an expression, which equality compares.
struct Content {
    Kind kind = Kind::Integer;
    std::int64_t bits = 0; ///< the bits of a number, so that operator== can be defaulted
    std::string name;
    std::vector<Expr> operands;
    bool operator==(const Content &) const = default;
};

} // namespace

struct Expr::Tree : Content {
    Range range;
    bool isIntegral = true;
    bool hasRange = false;
    std::uint32_t depth = 0;
    mutable ReferenceCount::type references = 0;
};

void intrusive_ptr_add_ref(const Expr::Tree *tree) { ReferenceCount::increment(tree->references); }

void intrusive_ptr_release(const Expr::Tree *tree)
{
    if (ReferenceCount::decrement(tree->references) == 0)
        delete tree;
}

Expr::Expr(const Expr &other) = default;
Expr &Expr::operator=(const Expr &other) = default;
Expr::~Expr() = default;

Expr::Expr(boost::intrusive_ptr<const Tree> tree) : m_tree(std::move(tree)) { }

Expr makeTree(Kind kind, std::vector<Expr> operands, std::string name)
{
    std::uint32_t depth = 0;
    for (const Expr &operand : operands)
        depth = std::max(depth, operand.depth() + 1);
    const bool isIntegral = givesIntegers(kind, operands);
    const bool hasRange = isIntegral && std::ranges::all_of(operands, &Expr::isIntegral);
    const Range range = hasRange ? rangeOf(kind, operands) : Range();
    return Expr(
        new Expr::Tree(Content{kind, 0, std::move(name), std::move(operands)}, range, isIntegral, false, depth));
}

Expr Expr::integer(std::int64_t n) { return Expr(new Tree(Content{Kind::Integer, n, {}, {}}, Range::only(n))); }

Expr Expr::floating(double x)
{
    const double canonical = std::isnan(x) ? std::numeric_limits<double>::quiet_NaN() : x;
    return Expr(new Tree(Content{Kind::Float, std::bit_cast<std::int64_t>(canonical), {}, {}}, Range(), false));
}

Expr Expr::boolean(bool b) { return Expr(new Tree(Content{Kind::Boolean, b ? 1 : 0, {}, {}}, Range::only(b ? 1 : 0))); }

Expr Expr::symbol(std::string name) { return Expr(new Tree(Content{Kind::Symbol, 0, std::move(name), {}}, Range())); }

Expr Expr::symbol(std::string name, Range range)
{
    return Expr(new Tree(Content{Kind::Symbol, 0, std::move(name), {}}, range, true, true));
}

Expr Expr::call(std::string name, std::vector<Expr> operands)
{
    return makeTree(Kind::Call, std::move(operands), std::move(name));
}

Kind Expr::kind() const { return m_tree->kind; }

std::int64_t Expr::integerValue() const
{
    assert(kind() == Kind::Integer || kind() == Kind::Boolean);
    return m_tree->bits;
}

double Expr::floatValue() const
{
    assert(kind() == Kind::Float);
    return std::bit_cast<double>(m_tree->bits);
}

const std::string &Expr::name() const { return m_tree->name; }

const std::vector<Expr> &Expr::operands() const { return m_tree->operands; }

std::uint32_t Expr::depth() const { return m_tree->depth; }

const Range &Expr::range() const { return m_tree->range; }

bool Expr::hasRange() const { return m_tree->hasRange; }

bool Expr::isIntegral() const { return m_tree->isIntegral; }

bool Expr::operator==(const Expr &other) const
{
    return m_tree == other.m_tree || static_cast<const Content &>(*m_tree) == *other.m_tree;
}

std::strong_ordering compare(const Expr &a, const Expr &b)
{
    if (const auto order = a.kind() <=> b.kind(); order != 0)
        return order;
    if (a.kind() == Kind::Float)
        return std::bit_cast<std::int64_t>(a.floatValue()) <=> std::bit_cast<std::int64_t>(b.floatValue());
    if (a.isConstant())
        return a.integerValue() <=> b.integerValue();
    if (const auto order = a.name() <=> b.name(); order != 0)
        return order;
    return std::lexicographical_compare_three_way(a.operands().begin(), a.operands().end(), b.operands().begin(),
                                                  b.operands().end(), compare);
}

} // namespace cutaway::symbolic
