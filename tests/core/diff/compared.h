// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/diff.h"
#include "core/ir/context.h"
#include "tests/core/ir/parsed.h"

#include <gtest/gtest.h>
#include <string>

namespace cutaway::test {

inline std::string nameOf(const ir::Graph &graph, ir::NodeId node)
{
    return std::string(graph.context().text(graph.at(node).name));
}

/// Returns the differences, a line each: "~ relu: operator aten::relu -> aten::gelu", "- relu", "+ gelu", equivalent
/// groups "{a} = {b c}", replaced regions "{a} -> {b c}: the results differ".
inline std::string print(const diff::Difference &difference, const ir::Graph &a, const ir::Graph &b)
{
    const auto names = [](const ir::Graph &graph, const std::vector<ir::NodeId> &nodes) {
        std::string text;
        for (const ir::NodeId node : nodes)
            text += (text.empty() ? "" : " ") + nameOf(graph, node);
        return text;
    };
    std::string text;
    const auto add = [&](const std::string &who, const std::vector<diff::Change> &changes) {
        for (const diff::Change &change : changes)
            text += "~ " + who + ": " + change.what + " " + change.before + " -> " + change.after + "\n";
    };
    add("signature", difference.signature);
    for (const diff::Pair &pair : difference.pairs)
        add(nameOf(a, pair.a), pair.changes);
    for (const ir::NodeId node : difference.onlyA)
        text += "- " + nameOf(a, node) + "\n";
    for (const ir::NodeId node : difference.onlyB)
        text += "+ " + nameOf(b, node) + "\n";
    for (const diff::Group &group : difference.groups)
        text += "{" + names(a, group.a) + "} = {" + names(b, group.b) + "}\n";
    for (const diff::Region &region : difference.regions)
        text += "{" + names(a, region.a.nodes) + "} -> {" + names(b, region.b.nodes)
            + "}: " + region.reason.substr(0, region.reason.find(" by up to")) + "\n";
    return text;
}

/// A model with what is known of its first function.
struct Analysed {
    explicit Analysed(ir::Model given) : model(std::move(given)), analysis(analysis::analyse(model, ir::FunctionId{0}))
    {
    }
    diff::Side side() const { return {model, analysis}; }

    ir::Model model;
    analysis::Analysis analysis;
};

} // namespace cutaway::test
