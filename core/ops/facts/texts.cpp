// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/facts/texts.h"

#include <algorithm>

namespace cutaway::ops {

namespace {

constexpr std::string_view blankLetters = " \t\n\v\f\r";

Fact partOfText(std::string_view text) { return TextFact{std::string(text)}; }

std::vector<Fact> wordsOfText(std::string_view text, std::int64_t most)
{
    std::vector<Fact> parts;
    for (std::size_t at = text.find_first_not_of(blankLetters); at != text.npos;
         at = text.find_first_not_of(blankLetters, at)) {
        const bool isLast = std::ssize(parts) == most;
        const std::size_t end = isLast ? text.size() : std::min(text.find_first_of(blankLetters, at), text.size());
        parts.push_back(partOfText(text.substr(at, end - at)));
        at = end;
    }
    return parts;
}

} // namespace

SequenceFact splitText(std::string_view text, const std::optional<std::string> &separator, std::int64_t most)
{
    if (!separator || separator->empty())
        return listFact(wordsOfText(text, most));
    std::vector<Fact> parts;
    std::size_t from = 0;
    for (std::size_t at = text.find(*separator); at != text.npos && std::ssize(parts) != most;
         at = text.find(*separator, from)) {
        parts.push_back(partOfText(text.substr(from, at - from)));
        from = at + separator->size();
    }
    parts.push_back(partOfText(text.substr(from)));
    return listFact(std::move(parts));
}

std::optional<std::string> sliceText(std::string_view text, std::optional<std::int64_t> start,
                                     std::optional<std::int64_t> end, std::int64_t step)
{
    if (step <= 0)
        return std::nullopt;
    const std::int64_t size = std::ssize(text);
    const auto border = [size](std::int64_t at) { return std::clamp<std::int64_t>(at < 0 ? at + size : at, 0, size); };
    std::string taken;
    for (std::int64_t i = border(start.value_or(0)); i < border(end.value_or(size)); i += std::min(step, size + 1))
        taken += text[static_cast<std::size_t>(i)];
    return taken;
}

std::string stripText(std::string_view text, std::string_view letters, bool inFront, bool atTheEnd)
{
    const std::size_t first = inFront ? std::min(text.find_first_not_of(letters), text.size()) : 0;
    text.remove_prefix(first);
    if (atTheEnd)
        text = text.substr(0, text.find_last_not_of(letters) + 1);
    return std::string(text);
}

std::optional<std::string> replaceText(std::string_view text, std::string_view part, std::string_view by,
                                       std::int64_t most)
{
    if (part.empty())
        return std::nullopt;
    std::string replaced;
    std::size_t from = 0;
    std::int64_t count = 0;
    for (std::size_t at = text.find(part); at != text.npos && count != most; at = text.find(part, from), ++count) {
        replaced.append(text.substr(from, at - from)).append(by);
        from = at + part.size();
        if (replaced.size() > maxTextLength)
            return std::nullopt;
    }
    return replaced.append(text.substr(from));
}

} // namespace cutaway::ops
