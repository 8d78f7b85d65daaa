// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The steps of a comparison: tests/data/diff/parts/SOURCE.graph shows what a source of core/diff does.
#include "core/diff/folded.h"
#include "core/diff/skeleton.h"

#include "compared.h"
#include "tests/core/graph_cases.h"

namespace cutaway::test {
namespace {

std::string nameOfItem(const diff::Outline &outline, std::uint32_t item)
{
    const diff::Item &one = outline.items[item];
    if (one.node)
        return std::string(one.node->name());
    return (one.role == diff::Role::Input ? "input" : "output") + std::to_string(item);
}

/// Without the nodes that the option `without` names: a line for each place, "c reads a b".
std::string contractedText(const GraphCase &given)
{
    const Analysed one(parsed(given.graphs.front()));
    const diff::Side side = one.side();
    const diff::Outline outline = diff::outlineOf(side);
    const std::string left = " " + given.option("without") + " ";
    std::vector<bool> isKept;
    for (const diff::Item &item : outline.items)
        isKept.push_back(!item.node || !left.contains(" " + std::string(item.node->name()) + " "));
    const diff::Skeleton skeleton = diff::contracted(outline, isKept);
    std::string text;
    for (std::size_t place = 0; place < skeleton.items.size(); ++place) {
        text += nameOfItem(outline, skeleton.items[place]) + " reads";
        for (const std::uint32_t producer : skeleton.producers[place])
            text += " " + nameOfItem(outline, skeleton.items[producer]);
        text += skeleton.producers[place].empty() ? " nothing\n" : "\n";
    }
    return text;
}

/// The nodes of A and their partners after these stages: "a = b, same surroundings".
std::string matched(const diff::Matching &matching)
{
    const diff::Outline &a = matching.a().outline, &b = matching.b().outline;
    std::string text;
    for (std::uint32_t item = 0; item < a.items.size(); ++item)
        if (const auto &match = matching.partnerOfA(item); match && a.items[item].node)
            text += nameOfItem(a, item) + " = " + nameOfItem(b, match->item) + ", "
                + std::string(diff::sentence(match->reason)) + "\n";
    return text.empty() ? "nothing" : text;
}

/// The nodes of both that became part of another's: "n in c".
std::string absorbed(const diff::Matching &matching)
{
    std::string text;
    for (const diff::Subject *side : {&matching.a(), &matching.b()}) {
        const auto &into = matching.absorbedOf(*side);
        for (std::uint32_t item = 0; item < into.size(); ++item)
            if (into[item])
                text += nameOfItem(side->outline, item) + " in " + nameOfItem(side->outline, *into[item]) + "\n";
    }
    return text.empty() ? "nothing" : text;
}

std::string shownPart(const GraphCase &given)
{
    const std::string shows = given.option("shows");
    if (shows == "skeleton")
        return contractedText(given);
    const Analysed one(parsed(given.graphs.at(0))), other(parsed(given.graphs.at(1)));
    const diff::Side sideA = one.side(), sideB = other.side();
    diff::Subject a(sideA, {}), b(sideB, {});
    diff::Matching matching(a, b);
    if (shows == "matching" && given.option("stage") == "strict") {
        matching.runStrictly();
        return matched(matching);
    }
    for (const diff::Stage stage : {diff::Stage::Weighted, diff::Stage::Data}) {
        matching.run(stage);
        if (given.option("stage") == "weighted")
            break;
    }
    if (shows == "matching")
        return matched(matching);
    diff::absorbFolded(matching);
    return absorbed(matching);
}

const bool partCases = forEachCase("Compared", "diff/parts", shownPart);

} // namespace
} // namespace cutaway::test
