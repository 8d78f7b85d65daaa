// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diff/proof/checks.h"

#include "core/base/checked.h"
#include "core/base/formatted.h"
#include "core/diff/weights/rounding.h"
#include "core/ir/tensors/random_numbers.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/ops/operator.h"

#include <algorithm>
#include <cmath>

namespace cutaway::diff {

namespace {

using compute::Array;
using compute::Value;
using compute::Values;

constexpr std::int64_t maxElements = std::int64_t{1} << 23, maxExecutions = 50'000;

std::optional<compute::Sizes> sizesOf(const ops::TensorFact &tensor)
{
    if (!tensor.shape || !tensor.dtype || !compute::isComputable(*tensor.dtype))
        return {};
    compute::Sizes sizes;
    for (const ir::Dim &dim : *tensor.shape) {
        const auto size = ops::number(dim);
        if (!size)
            return {};
        sizes.push_back(*size);
    }
    return sizes;
}

/// The range of drawn elements: wide enough for clipping at 6, and small enough for exponentials.
constexpr ir::NumberRange wideRange{-8, 8};
/// The range of drawn elements for parts whose results differ much in size, as those of exponentials do: in the wide
/// range the rounding that is allowed for the largest result would hide differences of the others.
constexpr ir::NumberRange narrowRange{-2, 2};
/// The range of drawn integers: indices that also small tables have.
constexpr ir::NumberRange rangeOfWholes{0, 3};

/// Returns the values of a part's inputs, or the reason why there are none.
Result<Values> inputsOf(const Part &part, const BorderDTypes &dtypes, ir::NumberRange range)
{
    Values values;
    for (const Part::Input &input : part.inputs) {
        if (!input.border) {
            auto known = compute::valueOf(input.fact);
            values.push_back(known ? std::move(*known) : Value(input.fact));
            continue;
        }
        const ops::TensorFact &tensor = *ops::asTensor(input.fact);
        const auto sizes = sizesOf(tensor);
        const auto count = sizes && tensor.shape ? ir::elementCount(*tensor.shape) : std::nullopt;
        if (!count || *count > maxElements)
            return std::unexpected(Error{
                ErrorKind::Unreadable, count ? "there are too many elements" : "sizes or dtypes are not known", {}});
        const ir::DType drawn = dtypes.at(*input.border);
        const bool isFloating = ir::isFloat(drawn);
        auto made = compute::converted(Array{drawn, *sizes,
                                             ir::randomNumbers(drawn, static_cast<std::size_t>(*count),
                                                               *input.border + 1, isFloating ? range : rangeOfWholes)},
                                       *tensor.dtype);
        if (!made)
            return std::unexpected(Error{ErrorKind::Unreadable, "their dtypes are of other kinds", {}});
        values.emplace_back(std::move(*made));
    }
    return values;
}

/// Adds the dtypes of a part's borders. Returns false if a border has another number of elements on the other side.
bool addBorders(const Part &part, BorderDTypes &dtypes, std::unordered_map<std::uint32_t, ir::Dim> &counts)
{
    for (const Part::Input &input : part.inputs) {
        if (!input.border)
            continue;
        const ops::TensorFact &tensor = *ops::asTensor(input.fact);
        if (!tensor.dtype || !tensor.shape)
            continue;
        const auto [dtype, isNew] = dtypes.try_emplace(*input.border, *tensor.dtype);
        if (ir::bitWidth(*tensor.dtype).value_or(64) < ir::bitWidth(dtype->second).value_or(64))
            dtype->second = *tensor.dtype;
        const auto [count, isFirst] = counts.try_emplace(*input.border, ops::elementsOf(*tensor.shape));
        if (!isFirst && ops::isDifferent(count->second, ops::elementsOf(*tensor.shape)))
            return false;
    }
    return true;
}

struct Distance {
    double largest = 0, allowed = 0;
    bool isWithin = true;
};

/// Elements of this magnitude mask attention (-1e4, -65504, -3.4e38). If both sides have such an element, it does not
/// count in the scale of the rounding errors of the other elements.
constexpr double smallestMask = 1e4;

Distance distance(const std::vector<double> &a, const std::vector<double> &b, double rounding)
{
    Distance found;
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (std::isfinite(a[i]) && (a[i] != b[i] || std::abs(a[i]) < smallestMask))
            largest = std::max(largest, std::abs(a[i]));
    found.allowed = rounding * largest;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i])))
            continue;
        const double error = std::abs(a[i] - b[i]);
        found.isWithin = found.isWithin && std::isfinite(error) && error <= rounding * (std::abs(a[i]) + largest);
        found.largest = std::isnan(error) ? HUGE_VAL : std::max(found.largest, error);
    }
    return found;
}

bool saysSomething(const std::vector<double> &numbers)
{
    constexpr std::size_t share = 8;
    const auto finite = std::ranges::count_if(numbers, [](double x) { return std::isfinite(x); });
    return static_cast<std::size_t>(finite) * share >= numbers.size();
}

/// Whether a value may be data: tensors and lists of tensors, without those whose elements follow from sizes and
/// without unknown values.
bool mayBeData(const ops::Fact &fact)
{
    if (const auto *tensor = ops::asTensor(fact))
        return !tensor->elements;
    const auto *list = fact.as<ops::SequenceFact>();
    return fact.as<ops::AnyFact>() || (list && std::ranges::any_of(list->each(), mayBeData));
}

/// A total order of doubles with NaNs last.
bool isBefore(double a, double b) { return !std::isnan(a) && (std::isnan(b) || a < b); }

/// Whether both are the same sizes in different orders, so that elements may lie elsewhere.
bool arePermuted(const compute::Sizes &a, const compute::Sizes &b)
{
    const auto tidy = [](compute::Sizes sizes) {
        std::erase(sizes, 1);
        return sizes;
    };
    compute::Sizes x = tidy(a), y = tidy(b);
    if (x == y)
        return false;
    std::ranges::sort(x);
    std::ranges::sort(y);
    return x == y;
}

} // namespace

Checks::Checks(Parts &a, Parts &b)
    : m_a(a),
      m_b(b),
      m_scratchA(a.subject().side.model),
      m_scratchB(b.subject().side.model)
{
}

namespace {

Result<Values> evaluated(ir::Model &scratch, ir::FunctionId function, const Part &part, const BorderDTypes &dtypes,
                         ir::NumberRange range)
{
    const auto inputs = inputsOf(part, dtypes, range);
    if (!inputs)
        return inputs;
    scratch.functions[function.index].graph = part.graph;
    return evaluate::evaluate(scratch, function, *inputs, {.elements = maxElements, .nodes = maxExecutions});
}

/// Whether at least half of the numbers are much smaller than the largest one.
bool isSpread(std::vector<double> numbers)
{
    constexpr double much = 16;
    std::erase_if(numbers, [](double x) { return !std::isfinite(x); });
    std::ranges::transform(numbers, numbers.begin(), [](double x) { return std::abs(x); });
    if (numbers.empty())
        return false;
    const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
    std::ranges::nth_element(numbers, middle);
    return *std::max_element(middle, numbers.end()) > much * *middle;
}

Verdict::Kind kindOf(const Distance &distance)
{
    return distance.isWithin ? Verdict::Kind::Equal : Verdict::Kind::Differs;
}

} // namespace

Checks::Outcome Checks::computed(const Part &a, const Part &b, Order order, std::int64_t maxWork)
{
    const auto unknown = [](std::string reason) { return Outcome{Verdict::Kind::Unknown, 0, 0, std::move(reason)}; };
    if (!a.problem.empty() || !b.problem.empty())
        return unknown(a.problem.empty() ? b.problem : a.problem);
    const auto work = checkedAdd(a.work, b.work);
    if (!work || *work > std::min(maxWork, m_workLeft))
        return unknown("it is too much to compute");
    BorderDTypes dtypes;
    std::unordered_map<std::uint32_t, ir::Dim> counts;
    if (!addBorders(a, dtypes, counts) || !addBorders(b, dtypes, counts))
        return unknown("what both start from has other sizes");
    m_workLeft -= *work;
    Outcome wide = computedAt(a, b, order, dtypes, wideRange);
    if (wide.kind != Verdict::Kind::Equal || !wide.isSpread)
        return wide;
    if (*work > m_workLeft)
        return unknown("it is too much to compute");
    m_workLeft -= *work;
    const Outcome narrow = computedAt(a, b, order, dtypes, narrowRange);
    return narrow.kind == Verdict::Kind::Differs ? narrow : wide;
}

Checks::Outcome Checks::computedAt(const Part &a, const Part &b, Order order, const BorderDTypes &dtypes,
                                   ir::NumberRange range)
{
    const auto unknown = [](std::string reason) { return Outcome{Verdict::Kind::Unknown, 0, 0, std::move(reason)}; };
    const auto before = evaluated(m_scratchA, m_a.subject().side.analysis.function, a, dtypes, range),
               after = evaluated(m_scratchB, m_b.subject().side.analysis.function, b, dtypes, range);
    if (!before || !after)
        return unknown((before ? after : before).error().text());
    const auto *x = before->front().as<Array>(), *y = after->front().as<Array>();
    if (!x || !y || !x->imaginary.empty() || !y->imaginary.empty())
        return before->front() == after->front() ? Outcome{Verdict::Kind::Equal} : unknown("the result is no tensor");
    if (x->count() != y->count())
        return {Verdict::Kind::Differs, HUGE_VAL, 0, "the results have other sizes"};
    std::vector<double> numbersA = compute::floatsOf(*x), numbersB = compute::floatsOf(*y);
    if (!saysSomething(numbersA))
        return unknown("the results are not finite");
    const double rounding = std::max(roundingOf(x->dtype), roundingOf(y->dtype));
    Distance found = distance(numbersA, numbersB, rounding);
    if (!found.isWithin && order == Order::Any && arePermuted(x->shape, y->shape)) {
        std::ranges::sort(numbersA, isBefore);
        std::ranges::sort(numbersB, isBefore);
        found = distance(numbersA, numbersB, rounding);
    }
    return {kindOf(found), found.largest, found.allowed, {}, isSpread(numbersA)};
}

Verdict Checks::compared(const Part &a, const Part &b, Order order, std::int64_t maxWork)
{
    Verdict verdict{.itemsA = a.items, .itemsB = b.items};
    const bool isTrivial = a.isOneBorder && b.isOneBorder && a.inputs.size() == 1 && b.inputs.size() == 1
        && a.inputs[0].border == b.inputs[0].border;
    if (isTrivial)
        return verdict;
    const Hash both = mixed(mixed(a.hash, b.hash), order == Order::Any ? 1 : 0);
    const bool isComparable = a.problem.empty() && b.problem.empty();
    auto known = isComparable ? m_known.find(both) : m_known.end();
    const Outcome outcome = known == m_known.end() ? computed(a, b, order, maxWork) : known->second;
    if (isComparable && known == m_known.end())
        m_known.emplace(both, outcome);
    verdict.kind = outcome.kind;
    verdict.largestError = outcome.largestError;
    verdict.allowed = outcome.allowed;
    verdict.reason = outcome.reason;
    return verdict;
}

namespace {

std::uint32_t itemOf(const Parts &side, const ir::NodeRef &node)
{
    return *side.subject().outline.byNode[node.id().index];
}

} // namespace

std::vector<Part> Checks::partsReadBy(Parts &side, const ir::NodeRef &node, BorderNumbers &numbers)
{
    std::vector<Part> parts;
    const std::uint32_t reader = itemOf(side, node);
    const auto addPart = [&](const auto &self, const ir::Operand &operand) -> void {
        if (const auto *list = operand.as<ir::List>())
            for (const ir::Operand &item : list->items)
                self(self, item);
        const auto *value = operand.as<ir::ValueId>();
        if (!value || !mayBeData(side.factOf(*value)))
            return;
        Part part = side.of(operand, reader, numbers);
        if (part.hasBorder || !part.items.empty())
            parts.push_back(std::move(part));
    };
    for (const ir::Argument &argument : node->arguments)
        addPart(addPart, argument.value);
    return parts;
}

std::vector<Verdict> Checks::operands(const ir::NodeRef &a, const ir::NodeRef &b)
{
    BorderNumbers numbers;
    const std::vector<Part> ofA = partsReadBy(m_a, a, numbers), ofB = partsReadBy(m_b, b, numbers);
    std::vector<Verdict> verdicts;
    if (ofA.size() != ofB.size()) {
        Verdict all{.kind = Verdict::Kind::Unknown, .reason = "the nodes read other numbers of tensors"};
        for (const Part &part : ofA)
            all.itemsA.insert(all.itemsA.end(), part.items.begin(), part.items.end());
        for (const Part &part : ofB)
            all.itemsB.insert(all.itemsB.end(), part.items.begin(), part.items.end());
        return {std::move(all)};
    }
    for (std::size_t i = 0; i < ofA.size(); ++i)
        verdicts.push_back(compared(ofA[i], ofB[i], Order::Counts, maxWorkOfOne));
    const ops::Operator *row = ops::findOperator(a.dialect(), a.opName());
    if (ofA.size() == 2 && row && row->traits.commutes && !std::ranges::all_of(verdicts, &Verdict::holds)) {
        std::vector<Verdict> exchanged{compared(ofA[0], ofB[1], Order::Counts, maxWorkOfOne),
                                       compared(ofA[1], ofB[0], Order::Counts, maxWorkOfOne)};
        if (std::ranges::all_of(exchanged, &Verdict::holds))
            return exchanged;
    }
    return verdicts;
}

Verdict Checks::operand(const ir::Operand &a, const ir::Operand &b)
{
    BorderNumbers numbers;
    const auto end = [](const Parts &side) { return static_cast<std::uint32_t>(side.subject().outline.items.size()); };
    const Part ofA = m_a.of(a, end(m_a), numbers), ofB = m_b.of(b, end(m_b), numbers);
    return compared(ofA, ofB, Order::Counts, maxWorkOfOne);
}

Verdict Checks::results(const ir::NodeRef &a, const ir::NodeRef &b, std::pair<std::uint32_t, std::uint32_t> items,
                        Order order, std::int64_t maxWork)
{
    Verdict worst;
    for (std::size_t i = 0; i < std::min(a.outputCount(), b.outputCount()); ++i) {
        if (i > 0 && (a.output(i)->uses.empty() || b.output(i)->uses.empty()))
            continue;
        BorderNumbers numbers;
        const Part ofA = m_a.of(a.output(i).id(), itemOf(m_a, a), numbers, items.first),
                   ofB = m_b.of(b.output(i).id(), itemOf(m_b, b), numbers, items.second);
        Verdict verdict = compared(ofA, ofB, order, maxWork);
        if (verdict.kind > worst.kind)
            worst = std::move(verdict);
    }
    return worst;
}

} // namespace cutaway::diff
