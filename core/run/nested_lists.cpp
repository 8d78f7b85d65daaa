// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/nested_lists.h"

#include "core/base/formatted.h"
#include "core/base/result.h"
#include "core/base/text.h"
#include "core/ir/json/json_reader.h"
#include "core/tensor/numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cutaway::run {

namespace {

using ir::Json;
using protocol::Tensor;

constexpr std::size_t maxDepth = 64;

/// Flattens nested lists. The sizes are those of the first item at each level; the numbers are in order.
class NestedLists {
public:
    Result<void> add(const Json &json, std::size_t depth = 0)
    {
        if (!json.is_array())
            return addNumber(json, depth);
        if (depth == m_shape.size() && m_numbers.empty() && depth < maxDepth)
            m_shape.push_back(static_cast<std::int64_t>(json.size()));
        if (depth >= m_shape.size())
            return usageError(depth >= maxDepth ? "the lists are nested too deep" : "a list stands beside a number");
        if (m_shape[depth] != static_cast<std::int64_t>(json.size()))
            return usageError(formatted("the lists have unequal lengths, {} and {}", m_shape[depth], json.size()));
        for (const Json &item : json)
            if (auto added = add(item, depth + 1); !added)
                return added;
        return {};
    }

    const std::vector<std::int64_t> &shape() const { return m_shape; }
    const std::vector<const Json *> &numbers() const { return m_numbers; }

private:
    Result<void> addNumber(const Json &json, std::size_t depth)
    {
        if (!json.is_number() && !json.is_boolean())
            return usageError("'" + sanitized(json.dump().substr(0, 40)) + "' is not a number");
        if (depth != m_shape.size())
            return usageError("a number stands beside a list");
        m_numbers.push_back(&json);
        return {};
    }

    std::vector<std::int64_t> m_shape;
    std::vector<const Json *> m_numbers;
};

ir::DType dtypeOf(const std::vector<const Json *> &numbers)
{
    if (std::ranges::any_of(numbers, [](const Json *n) { return n->is_number_float(); }))
        return ir::DType::Float32;
    const bool areBooleans =
        !numbers.empty() && std::ranges::all_of(numbers, [](const Json *n) { return n->is_boolean(); });
    return areBooleans ? ir::DType::Bool : ir::DType::Int64;
}

std::optional<std::int64_t> wholeOf(const Json &number)
{
    if (number.is_boolean())
        return number.get<bool>();
    if (number.is_number_unsigned())
        return static_cast<std::int64_t>(number.get<std::uint64_t>());
    if (number.is_number_integer())
        return number.get<std::int64_t>();
    constexpr double maxExact = 0x1p53;
    const auto x = number.get<double>();
    return std::trunc(x) == x && std::abs(x) <= maxExact ? std::optional(static_cast<std::int64_t>(x)) : std::nullopt;
}

/// Returns a number as an element of an integer dtype, for uint64 as the int64 of the same bits; nothing if the dtype
/// does not have the number.
std::optional<std::int64_t> wholeOf(const Json &number, ir::DType dtype)
{
    const auto whole = wholeOf(number);
    const bool isLarge = number.is_number_unsigned()
        && number.get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (!whole || (dtype == ir::DType::UInt64 ? *whole < 0 && !isLarge : isLarge))
        return std::nullopt;
    return ir::wrapped(dtype, *whole) == *whole ? whole : std::nullopt;
}

std::optional<double> floatOf(const Json &number, ir::DType dtype)
{
    const double x = number.is_boolean() ? static_cast<double>(number.get<bool>()) : number.get<double>();
    return std::isfinite(ir::rounded(dtype, x)) ? std::optional(x) : std::nullopt;
}

template <class T>
Result<Tensor> encoded(const NestedLists &lists, ir::DType dtype, std::optional<T> (*numberOf)(const Json &, ir::DType))
{
    std::vector<T> numbers;
    for (const Json *json : lists.numbers()) {
        const auto number = numberOf(*json, dtype);
        if (!number)
            return usageError(json->dump() + " is not a number of " + std::string(ir::name(dtype)));
        numbers.push_back(*number);
    }
    return tensor::tensorOf(dtype, lists.shape(), ir::encodeNumbers(dtype, std::move(numbers)));
}

} // namespace

Result<Tensor> parseNestedLists(std::string_view json, std::optional<ir::DType> wanted)
{
    const Json parsed = Json::parse(json, nullptr, false);
    if (parsed.is_discarded())
        return usageError("expected numbers in brackets, for example [[1, 2], [3, 4]]");
    NestedLists lists;
    CUTAWAY_RETURN_IF_ERROR(lists.add(parsed));
    const ir::DType dtype = wanted.value_or(dtypeOf(lists.numbers()));
    if (!ir::isNumeric(dtype))
        return usageError("a tensor of " + std::string(ir::name(dtype)) + " cannot be given as a list");
    return ir::isFloat(dtype) ? encoded<double>(lists, dtype, floatOf) : encoded<std::int64_t>(lists, dtype, wholeOf);
}

} // namespace cutaway::run
