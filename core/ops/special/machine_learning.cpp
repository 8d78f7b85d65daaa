// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/special/rules.h"

#include "core/ops/compute/places.h"
#include "core/ops/special/attribute_numbers.h"

#include <algorithm>
#include <cmath>

namespace cutaway::compute {

namespace {

/// Whether there is a single number for all columns, or one for each.
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

/// Returns (x - offset)·scale of each column.
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

/// Divides each row by its largest element, the sum of absolute values or the root of the sum of squares. ONNX does not
/// define the result for a row of zeros.
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
    const auto shape = call.shape();
    if (!areKnown(rows, shape, coefficients, intercepts, targets) || *targets < 1 || !hasNoTransform(call))
        return std::nullopt;
    const auto count = static_cast<std::size_t>(*targets);
    if (coefficients->size() / rows->width != count || coefficients->size() % rows->width != 0)
        return std::nullopt;
    const std::vector<double> added = intercepts->empty() ? std::vector<double>(count, 0) : *intercepts;
    if (added.size() != count)
        return std::nullopt;
    std::vector<double> result;
    for (std::size_t row = 0; row < rows->count; ++row)
        for (std::size_t target = 0; target < count; ++target) {
            double sum = added[target];
            for (std::size_t i = 0; i < rows->width; ++i)
                sum += rows->floats[row * rows->width + i] * (*coefficients)[target * rows->width + i];
            result.push_back(sum);
        }
    return answer(*shape, std::move(result));
}

// ---- labels

namespace {

/// A list of texts or of numbers: keys, values, or labels to look up.
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
    /// Returns the index of the first label that equals the j-th label of another list; count() if none does.
    std::size_t find(const LabelList &other, std::size_t j) const
    {
        std::size_t at = 0;
        while (at < count() && !isSame(at, other, j))
            ++at;
        return at;
    }
    /// Appends the i-th label of another list of the same type.
    void append(const LabelList &other, std::size_t i)
    {
        if (areTexts)
            texts.push_back(other.texts[i]);
        else
            numbers.push_back(other.numbers[i]);
    }
};

/// Whether no other integer is rounded to the same double.
bool isExact(double number) { return std::abs(number) < 0x1p53; }

std::optional<LabelList> labelsIn(const Call &call, std::string_view attribute)
{
    if (const auto *texts = textsOf(call.value(attribute)))
        return LabelList{*texts, {}, true};
    const auto *list = call.facts()[attribute].as<ops::SequenceFact>();
    LabelList labels;
    for (const ops::Fact &item : list ? list->each() : std::span<const ops::Fact>())
        if (const auto *text = item.as<ops::TextFact>())
            labels.texts.push_back(text->text);
    labels.areTexts = !labels.texts.empty();
    if (labels.areTexts)
        return labels.texts.size() == list->each().size() ? std::optional(labels) : std::nullopt;
    auto numbers = numbersAt(call, attribute);
    if (numbers && attribute.ends_with("int64s") && !std::ranges::all_of(*numbers, isExact))
        return std::nullopt;
    return numbers ? std::optional(LabelList{{}, std::move(*numbers), false}) : std::nullopt;
}

/// Returns the keys or values of the attribute that is given: "keys_strings", "keys_int64s" and so on.
std::optional<LabelList> labelsGiven(const Call &call, std::string_view kind)
{
    for (const std::string_view type : {"strings", "int64s", "floats", "tensor"}) {
        const std::string name = std::string(kind) + "_" + std::string(type);
        if (call.facts().has(name))
            return labelsIn(call, name);
    }
    return std::nullopt;
}

/// Returns the value for unknown keys; the default depends on the type of the values.
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
    return number && (!areWhole || isExact(*number)) ? std::optional(LabelList{{}, {*number}, false}) : std::nullopt;
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
    if (!areKnown(keys, fallback, x, shape) || keys->count() != values->count() || fallback->count() != 1
        || fallback->areTexts != values->areTexts || (x->count() > 0 && keys->areTexts != x->areTexts))
        return std::nullopt;
    LabelList found{{}, {}, values->areTexts};
    for (std::size_t i = 0; i < x->count(); ++i) {
        const std::size_t at = keys->find(*x, i);
        if (at < keys->count())
            found.append(*values, at);
        else
            found.append(*fallback, 0);
    }
    if (static_cast<std::int64_t>(found.count()) != countOf(*shape))
        return std::nullopt;
    if (values->areTexts)
        return Values{
            Value(ops::Fact(ops::textTensor(ir::Shape(shape->begin(), shape->end()), std::move(found.texts))))};
    return answer(Array{ir::DType::Float64, *shape, std::move(found.numbers)});
}

} // namespace cutaway::compute
