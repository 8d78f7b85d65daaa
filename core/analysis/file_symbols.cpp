// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/file_symbols.h"

#include "core/analysis/binding.h"
#include "core/ir/node_ref.h"

#include <algorithm>

namespace cutaway::analysis {

using symbolic::Expr;

namespace {

template <class Holds>
bool holdsOfAllSymbols(const Expr &expr, const Holds &holds)
{
    if (expr.kind() == symbolic::Kind::Symbol)
        return holds(expr.name());
    return std::ranges::all_of(expr.operands(), [&](const Expr &operand) { return holdsOfAllSymbols(operand, holds); });
}

using Names = std::set<std::string, std::less<>>;

void addSymbols(const ir::Context &context, const ir::Type &type, Names &found)
{
    if (const auto *parts = std::get_if<ir::CompoundType>(&type))
        for (const ir::TypeId part : parts->elements)
            addSymbols(context, context.at(part), found);
    const auto *tensor = std::get_if<ir::TensorType>(&type);
    for (const ir::Dim &dim : tensor && tensor->shape ? *tensor->shape : ir::Shape())
        if (const auto *expr = std::get_if<Expr>(&dim))
            for (const std::string &name : symbolic::symbolsOf(*expr))
                found.insert(name);
}

Names symbolsOfInputs(const ir::Model &model)
{
    Names found;
    for (const ir::Function &function : model.functions)
        for (const ir::FunctionInput &input : function.inputs)
            if (const auto value = ir::valueOf(function.graph, &input.value))
                addSymbols(*model.context, value->type(), found);
    return found;
}

} // namespace

FileSymbols::FileSymbols(const ir::Model &model, symbolic::Bindings bindings)
    : m_bindings(std::move(bindings)),
      m_ofInputs(symbolsOfInputs(model))
{
    for (const ir::Symbol &symbol : model.symbols) {
        m_symbols.insert(symbol.name);
        symbolic::Range range = m_ofInputs.contains(symbol.name) ? symbolic::Range::size() : symbolic::Range();
        range.min = symbol.min.value_or(range.min);
        range.max = symbol.max.value_or(range.max);
        m_known.emplace(symbol.name, Expr::symbol(symbol.name, range));
    }
    for (const auto &[name, value] : m_bindings)
        m_known.insert_or_assign(name, Expr::integer(value));
}

ir::Dim FileSymbols::of(const Expr &expr) const
{
    if (m_known.empty() || expr.isConstant())
        return expr.kind() == symbolic::Kind::Integer ? ir::Dim(expr.integerValue()) : ir::Dim(expr);
    if (const auto found = m_found.find(expr.identity()); found != m_found.end())
        return found->second.dim;
    auto value = symbolic::replace(expr, m_known);
    ir::Dim dim = ir::UnknownDim{};
    if (value)
        dim = value->kind() == symbolic::Kind::Integer ? ir::Dim(value->integerValue()) : ir::Dim(std::move(*value));
    m_found.emplace(expr.identity(), Found{expr, dim});
    return dim;
}

ir::Dim FileSymbols::of(const ir::Dim &dim) const
{
    const auto *expr = std::get_if<Expr>(&dim);
    return expr ? of(*expr) : dim;
}

ir::Shape FileSymbols::of(ir::Shape shape) const
{
    for (ir::Dim &dim : shape)
        dim = of(dim);
    return shape;
}

ops::Fact FileSymbols::of(ops::Fact fact) const
{
    return withSizes(std::move(fact), [this](const ir::Dim &dim) { return of(dim); });
}

bool FileSymbols::contains(const Expr &expr) const
{
    return holdsOfAllSymbols(expr, [this](const std::string &name) { return m_symbols.contains(name); });
}

bool FileSymbols::isDecidedByData(const Expr &expr) const
{
    return holdsOfAllSymbols(expr, [this](const std::string &name) { return !m_ofInputs.contains(name); });
}

} // namespace cutaway::analysis
