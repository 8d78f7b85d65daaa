// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diff/proof/sizes.h"

#include "core/base/checked.h"
#include "core/diff/outline.h"

#include <algorithm>
#include <limits>

namespace cutaway::diff {

namespace {

using symbolic::Bindings;

/// The largest size that is chosen for a batch: two examples show whether elements of one get into the other.
constexpr std::int64_t largestBatch = 2;
constexpr std::int64_t defaultSize = 16, defaultOfImages = 224;

std::vector<const ops::TensorFact *> inputsOf(const Side &side)
{
    const std::vector<bool> isBound = boundInputs(side.function());
    std::vector<const ops::TensorFact *> inputs;
    for (const ir::ValueId value : side.graph().at(ir::Graph::body).inputs)
        if (!isBound[value.index])
            inputs.push_back(ops::asTensor(side.analysis.shapes.of(value)));
    return inputs;
}

/// Returns the size of a dimension if it is a formula of one symbol; else nullptr.
const symbolic::Expr *formulaAt(const ops::TensorFact *tensor, std::size_t d)
{
    const auto *expr = tensor && tensor->shape && d < tensor->shape->size()
        ? std::get_if<symbolic::Expr>(&(*tensor->shape)[d])
        : nullptr;
    return expr && symbolic::symbolsOf(*expr).size() == 1 ? expr : nullptr;
}

std::string symbolOf(const symbolic::Expr &formula) { return *symbolic::symbolsOf(formula).begin(); }

std::optional<std::int64_t> valueOf(const symbolic::Expr &formula, std::int64_t of)
{
    const auto value = symbolic::substitute(formula, {{symbolOf(formula), of}});
    return value && value->kind() == symbolic::Kind::Integer ? std::optional(value->integerValue()) : std::nullopt;
}

/// Returns the symbol's value for which a formula, such as s0 or 16*s0 + 1, has this value.
std::optional<std::int64_t> solved(const symbolic::Expr &formula, std::int64_t value)
{
    const auto atOne = valueOf(formula, 1), atTwo = valueOf(formula, 2);
    const auto slope = atOne && atTwo ? checkedSubtract(*atTwo, *atOne) : std::nullopt;
    const auto rest = atOne ? checkedSubtract(value, *atOne) : std::nullopt;
    if (!slope || !rest || *slope <= 0 || *rest % *slope != 0)
        return {};
    const auto found = checkedAdd<std::int64_t>(1, *rest / *slope);
    return found && valueOf(formula, *found) == value ? found : std::nullopt;
}

std::optional<std::int64_t> numberAt(const ops::TensorFact *tensor, std::size_t d)
{
    const auto *size = tensor && tensor->shape && d < tensor->shape->size()
        ? std::get_if<std::int64_t>(&(*tensor->shape)[d])
        : nullptr;
    return size ? std::optional(*size) : std::nullopt;
}

/// The range that a model has for a symbol, and the example value.
struct SymbolLimits {
    std::int64_t least = 1, most = std::numeric_limits<std::int64_t>::max();
    std::optional<std::int64_t> example;
};

SymbolLimits limitsOf(const ir::Model &model, const std::string &name)
{
    const auto symbol = std::ranges::find(model.symbols, name, &ir::Symbol::name);
    if (symbol == model.symbols.end())
        return {};
    return {symbol->min.value_or(1), symbol->max.value_or(std::numeric_limits<std::int64_t>::max()), symbol->hint};
}

class Numbering {
public:
    Numbering(const Side &a, const Side &b) : m_a(a), m_b(b) { }

    void run()
    {
        const auto ofA = inputsOf(m_a), ofB = inputsOf(m_b);
        for (std::size_t i = 0; i < std::max(ofA.size(), ofB.size()); ++i)
            number(i < ofA.size() ? ofA[i] : nullptr, i < ofB.size() ? ofB[i] : nullptr);
        addOthers(m_a.model, bindingsA);
        addOthers(m_b.model, bindingsB);
    }

    Bindings bindingsA, bindingsB;

private:
    void number(const ops::TensorFact *a, const ops::TensorFact *b)
    {
        const auto rank = [](const ops::TensorFact *tensor) {
            return tensor && tensor->shape ? tensor->shape->size() : 0;
        };
        for (std::size_t d = 0; d < std::max(rank(a), rank(b)); ++d) {
            const auto *ofA = formulaAt(a, d), *ofB = formulaAt(b, d);
            if (!ofA && !ofB)
                continue;
            const std::int64_t size = sizeFor(a, b, d);
            if (const auto value = ofA ? solved(*ofA, size) : std::nullopt)
                bindingsA.try_emplace(symbolOf(*ofA), *value);
            if (const auto value = ofB ? solved(*ofB, size) : std::nullopt)
                bindingsB.try_emplace(symbolOf(*ofB), *value);
        }
    }

    /// Returns the size of a dimension that is a number on one side, or follows from numbers chosen before.
    std::optional<std::int64_t> settledSize(const ops::TensorFact *a, const ops::TensorFact *b, std::size_t d) const
    {
        if (const auto fixed = numberAt(a, d) ? numberAt(a, d) : numberAt(b, d))
            return fixed;
        const auto known = [&](const symbolic::Expr *formula, const Bindings &bindings) -> std::optional<std::int64_t> {
            const auto found = formula ? bindings.find(symbolOf(*formula)) : bindings.end();
            return found == bindings.end() ? std::nullopt : valueOf(*formula, found->second);
        };
        const auto ofA = known(formulaAt(a, d), bindingsA);
        return ofA ? ofA : known(formulaAt(b, d), bindingsB);
    }

    std::int64_t sizeFor(const ops::TensorFact *a, const ops::TensorFact *b, std::size_t d) const
    {
        if (const auto settled = settledSize(a, b, d))
            return *settled;
        const auto *ofA = formulaAt(a, d), *ofB = formulaAt(b, d);
        const SymbolLimits limitsA = ofA ? limitsOf(m_a.model, symbolOf(*ofA)) : SymbolLimits(),
                           limitsB = ofB ? limitsOf(m_b.model, symbolOf(*ofB)) : SymbolLimits();
        const ops::TensorFact *tensor = a && a->shape ? a : b;
        constexpr std::int64_t colours = 3;
        const bool isImage = tensor->shape->size() == 4 && numberAt(tensor, 1) == colours && d >= 2;
        const std::int64_t wanted =
            limitsA.example.value_or(limitsB.example.value_or(isImage ? defaultOfImages : defaultSize));
        const std::int64_t least = std::max(limitsA.least, limitsB.least), most = std::min(limitsA.most, limitsB.most);
        const std::int64_t value = std::max(least, std::min(d == 0 ? std::min(wanted, largestBatch) : wanted, most));
        const auto *formula = ofA ? ofA : ofB;
        const bool isExample = limitsA.example || limitsB.example;
        return !isExample && solved(*formula, value) ? value : valueOf(*formula, value).value_or(value);
    }

    static void addOthers(const ir::Model &model, Bindings &bindings)
    {
        for (const ir::Symbol &symbol : model.symbols)
            bindings.try_emplace(
                symbol.name,
                std::max(symbol.min.value_or(1),
                         std::min(symbol.hint.value_or(defaultSize), symbol.max.value_or(defaultSize))));
    }

    const Side &m_a, &m_b;
};

/// Returns the facts of a side with numbers for its symbols. Symbols for sizes that only data decides are none of the
/// file's, and stay.
std::optional<analysis::Shapes> numbered(const Side &side, const Bindings &bindings)
{
    if (bindings.empty())
        return {};
    analysis::Given given = side.analysis.given;
    for (const auto &[name, size] : bindings)
        given.bindings.try_emplace(name, size);
    return analysis::inferShapes(side.model, side.analysis.function, given);
}

} // namespace

NumberedSizes::NumberedSizes(const Side &a, const Side &b) : m_sideA(a), m_sideB(b)
{
    Numbering numbering(a, b);
    numbering.run();
    m_a = numbered(a, numbering.bindingsA);
    m_b = numbered(b, numbering.bindingsB);
}

} // namespace cutaway::diff
