// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/ranges/value_ranges.h"

#include "core/base/formatted.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace cutaway::passes {

namespace {

using RangesJson = nlohmann::ordered_json;

constexpr std::string_view rangesSchema = "cutaway.ranges/1";

std::optional<double> finiteAt(const RangesJson &range, const char *key)
{
    const auto found = range.find(key);
    if (found == range.end() || !found->is_number() || !std::isfinite(found->get<double>()))
        return std::nullopt;
    return found->get<double>();
}

} // namespace

std::string printRanges(const Calibration &calibration)
{
    RangesJson json{{"schema", rangesSchema},         {"model", calibration.model}, {"backend", calibration.backend},
                    {"samples", calibration.samples}, {"percentile", nullptr},      {"values", RangesJson::object()}};
    if (calibration.percentile)
        json["percentile"] = *calibration.percentile;
    for (const auto &[name, range] : calibration.values)
        json["values"][name] = {{"min", range.min}, {"max", range.max}};
    return json.dump(2, ' ', false, RangesJson::error_handler_t::replace) + "\n";
}

Result<ValueRanges> parseRanges(std::string_view text)
{
    const RangesJson json = RangesJson::parse(text, nullptr, false);
    const auto schema = json.is_object() ? json.find("schema") : json.end();
    if (!json.is_object() || schema == json.end() || *schema != rangesSchema)
        return usageError(formatted("not ranges of values: expected JSON of the schema {}", rangesSchema));
    const auto values = json.find("values");
    if (values == json.end() || !values->is_object())
        return usageError("'values' is missing or not an object");
    ValueRanges ranges;
    for (const auto &[name, range] : values->items()) {
        const auto min = range.is_object() ? finiteAt(range, "min") : std::nullopt;
        const auto max = range.is_object() ? finiteAt(range, "max") : std::nullopt;
        if (!min || !max || *min > *max)
            return usageError(formatted("the range of '{}' has no finite 'min' and 'max' above it", name));
        ranges.emplace(name, ValueRange{*min, *max});
    }
    return ranges;
}

} // namespace cutaway::passes
