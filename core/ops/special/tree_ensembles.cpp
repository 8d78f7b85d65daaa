// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/special/rules.h"

#include "core/ops/special/attribute_numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

// A row of features descends each tree, and the weights of the leaves that it reaches are added up. Opset 5 of
// ai.onnx.ml has separate lists of nodes and leaves, which refer to each other by index; the operators before it have
// one list of both, with a number for each node within its tree.

namespace cutaway::compute {

namespace {

enum class Test : std::uint8_t { LessOrEqual, Less, GreaterOrEqual, Greater, Equal, Different, Member, Leaf };

/// A node of a tree: a test of one feature, or a leaf.
struct TreeNode {
    Test test = Test::Leaf;
    std::int64_t feature = 0;
    double split = 0;
    std::size_t whenTrue = 0, whenFalse = 0; ///< the indices of the nodes for either result of the test
    bool missingIsTrue = false;
    std::vector<double> members = {};                          ///< the set that Test::Member looks in
    std::vector<std::pair<std::int64_t, double>> weights = {}; ///< by target: the weight that a leaf adds

    bool isTrue(double x) const
    {
        if (std::isnan(x) && missingIsTrue)
            return true;
        switch (test) {
        case Test::LessOrEqual:
            return x <= split;
        case Test::Less:
            return x < split;
        case Test::GreaterOrEqual:
            return x >= split;
        case Test::Greater:
            return x > split;
        case Test::Equal:
            return x == split;
        case Test::Different:
            return x != split;
        case Test::Member:
            return std::ranges::contains(members, x);
        case Test::Leaf:
            break;
        }
        return false;
    }
};

struct Forest {
    std::vector<TreeNode> nodes;
    std::vector<std::size_t> roots;

    /// Returns the leaf that a row reaches; nullptr if it reaches none, as in a damaged tree.
    const TreeNode *leafOf(std::size_t root, std::span<const double> row) const
    {
        std::size_t at = root;
        for (std::size_t steps = 0; steps <= nodes.size() && at < nodes.size(); ++steps) {
            const TreeNode &node = nodes[at];
            if (node.test == Test::Leaf)
                return &node;
            if (node.feature < 0 || std::cmp_greater_equal(node.feature, row.size()))
                return nullptr;
            at = node.isTrue(row[static_cast<std::size_t>(node.feature)]) ? node.whenTrue : node.whenFalse;
        }
        return nullptr;
    }
};

/// The sum of weights for each target of each row, row by row, and whether any leaf gave the target a weight.
struct Scores {
    std::vector<double> sums;
    std::vector<bool> areGiven;
};

/// Computes the sums. Returns nothing if a row reaches no leaf, or a leaf has an invalid target.
std::optional<Scores> scoresOf(const Forest &forest, std::size_t targets, const Rows &rows)
{
    Scores scores{std::vector<double>(rows.count * targets), std::vector<bool>(rows.count * targets)};
    for (std::size_t row = 0; row < rows.count; ++row)
        for (const std::size_t root : forest.roots) {
            const TreeNode *leaf = forest.leafOf(root, rows.row(row));
            if (!leaf)
                return std::nullopt;
            for (const auto &[target, weight] : leaf->weights) {
                if (target < 0 || std::cmp_greater_equal(target, targets))
                    return std::nullopt;
                const std::size_t place = row * targets + static_cast<std::size_t>(target);
                scores.sums[place] += weight;
                scores.areGiven[place] = true;
            }
        }
    return scores;
}

/// Returns the lists of integers with these names; nothing if one is not known or has another length.
template <std::size_t count>
std::optional<std::array<std::vector<std::int64_t>, count>> listsAt(const Call &call, std::size_t length,
                                                                    const std::string (&names)[count])
{
    std::array<std::vector<std::int64_t>, count> lists;
    for (std::size_t i = 0; i < count; ++i) {
        auto list = wholesAt(call, names[i]);
        if (!list || list->size() != length)
            return std::nullopt;
        lists[i] = std::move(*list);
    }
    return lists;
}

/// Returns for each node whether its test counts as true if the feature is missing; it does not if the attribute is not
/// given.
std::optional<std::vector<std::int64_t>> missingAt(const Call &call, std::size_t count)
{
    auto flags = wholesAt(call, "nodes_missing_value_tracks_true");
    if (flags && flags->empty())
        flags->resize(count, 0);
    return flags && flags->size() == count ? flags : std::nullopt;
}

// ---- opset 5

/// Reads the members of the next set; each set ends with a NaN.
bool takeMembers(TreeNode &node, std::vector<double>::const_iterator &next, const std::vector<double> &all)
{
    const auto end = std::find_if(next, all.end(), [](double x) { return std::isnan(x); });
    if (end == all.end())
        return false;
    node.members.assign(next, end);
    next = end + 1;
    return true;
}

/// Returns the index of a node or leaf in one list, where leaves follow the nodes; nothing if it is out of range.
std::optional<std::size_t> placeOf(std::int64_t index, bool isLeaf, std::size_t nodes, std::size_t leaves)
{
    if (index < 0 || std::cmp_greater_equal(index, isLeaf ? leaves : nodes))
        return std::nullopt;
    return static_cast<std::size_t>(index) + (isLeaf ? nodes : 0);
}

std::optional<Forest> listedForest(const Call &call)
{
    const auto splits = numbersAt(call, "nodes_splits"), weights = numbersAt(call, "leaf_weights"),
               members = numbersAt(call, "membership_values");
    const auto roots = wholesAt(call, "tree_roots");
    if (!areKnown(splits, weights, members, roots))
        return std::nullopt;
    const std::size_t count = splits->size(), leaves = weights->size();
    const auto lists = listsAt(call, count,
                               {"nodes_featureids", "nodes_modes", "nodes_truenodeids", "nodes_falsenodeids",
                                "nodes_trueleafs", "nodes_falseleafs"});
    const auto targets = listsAt(call, leaves, {"leaf_targetids"});
    const auto missing = missingAt(call, count);
    if (!areKnown(lists, targets, missing))
        return std::nullopt;
    const auto &[features, modes, whenTrue, whenFalse, trueLeafs, falseLeafs] = *lists;
    Forest forest;
    auto nextMembers = members->begin();
    for (std::size_t i = 0; i < count; ++i) {
        const auto yes = placeOf(whenTrue[i], trueLeafs[i] != 0, count, leaves),
                   no = placeOf(whenFalse[i], falseLeafs[i] != 0, count, leaves);
        if (!yes || !no || modes[i] < 0 || modes[i] > static_cast<std::int64_t>(Test::Member))
            return std::nullopt;
        forest.nodes.push_back({static_cast<Test>(modes[i]), features[i], (*splits)[i], *yes, *no, (*missing)[i] != 0});
        if (forest.nodes.back().test == Test::Member && !takeMembers(forest.nodes.back(), nextMembers, *members))
            return std::nullopt;
    }
    for (std::size_t i = 0; i < leaves; ++i) {
        forest.nodes.emplace_back();
        forest.nodes.back().weights.emplace_back(targets->front()[i], (*weights)[i]);
    }
    for (const std::int64_t root : *roots) {
        const auto place = placeOf(root, false, count, leaves);
        if (!place)
            return std::nullopt;
        forest.roots.push_back(*place);
    }
    return forest;
}

} // namespace

/// Returns the sums of the weights of the reached leaves.
Answer treeEnsemble(const Call &call)
{
    const auto rows = rowsOf(call.array(0));
    const auto forest = listedForest(call);
    const auto targets = call.integer("", "n_targets", 1);
    const auto shape = call.shape();
    constexpr std::int64_t sum = 1;
    if (!rows || !forest || !targets || *targets < 1 || !shape || call.integer("", "aggregate_function", sum) != sum
        || call.integer("", "post_transform", 0) != 0
        || countOf(*shape) != *targets * static_cast<std::int64_t>(rows->count))
        return std::nullopt;
    auto scores = scoresOf(*forest, static_cast<std::size_t>(*targets), *rows);
    return scores ? answer(Array{ir::DType::Float64, *shape, std::move(scores->sums)}) : std::nullopt;
}

// ---- before opset 5

namespace {

std::optional<std::vector<std::string>> wordsAt(const Call &call, std::string_view name)
{
    const auto *list = call.facts()[name].as<ops::SequenceFact>();
    std::vector<std::string> words;
    for (const ops::Fact &item : list ? list->each() : std::span<const ops::Fact>()) {
        if (!item.as<ops::TextFact>())
            return std::nullopt;
        words.push_back(item.as<ops::TextFact>()->text);
    }
    return words;
}

std::optional<Test> testNamed(std::string_view mode)
{
    static constexpr std::array<std::pair<std::string_view, Test>, 7> names{{{"BRANCH_LEQ", Test::LessOrEqual},
                                                                             {"BRANCH_LT", Test::Less},
                                                                             {"BRANCH_GTE", Test::GreaterOrEqual},
                                                                             {"BRANCH_GT", Test::Greater},
                                                                             {"BRANCH_EQ", Test::Equal},
                                                                             {"BRANCH_NEQ", Test::Different},
                                                                             {"LEAF", Test::Leaf}}};
    const auto *const found = std::ranges::find(names, mode, &std::pair<std::string_view, Test>::first);
    return found == names.end() ? std::nullopt : std::optional(found->second);
}

using NodeKey = std::pair<std::int64_t, std::int64_t>; ///< the tree and the node's number in it

/// Gives leaves their weights. Each target may occur only once at a leaf.
bool takeWeights(const Call &call, std::string_view kind, Forest &forest, const std::map<NodeKey, std::size_t> &places)
{
    const std::string prefix(kind);
    const auto weights = numbersAt(call, prefix + "_weights");
    const auto lists = weights
        ? listsAt(call, weights->size(), {prefix + "_treeids", prefix + "_nodeids", prefix + "_ids"})
        : std::nullopt;
    if (!lists)
        return false;
    const auto &[trees, nodes, targets] = *lists;
    for (std::size_t i = 0; i < weights->size(); ++i) {
        const auto place = places.find({trees[i], nodes[i]});
        if (place == places.end() || forest.nodes[place->second].test != Test::Leaf)
            return false;
        auto &own = forest.nodes[place->second].weights;
        if (std::ranges::contains(own, targets[i], &std::pair<std::int64_t, double>::first))
            return false;
        own.emplace_back(targets[i], (*weights)[i]);
    }
    return true;
}

/// The nodes that no test leads to.
std::vector<std::size_t> rootsOf(const std::vector<TreeNode> &nodes)
{
    std::vector<bool> isBelow(nodes.size());
    for (const TreeNode &node : nodes)
        if (node.test != Test::Leaf)
            isBelow[node.whenTrue] = isBelow[node.whenFalse] = true;
    std::vector<std::size_t> roots;
    for (std::size_t i = 0; i < nodes.size(); ++i)
        if (!isBelow[i])
            roots.push_back(i);
    return roots;
}

/// Returns the trees whose leaves have weights for a `kind`, "target" or "class", as the attributes are named.
std::optional<Forest> numberedForest(const Call &call, std::string_view kind)
{
    const auto splits = numbersAt(call, "nodes_values");
    const auto modes = wordsAt(call, "nodes_modes");
    if (!splits || !modes || modes->size() != splits->size())
        return std::nullopt;
    const std::size_t count = splits->size();
    const auto lists = listsAt(
        call, count, {"nodes_treeids", "nodes_nodeids", "nodes_featureids", "nodes_truenodeids", "nodes_falsenodeids"});
    const auto missing = missingAt(call, count);
    if (!lists || !missing)
        return std::nullopt;
    const auto &[trees, numbers, features, whenTrue, whenFalse] = *lists;
    std::map<NodeKey, std::size_t> places;
    for (std::size_t i = 0; i < count; ++i)
        if (!places.emplace(NodeKey(trees[i], numbers[i]), i).second)
            return std::nullopt;
    Forest forest;
    for (std::size_t i = 0; i < count; ++i) {
        const auto test = testNamed((*modes)[i]);
        const auto yes = places.find({trees[i], whenTrue[i]}), no = places.find({trees[i], whenFalse[i]});
        if (!test || (*test != Test::Leaf && (yes == places.end() || no == places.end())))
            return std::nullopt;
        if (*test == Test::Leaf)
            forest.nodes.push_back({*test, features[i], (*splits)[i]});
        else
            forest.nodes.push_back({*test, features[i], (*splits)[i], yes->second, no->second, (*missing)[i] != 0});
    }
    forest.roots = rootsOf(forest.nodes);
    return takeWeights(call, kind, forest, places) ? std::optional(std::move(forest)) : std::nullopt;
}

} // namespace

/// The sum or average of the trees' values, added to the base values.
Answer treeRegression(const Call &call)
{
    const auto rows = rowsOf(call.array(0));
    const auto forest = numberedForest(call, "target");
    const auto targets = call.integer("", "n_targets", 1);
    const std::string_view aggregate = call.facts().text("aggregate_function");
    const bool isAverage = aggregate == "AVERAGE", isSum = aggregate.empty() || aggregate == "SUM";
    const auto shape = call.shape();
    if (!areKnown(rows, forest, targets, shape) || forest->roots.empty() || *targets < 1 || !hasNoTransform(call)
        || (!isAverage && !isSum))
        return std::nullopt;
    const auto count = static_cast<std::size_t>(*targets);
    const auto base = numbersAt(call, "base_values");
    const bool isBaseSound = base && (base->empty() || base->size() == count);
    auto scores = isBaseSound ? scoresOf(*forest, count, *rows) : std::nullopt;
    if (!scores)
        return std::nullopt;
    const double divisor = isAverage ? static_cast<double>(forest->roots.size()) : 1;
    for (std::size_t i = 0; i < scores->sums.size(); ++i)
        scores->sums[i] = scores->sums[i] / divisor + (base->empty() ? 0 : (*base)[i % count]);
    return answer(*shape, std::move(scores->sums));
}

namespace {

/// Returns the chosen labels, given by their indices among the classes.
Value labelValue(const std::vector<std::size_t> &chosen, const std::vector<std::string> &texts,
                 const std::vector<std::int64_t> &numbers)
{
    const Sizes shape{std::ssize(chosen)};
    if (texts.empty()) {
        std::vector<Whole> labels;
        for (const std::size_t place : chosen)
            labels.push_back(numbers[place]);
        return Array{ir::DType::Int64, shape, std::move(labels)};
    }
    std::vector<std::string> labels;
    for (const std::size_t place : chosen)
        labels.push_back(texts[place]);
    return ops::Fact(ops::textTensor(ir::Shape(shape.begin(), shape.end()), std::move(labels)));
}

} // namespace

/// Returns the class with the largest sum, and the sums. With two classes there is no result: runtimes derive one sum
/// from the other in different ways.
Answer treeClassification(const Call &call)
{
    const auto rows = rowsOf(call.array(0));
    const auto forest = numberedForest(call, "class");
    const auto texts = wordsAt(call, "classlabels_strings");
    const auto numbers = wholesAt(call, "classlabels_int64s");
    const auto base = numbersAt(call, "base_values");
    if (!rows || !forest || !texts || !numbers || !base || !base->empty() || !hasNoTransform(call)
        || texts->empty() == numbers->empty())
        return std::nullopt;
    const std::size_t classes = std::max(texts->size(), numbers->size());
    if (classes < 3)
        return std::nullopt;
    auto scores = scoresOf(*forest, classes, *rows);
    if (!scores || std::ranges::contains(scores->areGiven, false))
        return std::nullopt;
    std::vector<std::size_t> chosen;
    for (std::size_t row = 0; row < rows->count; ++row) {
        const auto own = std::span(scores->sums).subspan(row * classes, classes);
        chosen.push_back(static_cast<std::size_t>(std::ranges::max_element(own) - own.begin()));
    }
    const Sizes shape{static_cast<std::int64_t>(rows->count), static_cast<std::int64_t>(classes)};
    return Values{labelValue(chosen, *texts, *numbers),
                  Value(Array{ir::DType::Float64, shape, std::move(scores->sums)})};
}

} // namespace cutaway::compute
