// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/special/rules.h"

#include "core/ops/compute/matrix_product.h"
#include "core/ops/compute/places.h"
#include "core/ops/facts/float_values.h"

#include <algorithm>
#include <cmath>

namespace cutaway::compute {

namespace {

/// The numbers of an attribute; none where it is not given. Nothing if one is not known.
std::optional<std::vector<double>> numbersAt(const Call &call, std::string_view name)
{
    if (!call.facts().has(name))
        return std::vector<double>();
    if (const Array *array = call.array(name))
        return floatsOf(*array);
    const auto values = ops::floatValues(call.facts()[name]);
    std::vector<double> numbers;
    for (const auto &value : values.value_or(std::vector<std::optional<double>>{std::nullopt})) {
        if (!value)
            return std::nullopt;
        numbers.push_back(*value);
    }
    return numbers;
}

/// The same of positions and counts.
std::optional<std::vector<std::int64_t>> wholesAt(const Call &call, std::string_view name)
{
    const auto numbers = numbersAt(call, name);
    std::vector<std::int64_t> wholes;
    for (const double number : numbers.value_or(std::vector<double>{std::nan("")})) {
        if (!(std::abs(number) < 0x1p53) || number != std::floor(number))
            return std::nullopt;
        wholes.push_back(static_cast<std::int64_t>(number));
    }
    return wholes;
}

/// Floats in rows; a tensor of one dimension is one row.
struct Rows {
    std::size_t count, width;
    std::vector<double> floats;
};

std::optional<Rows> rowsOf(const Array *x)
{
    if (!x || x->shape.empty() || x->shape.size() > 2 || x->shape.back() < 1)
        return std::nullopt;
    const auto width = static_cast<std::size_t>(x->shape.back());
    return Rows{x->count() / width, width, floatsOf(*x)};
}

/// One number for all columns or one for each.
bool fits(const std::vector<double> &numbers, std::size_t width)
{
    return numbers.size() == 1 || numbers.size() == width;
}

} // namespace

Answer binarize(const Call &call)
{
    const Array *x = call.array(0);
    const auto threshold = call.number("", "threshold", 0);
    if (!x || !threshold)
        return std::nullopt;
    std::vector<double> floats = floatsOf(*x);
    for (double &element : floats)
        element = element > *threshold ? 1 : 0;
    return answer(Array{ir::DType::Float64, x->shape, std::move(floats)});
}

Answer chosenFeatures(const Call &call)
{
    const Array *x = call.array(0), *chosen = call.array(1);
    const auto shape = call.shape();
    if (!x || !chosen || !shape || x->shape.empty() || !chosen->isWhole())
        return std::nullopt;
    const std::int64_t width = x->shape.back();
    Places places;
    for (std::int64_t row = 0; row < (width > 0 ? static_cast<std::int64_t>(x->count()) / width : 0); ++row)
        for (const Whole column : chosen->as<Whole>()) {
            if (column < 0 || column >= width)
                return std::nullopt;
            places.push_back(row * width + column);
        }
    return std::ssize(places) == countOf(*shape) ? answer(pickedAt(*x, *shape, places)) : std::nullopt;
}

/// (x - offset)·scale of each column
Answer scaledFeatures(const Call &call)
{
    const Array *x = call.array(0);
    const auto rows = rowsOf(x);
    const auto offset = numbersAt(call, "offset"), scale = numbersAt(call, "scale");
    if (!rows || !offset || !scale || !fits(*offset, rows->width) || !fits(*scale, rows->width))
        return std::nullopt;
    std::vector<double> floats = rows->floats;
    for (std::size_t i = 0; i < floats.size(); ++i)
        floats[i] =
            (floats[i] - (*offset)[i % rows->width % offset->size()]) * (*scale)[i % rows->width % scale->size()];
    return answer(Array{ir::DType::Float64, x->shape, std::move(floats)});
}

/// Each row over its largest element, the sum of sizes or the root of the sum of squares. What a row of zeros becomes
/// is not said.
Answer normalizedRows(const Call &call)
{
    const Array *x = call.array(0);
    auto rows = rowsOf(x);
    const std::string_view norm = call.facts().text("norm");
    if (!rows || (!norm.empty() && norm != "MAX" && norm != "L1" && norm != "L2"))
        return std::nullopt;
    for (std::size_t start = 0; start < rows->floats.size(); start += rows->width) {
        const auto row = std::span(rows->floats).subspan(start, rows->width);
        double size = norm == "L1" || norm == "L2" ? 0 : std::ranges::max(row);
        for (const double element : row)
            size += norm == "L1" ? std::abs(element) : norm == "L2" ? element * element : 0;
        if (!(std::abs(size) > 0))
            return std::nullopt;
        for (double &element : row)
            element /= norm == "L2" ? std::sqrt(size) : size;
    }
    return answer(Array{ir::DType::Float64, x->shape, std::move(rows->floats)});
}

Answer linearRegression(const Call &call)
{
    const auto rows = rowsOf(call.array(0));
    const auto coefficients = numbersAt(call, "coefficients"), intercepts = numbersAt(call, "intercepts");
    const auto targets = call.integer("", "targets", 1);
    const std::string_view transform = call.facts().text("post_transform");
    const auto shape = call.shape();
    if (!rows || !shape || !coefficients || !intercepts || !targets || *targets < 1
        || coefficients->size() != rows->width * static_cast<std::size_t>(*targets)
        || (!intercepts->empty() && std::ssize(*intercepts) != *targets) || (!transform.empty() && transform != "NONE"))
        return std::nullopt;
    std::vector<double> result;
    for (std::size_t row = 0; row < rows->count; ++row)
        for (std::size_t target = 0; target < static_cast<std::size_t>(*targets); ++target) {
            double sum = intercepts->empty() ? 0 : (*intercepts)[target];
            for (std::size_t i = 0; i < rows->width; ++i)
                sum += rows->floats[row * rows->width + i] * (*coefficients)[target * rows->width + i];
            result.push_back(sum);
        }
    return std::ssize(result) == countOf(*shape) ? answer(Array{ir::DType::Float64, *shape, std::move(result)})
                                                 : std::nullopt;
}

// ---- labels

namespace {

/// Texts or numbers: keys, values, what is looked up.
struct LabelList {
    std::vector<std::string> texts;
    std::vector<double> numbers;
    bool areTexts = false;

    std::size_t count() const { return areTexts ? texts.size() : numbers.size(); }
    bool isSame(std::size_t i, const LabelList &other, std::size_t j) const
    {
        if (areTexts)
            return texts[i] == other.texts[j];
        return numbers[i] == other.numbers[j] || (std::isnan(numbers[i]) && std::isnan(other.numbers[j]));
    }
};

std::optional<LabelList> labelsIn(const Call &call, std::string_view attribute)
{
    if (const auto *texts = textsOf(call.value(attribute)))
        return LabelList{*texts, {}, true};
    const auto *list = call.facts()[attribute].as<ops::SequenceFact>();
    LabelList labels;
    for (const ops::Fact &item : list ? list->items : std::vector<ops::Fact>())
        if (const auto *text = item.as<ops::TextFact>())
            labels.texts.push_back(text->text);
    labels.areTexts = !labels.texts.empty();
    if (labels.areTexts)
        return labels.texts.size() == list->items.size() ? std::optional(labels) : std::nullopt;
    auto numbers = numbersAt(call, attribute);
    return numbers ? std::optional(LabelList{{}, std::move(*numbers), false}) : std::nullopt;
}

/// The attribute of keys or values that is given, of "keys_strings", "keys_int64s" and so on.
std::optional<LabelList> labelsGiven(const Call &call, std::string_view kind)
{
    for (const std::string_view type : {"strings", "int64s", "floats", "tensor"}) {
        const std::string name = std::string(kind) + "_" + std::string(type);
        if (call.facts().has(name))
            return labelsIn(call, name);
    }
    return std::nullopt;
}

/// What stands for a key that is not there; the default depends on what the values are.
std::optional<LabelList> fallbackFor(const Call &call, const LabelList &values)
{
    if (call.facts().has("default_tensor"))
        return labelsIn(call, "default_tensor");
    if (values.areTexts) {
        const std::string_view text = call.facts().text("default_string");
        return LabelList{{std::string(text.empty() ? "_Unused" : text)}, {}, true};
    }
    const bool areWhole = call.facts().has("values_int64s");
    const auto number = areWhole            ? call.number("", "default_int64", -1)
        : call.facts().has("values_floats") ? call.number("", "default_float", -0.0)
                                            : std::nullopt;
    return number ? std::optional(LabelList{{}, {*number}, false}) : std::nullopt;
}

std::optional<LabelList> lookedUp(const Value *value)
{
    if (const auto *texts = textsOf(value))
        return LabelList{*texts, {}, true};
    const auto *array = value ? value->as<Array>() : nullptr;
    return array ? std::optional(LabelList{{}, floatsOf(*array), false}) : std::nullopt;
}

} // namespace

Answer encodedLabels(const Call &call)
{
    const auto keys = labelsGiven(call, "keys"), values = labelsGiven(call, "values");
    const auto x = lookedUp(call.value(std::size_t{0}));
    const auto shape = call.shape();
    const auto fallback = values ? fallbackFor(call, *values) : std::nullopt;
    if (!keys || !fallback || !x || !shape || keys->count() != values->count() || fallback->count() != 1
        || fallback->areTexts != values->areTexts || (x->count() > 0 && keys->areTexts != x->areTexts))
        return std::nullopt;
    LabelList found{{}, {}, values->areTexts};
    for (std::size_t i = 0; i < x->count(); ++i) {
        std::size_t at = 0;
        while (at < keys->count() && !keys->isSame(at, *x, i))
            ++at;
        const LabelList &from = at < keys->count() ? *values : *fallback;
        const std::size_t place = at < keys->count() ? at : 0;
        if (values->areTexts)
            found.texts.push_back(from.texts[place]);
        else
            found.numbers.push_back(from.numbers[place]);
    }
    if (static_cast<std::int64_t>(found.count()) != countOf(*shape))
        return std::nullopt;
    if (values->areTexts)
        return Values{
            Value(ops::Fact(ops::textTensor(ir::Shape(shape->begin(), shape->end()), std::move(found.texts))))};
    return answer(Array{ir::DType::Float64, *shape, std::move(found.numbers)});
}

// ---- trees

namespace {

/// Nodes with a test each, and leaves with a weight for a target each.
struct Trees {
    enum class Test : std::uint8_t { LessOrEqual, Less, GreaterOrEqual, Greater, Equal, Different, Member };

    std::vector<std::int64_t> roots, features, modes, whenTrue, whenFalse, leafIfTrue, leafIfFalse, missingIsTrue;
    std::vector<std::int64_t> targets;
    std::vector<double> splits, weights;
    std::vector<std::vector<double>> members; ///< of each node

    bool isTrue(std::size_t node, double x) const
    {
        if (std::isnan(x) && !missingIsTrue.empty() && missingIsTrue[node] != 0)
            return true;
        const double split = splits[node];
        switch (static_cast<Test>(modes[node])) {
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
            return std::ranges::contains(members[node], x);
        }
        return false;
    }
};

/// Gives each node that tests for members its set; the sets stand one behind the other, each with NaN at its end.
bool readMembers(Trees &trees, const std::vector<double> &all)
{
    trees.members.resize(trees.modes.size());
    auto next = all.begin();
    for (std::size_t node = 0; node < trees.modes.size(); ++node) {
        if (trees.modes[node] < 0 || trees.modes[node] > static_cast<std::int64_t>(Trees::Test::Member))
            return false;
        if (static_cast<Trees::Test>(trees.modes[node]) != Trees::Test::Member)
            continue;
        const auto end = std::find_if(next, all.end(), [](double x) { return std::isnan(x); });
        if (end == all.end())
            return false;
        trees.members[node].assign(next, end);
        next = end + 1;
    }
    return true;
}

bool areWithin(const std::vector<std::int64_t> &places, std::size_t size)
{
    return std::ranges::all_of(places, [&](std::int64_t place) { return place >= 0 && std::cmp_less(place, size); });
}

std::optional<Trees> treesOf(const Call &call)
{
    Trees trees;
    const std::pair<std::string_view, std::vector<std::int64_t> *> wholes[] = {
        {"tree_roots", &trees.roots},
        {"nodes_featureids", &trees.features},
        {"nodes_modes", &trees.modes},
        {"nodes_truenodeids", &trees.whenTrue},
        {"nodes_falsenodeids", &trees.whenFalse},
        {"nodes_trueleafs", &trees.leafIfTrue},
        {"nodes_falseleafs", &trees.leafIfFalse},
        {"leaf_targetids", &trees.targets},
        {"nodes_missing_value_tracks_true", &trees.missingIsTrue}};
    for (const auto &[name, to] : wholes) {
        auto numbers = wholesAt(call, name);
        if (!numbers)
            return std::nullopt;
        *to = std::move(*numbers);
    }
    const auto splits = numbersAt(call, "nodes_splits"), weights = numbersAt(call, "leaf_weights"),
               members = numbersAt(call, "membership_values");
    if (!splits || !weights || !members)
        return std::nullopt;
    trees.splits = *splits;
    trees.weights = *weights;
    const std::size_t count = trees.modes.size();
    for (const auto *list : {&trees.features, &trees.whenTrue, &trees.whenFalse, &trees.leafIfTrue, &trees.leafIfFalse})
        if (list->size() != count)
            return std::nullopt;
    const bool isWhole = trees.splits.size() == count && trees.weights.size() == trees.targets.size()
        && (trees.missingIsTrue.empty() || trees.missingIsTrue.size() == count) && areWithin(trees.roots, count);
    return isWhole && readMembers(trees, *members) ? std::optional(std::move(trees)) : std::nullopt;
}

/// The leaf that a row of features comes to; nothing if the nodes lead nowhere.
std::optional<std::size_t> leafOf(const Trees &trees, std::int64_t root, std::span<const double> row)
{
    auto node = static_cast<std::size_t>(root);
    for (std::size_t steps = 0; steps < trees.modes.size(); ++steps) {
        if (!areWithin({trees.features[node]}, row.size()))
            return std::nullopt;
        const bool isTrue = trees.isTrue(node, row[static_cast<std::size_t>(trees.features[node])]);
        const std::int64_t next = isTrue ? trees.whenTrue[node] : trees.whenFalse[node];
        const bool isLeaf = (isTrue ? trees.leafIfTrue[node] : trees.leafIfFalse[node]) != 0;
        if (!areWithin({next}, isLeaf ? trees.weights.size() : trees.modes.size()))
            return std::nullopt;
        node = static_cast<std::size_t>(next);
        if (isLeaf)
            return node;
    }
    return std::nullopt;
}

} // namespace

/// Sums of what the trees say.
Answer treeEnsemble(const Call &call)
{
    const auto rows = rowsOf(call.array(0));
    const auto trees = treesOf(call);
    const auto targets = call.integer("", "n_targets", 1);
    const auto shape = call.shape();
    constexpr std::int64_t sum = 1;
    if (!rows || !trees || !targets || *targets < 1 || !shape || call.integer("", "aggregate_function", sum) != sum
        || call.integer("", "post_transform", 0) != 0
        || countOf(*shape) != *targets * static_cast<std::int64_t>(rows->count)
        || !areWithin(trees->targets, static_cast<std::size_t>(*targets)))
        return std::nullopt;
    std::vector<double> result(static_cast<std::size_t>(countOf(*shape)));
    for (std::size_t row = 0; row < rows->count; ++row)
        for (const std::int64_t root : trees->roots) {
            const auto leaf = leafOf(*trees, root, std::span(rows->floats).subspan(row * rows->width, rows->width));
            if (!leaf)
                return std::nullopt;
            result[row * static_cast<std::size_t>(*targets) + static_cast<std::size_t>(trees->targets[*leaf])] +=
                trees->weights[*leaf];
        }
    return answer(Array{ir::DType::Float64, *shape, std::move(result)});
}

} // namespace cutaway::compute
