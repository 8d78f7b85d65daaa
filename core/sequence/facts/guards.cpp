// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/facts/guards.h"

#include <algorithm>
#include <cctype>

// A line of the tree is one of
//
//     | | +- GuardManager: source=L['x'], accessed_by=…, type=<class 'torch.Tensor'>, tag_safe=(False, False)
//     | | +- TENSOR_MATCH: check_tensor(L['x'], …)  # h = F.gelu(self.up(x))  # model.py:15 in forward
//     +- LAMBDA_GUARD: 2 <= L['x'].size()[0]
//
// A manager only leads to what is below it. A guard with a shared check is printed a second time as its kind alone.

namespace cutaway::sequence {

namespace {

std::string_view withoutSpaces(std::string_view text)
{
    const std::size_t start = text.find_first_not_of(' ');
    return start == std::string_view::npos ? std::string_view()
                                           : text.substr(start, text.find_last_not_of(" \r") - start + 1);
}

bool isManager(std::string_view kind) { return kind.ends_with("Manager") || kind.ends_with("Accessor"); }

/// Removes the last comment from a text, and returns it.
std::string_view takeLastComment(std::string_view &text)
{
    constexpr std::string_view mark = "  # ";
    const std::size_t at = text.rfind(mark);
    if (at == std::string_view::npos)
        return {};
    const std::string_view comment = withoutSpaces(text.substr(at + mark.size()));
    text = withoutSpaces(text.substr(0, at));
    return comment;
}

std::optional<Guard> guardIn(std::string_view line)
{
    constexpr std::string_view branch = "+- ", after = ": ";
    const std::size_t start = line.find_first_not_of("| ");
    if (start == std::string_view::npos || !line.substr(start).starts_with(branch))
        return std::nullopt;
    line.remove_prefix(start + branch.size());
    const std::size_t end = line.find(after);
    if (end == std::string_view::npos || isManager(line.substr(0, end)))
        return std::nullopt;
    Guard guard{.kind = std::string(line.substr(0, end)), .check = {}, .code = {}, .place = {}};
    std::string_view rest = withoutSpaces(line.substr(end + after.size()));
    guard.place = takeLastComment(rest);
    guard.code = takeLastComment(rest);
    guard.check = rest;
    return guard;
}

} // namespace

std::vector<Guard> guardsOf(const Sequence &sequence)
{
    std::vector<Guard> guards;
    for (const Record &record : sequence.records)
        if (record.name == guardsRecord)
            std::ranges::move(guardsIn(record), std::back_inserter(guards));
    return guards;
}

std::vector<Guard> guardsIn(const Record &record)
{
    std::vector<Guard> guards;
    record.text.forEachLine([&](std::string_view line) {
        if (auto guard = guardIn(line))
            guards.push_back(std::move(*guard));
        return true;
    });
    return guards;
}

std::string withoutAddresses(const std::string &check)
{
    constexpr std::size_t digitsOfAddress = 7; // the fewest that addresses have; sizes are seldom a million
    std::string text;
    for (std::size_t i = 0; i < check.size();) {
        std::size_t end = i;
        while (end < check.size() && std::isdigit(static_cast<unsigned char>(check[end])))
            ++end;
        const bool isFraction = i > 0 && check[i - 1] == '.'; // in 0.3535533905932738, the digits are no address
        if (end - i >= digitsOfAddress && !isFraction)
            text += "…";
        else
            text.append(check, i, std::max<std::size_t>(end - i, 1));
        i = std::max(end, i + 1);
    }
    return text;
}

} // namespace cutaway::sequence
