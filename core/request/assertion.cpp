// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/request/assertion.h"

#include "core/base/text.h"
#include "core/print/figures.h"

#include <algorithm>
#include <charconv>
#include <ranges>

namespace cutaway::request {

namespace {

struct Unit {
    std::string_view name;
    double factor;
    bool isTime;
};
constexpr Unit units[] = {{"ns", 1e-9, true},   {"us", 1e-6, true},      {"ms", 1e-3, true},     {"s", 1, true},
                          {"B", 1, false},      {"kB", 1e3, false},      {"MB", 1e6, false},     {"GB", 1e9, false},
                          {"KiB", 1024, false}, {"MiB", 1 << 20, false}, {"GiB", 1 << 30, false}};

bool isTime(std::string_view figure) { return figure != "peak" && figure != "memory"; }

std::string figureText(std::string_view figure, double value)
{
    return isTime(figure) ? print::secondsText(value) : byteCount(value);
}

Result<Assertion> parseOne(std::string_view text)
{
    const std::size_t sign = text.find_first_of("<>");
    if (sign == std::string_view::npos || sign == 0)
        return usageError("'" + std::string(text)
                          + "' is not an assertion; expected FIGURE<LIMIT, for example time<5ms");
    const std::string_view rest = text.substr(sign + 1);
    double limit = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), limit);
    const std::string_view unitName = rest.substr(static_cast<std::size_t>(end - rest.data()));
    const auto *unit = std::ranges::find(units, unitName, &Unit::name);
    const std::string figure(text.substr(0, sign));
    if (error != std::errc{} || unit == std::end(units) || unit->isTime != isTime(figure))
        return usageError("'" + std::string(rest) + "' is not a limit for " + figure
                          + "; expected a number and a unit of "
                          + (isTime(figure) ? "time, for example 5ms" : "memory, for example 100MB"));
    return Assertion{figure, text[sign] == '<', limit * unit->factor, std::string(text)};
}

} // namespace

Result<std::vector<Assertion>> parseAssertions(std::string_view text)
{
    if (text.empty())
        return usageError("missing assertion; expected FIGURE<LIMIT, for example time<5ms");
    std::vector<Assertion> assertions;
    for (const auto part : std::views::split(text, ',')) {
        auto one = parseOne(std::string_view(part));
        if (!one)
            return std::unexpected(one.error());
        assertions.push_back(std::move(*one));
    }
    return assertions;
}

Result<std::vector<std::string>> broken(const std::vector<Assertion> &assertions,
                                        const std::map<std::string, double> &figures)
{
    std::vector<std::string> lines;
    for (const Assertion &assertion : assertions) {
        const auto figure = figures.find(assertion.figure);
        if (figure == figures.end()) {
            std::string names;
            for (const auto &[name, value] : figures)
                names += (names.empty() ? "" : ", ") + name;
            return usageError("unknown figure '" + assertion.figure + "'; there are " + names);
        }
        const double value = figure->second;
        if (assertion.isBelow ? value < assertion.limit : value > assertion.limit)
            continue;
        lines.push_back(assertion.text + " does not hold: it is " + figureText(assertion.figure, value));
    }
    return lines;
}

} // namespace cutaway::request
