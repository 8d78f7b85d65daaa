// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/symbolic/expr.h"

#include "core/symbolic/tree.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>

namespace cutaway::symbolic {

struct Expr::Tree {
    Kind kind = Kind::Integer;
    std::int64_t bits = 0; ///< so that equality can be defaulted
    std::string name;
    std::vector<Expr> operands;
    std::uint32_t depth = 0;
    bool operator==(const Tree &) const = default;
};

Expr::Expr(const Expr &other) = default;
Expr &Expr::operator=(const Expr &other) = default;
Expr::~Expr() = default;

Expr::Expr(std::shared_ptr<const Tree> tree) : m_tree(std::move(tree)) { }

Expr makeTree(Kind kind, std::vector<Expr> operands)
{
    std::uint32_t depth = 0;
    for (const Expr &operand : operands)
        depth = std::max(depth, operand.depth() + 1);
    return Expr(std::make_shared<Expr::Tree>(kind, 0, std::string(), std::move(operands), depth));
}

Expr Expr::integer(std::int64_t n) { return Expr(std::make_shared<Tree>(Kind::Integer, n)); }

Expr Expr::floating(double x)
{
    const double canonical = std::isnan(x) ? std::numeric_limits<double>::quiet_NaN() : x;
    return Expr(std::make_shared<Tree>(Kind::Float, std::bit_cast<std::int64_t>(canonical)));
}

Expr Expr::boolean(bool b) { return Expr(std::make_shared<Tree>(Kind::Boolean, b ? 1 : 0)); }

Expr Expr::symbol(std::string name) { return Expr(std::make_shared<Tree>(Kind::Symbol, 0, std::move(name))); }

Expr Expr::call(std::string name, std::vector<Expr> operands)
{
    Expr tree = makeTree(Kind::Call, std::move(operands));
    return Expr(std::make_shared<Tree>(Kind::Call, 0, std::move(name), tree.operands(), tree.depth()));
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

bool Expr::operator==(const Expr &other) const { return m_tree == other.m_tree || *m_tree == *other.m_tree; }

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
