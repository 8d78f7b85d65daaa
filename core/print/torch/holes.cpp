// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/torch/holes.h"

#include <algorithm>
#include <array>

namespace cutaway::print {

namespace {

// The characters that mark a hole and its parts. Neither names nor quoted texts have control characters.
constexpr char holeBegin = '\x01';
constexpr char holePart = '\x02';
constexpr char holeEnd = '\x03';

/// Calls `text` for the texts of the code and `hole` for its holes, in order.
template <class Text, class OnHole>
void visitParts(std::string_view code, const Text &text, const OnHole &hole)
{
    while (!code.empty()) {
        const std::size_t begin = std::min(code.find(holeBegin), code.size());
        text(code.substr(0, begin));
        if (begin == code.size())
            return;
        const std::size_t end = code.find(holeEnd, begin);
        std::string_view body = code.substr(begin + 1, end - begin - 1);
        std::array<std::string, 4> parts;
        for (std::string &part : parts) {
            const std::size_t stop = std::min(body.find(holePart), body.size());
            part = body.substr(0, stop);
            body.remove_prefix(std::min(stop + 1, body.size()));
        }
        hole(Hole{parts[0], parts[1], parts[2], parts[3]});
        code.remove_prefix(end + 1);
    }
}

} // namespace

std::string code(const Hole &hole)
{
    return holeBegin + hole.name + holePart + hole.prefix + holePart + hole.byDefault + holePart + hole.value + holeEnd;
}

std::string hole(std::string_view name, std::string value)
{
    return code(Hole{name.empty() ? "number" : std::string(name), "", "", std::move(value)});
}

std::string option(std::string_view name, std::string value, std::string_view byDefault)
{
    return code(Hole{std::string(name), ", " + std::string(name) + "=", std::string(byDefault), std::move(value)});
}

std::vector<Hole> holesOf(std::string_view code)
{
    std::vector<Hole> holes;
    visitParts(code, [](std::string_view) {}, [&](Hole hole) { holes.push_back(std::move(hole)); });
    return holes;
}

std::string skeletonOf(std::string_view code)
{
    std::string text;
    visitParts(
        code, [&](std::string_view part) { text += part; },
        [&](const Hole &hole) { ((text += holeBegin) += hole.prefix) += holeEnd; });
    return text;
}

std::string filled(std::string_view code, std::span<const std::string> values)
{
    std::string text;
    std::size_t next = 0;
    visitParts(
        code, [&](std::string_view part) { text += part; },
        [&](const Hole &hole) {
            const std::string &value = values[next++];
            text += value.empty() ? "" : hole.prefix + value;
        });
    return text;
}

std::string plain(std::string_view code)
{
    std::string text;
    visitParts(
        code, [&](std::string_view part) { text += part; },
        [&](const Hole &hole) { text += hole.value == hole.byDefault ? "" : hole.prefix + hole.value; });
    return text;
}

} // namespace cutaway::print
