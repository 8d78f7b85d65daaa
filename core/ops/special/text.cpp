// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/compute/places.h"
#include "core/ops/special/rules.h"

#include <algorithm>
#include <array>
#include <span>

namespace cutaway::compute {

namespace {

/// The pairs of elements of two tensors of texts that are broadcast to one shape.
struct TextPairs {
    Sizes shape;
    std::vector<std::pair<const std::string *, const std::string *>> each;
};

std::optional<Sizes> sizesOfTexts(const Value *value)
{
    const auto *fact = value ? value->as<ops::Fact>() : nullptr;
    const ops::TensorFact *tensor = fact ? ops::asTensor(*fact) : nullptr;
    Sizes sizes;
    for (const ir::Dim &dim : tensor && tensor->shape ? *tensor->shape : ir::Shape{ir::UnknownDim{}}) {
        if (!ops::number(dim))
            return std::nullopt;
        sizes.push_back(*ops::number(dim));
    }
    return sizes;
}

/// Returns for each element of a shape its position in a tensor that is broadcast to it.
Places placesIn(const Sizes &shape, const Sizes &own)
{
    const Sizes strides = stridesOf(own);
    Sizes steps(shape.size(), 0);
    for (std::size_t d = 0; d < own.size(); ++d)
        steps[shape.size() - own.size() + d] = own[d] == 1 ? 0 : strides[d];
    Places places;
    forEachPlace(shape, steps, 0, [&](std::int64_t place) { places.push_back(place); });
    return places;
}

std::optional<TextPairs> textPairs(const Call &call)
{
    const std::vector<std::string> *a = textsOf(call.value(std::size_t{0})), *b = textsOf(call.value(std::size_t{1}));
    const auto left = sizesOfTexts(call.value(std::size_t{0})), right = sizesOfTexts(call.value(std::size_t{1}));
    if (!a || !b || !left || !right)
        return std::nullopt;
    const auto shape = broadcastShape(std::array{*left, *right});
    if (!shape)
        return std::nullopt;
    const Places first = placesIn(*shape, *left), second = placesIn(*shape, *right);
    TextPairs pairs{*shape, {}};
    for (std::size_t i = 0; i < first.size(); ++i)
        pairs.each.emplace_back(&(*a)[static_cast<std::size_t>(first[i])], &(*b)[static_cast<std::size_t>(second[i])]);
    return pairs;
}

} // namespace

const std::vector<std::string> *textsOf(const Value *value)
{
    const auto *fact = value ? value->as<ops::Fact>() : nullptr;
    const ops::TensorFact *tensor = fact ? ops::asTensor(*fact) : nullptr;
    return tensor && tensor->texts ? &*tensor->texts : nullptr;
}

Answer joinedTexts(const Call &call)
{
    const auto pairs = textPairs(call);
    if (!pairs)
        return std::nullopt;
    std::vector<std::string> texts;
    for (const auto &[a, b] : pairs->each)
        texts.push_back(*a + *b);
    return Values{
        Value(ops::Fact(ops::textTensor(ir::Shape(pairs->shape.begin(), pairs->shape.end()), std::move(texts))))};
}

namespace {

using Texts = std::vector<std::string>;

Value textValue(const Sizes &shape, Texts texts)
{
    return ops::Fact(ops::textTensor(ir::Shape(shape.begin(), shape.end()), std::move(texts)));
}

constexpr std::string_view blanks = " \t\n\r\f\v";

/// Returns the words between blanks; after `most` cuts the rest is one word.
Texts wordsOf(std::string_view text, std::int64_t most)
{
    Texts words;
    for (std::size_t at = text.find_first_not_of(blanks); at != text.npos; at = text.find_first_not_of(blanks, at)) {
        const bool isRest = most >= 0 && std::ssize(words) == most;
        const std::size_t end = isRest ? text.size() : std::min(text.find_first_of(blanks, at), text.size());
        words.emplace_back(text.substr(at, end - at));
        at = end;
    }
    return words;
}

/// Returns the parts between delimiters, which may be empty; after `most` cuts the rest is one part.
Texts piecesOf(std::string_view text, std::string_view delimiter, std::int64_t most)
{
    Texts pieces;
    std::size_t from = 0;
    for (std::size_t at = text.find(delimiter); at != text.npos; at = text.find(delimiter, from)) {
        if (most >= 0 && std::ssize(pieces) == most)
            break;
        pieces.emplace_back(text.substr(from, at - from));
        from = at + delimiter.size();
    }
    pieces.emplace_back(text.substr(from));
    return pieces;
}

} // namespace

/// Returns the parts of each text, padded with empty ones, and their numbers.
Answer splitTexts(const Call &call)
{
    const std::vector<std::string> *texts = textsOf(call.value(std::size_t{0}));
    const auto shape = sizesOfTexts(call.value(std::size_t{0}));
    const std::string_view delimiter = call.facts().text("delimiter");
    const auto most = call.integer("", "maxsplit", -1);
    if (!texts || !shape || !most)
        return std::nullopt;
    std::vector<Texts> parts;
    std::vector<Whole> counts;
    for (const std::string &text : *texts) {
        parts.push_back(delimiter.empty() ? wordsOf(text, *most) : piecesOf(text, delimiter, *most));
        counts.push_back(std::ssize(parts.back()));
    }
    const Whole width = counts.empty() ? 0 : std::ranges::max(counts);
    constexpr Whole maxParts = 1 << 24; // larger tensors of texts are not computed
    if (width > 0 && std::ssize(parts) > maxParts / width)
        return std::nullopt;
    Texts all;
    for (Texts &own : parts) {
        own.resize(static_cast<std::size_t>(width));
        all.insert(all.end(), own.begin(), own.end());
    }
    Sizes wider = *shape;
    wider.push_back(width);
    return Values{textValue(wider, std::move(all)), Array{ir::DType::Int64, *shape, std::move(counts)}};
}

namespace {

/// Whether a text is only ASCII: the letters of other alphabets are not followed.
bool isAsciiOnly(const std::string &text)
{
    return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 128; });
}

std::string withCase(std::string text, bool isUpper)
{
    for (char &c : text)
        if (isUpper ? c >= 'a' && c <= 'z' : c >= 'A' && c <= 'Z')
            c = static_cast<char>(c ^ ('a' ^ 'A'));
    return text;
}

Texts wordsIn(const Call &call, std::string_view attribute)
{
    const auto *list = call.facts()[attribute].as<ops::SequenceFact>();
    Texts words;
    for (const ops::Fact &item : list ? list->each() : std::span<const ops::Fact>())
        words.push_back(item.as<ops::TextFact>() ? item.as<ops::TextFact>()->text : "");
    return words;
}

} // namespace

/// Returns the words that are no stop words, in another case if that is asked for; if none is left, one empty word.
Answer normalizedTexts(const Call &call)
{
    const std::vector<std::string> *texts = textsOf(call.value(std::size_t{0}));
    auto shape = sizesOfTexts(call.value(std::size_t{0}));
    const bool isSensitive = call.integer("", "is_case_sensitive", 0) != 0;
    const std::string_view change = call.facts().text("case_change_action");
    Texts stopwords = wordsIn(call, "stopwords");
    if (!texts || !shape || shape->empty() || countOf(*shape) != shape->back()
        || !std::ranges::all_of(*texts, isAsciiOnly) || !std::ranges::all_of(stopwords, isAsciiOnly))
        return std::nullopt;
    const auto compared = [&](const std::string &text) { return isSensitive ? text : withCase(text, false); };
    std::ranges::transform(stopwords, stopwords.begin(), compared);
    Texts kept;
    for (const std::string &text : *texts)
        if (!std::ranges::contains(stopwords, compared(text)))
            kept.push_back(change == "UPPER" || change == "LOWER" ? withCase(text, change == "UPPER") : text);
    if (kept.empty())
        kept.emplace_back();
    shape->back() = std::ssize(kept);
    return Values{textValue(*shape, std::move(kept))};
}

// ---- n-grams

namespace {

/// Returns the texts of a value, or its integers as texts.
std::optional<Texts> wordsAt(const Value *value)
{
    if (const auto *texts = textsOf(value))
        return *texts;
    const auto *array = value ? value->as<Array>() : nullptr;
    if (!array || !array->isWhole())
        return std::nullopt;
    Texts words;
    for (const Whole number : array->as<Whole>())
        words.push_back(std::to_string(number));
    return words;
}

std::optional<Sizes> numbersIn(const Call &call, std::string_view attribute)
{
    const auto dims = call.facts().sizes(attribute);
    Sizes numbers;
    for (const ir::Dim &dim : dims.value_or(std::vector<ir::Dim>{ir::UnknownDim{}})) {
        if (!ops::number(dim))
            return std::nullopt;
        numbers.push_back(*ops::number(dim));
    }
    return numbers;
}

/// The n-grams to count; those of one length are contiguous in the pool.
struct Ngrams {
    Texts pool;
    Sizes starts, places; ///< by length: its start in the pool; by n-gram: its index in the result
    std::int64_t shortest, longest, skips;

    /// Returns the index of an n-gram in the result; nothing if it is not in the pool.
    std::optional<std::int64_t> placeOf(const Texts &words, std::size_t from, std::size_t step, std::int64_t n) const
    {
        const auto length = static_cast<std::size_t>(n);
        std::size_t number = 0;
        for (std::size_t k = 0; k + 1 < length && k < starts.size(); ++k)
            number += static_cast<std::size_t>((k + 1 < starts.size() ? starts[k + 1] : std::ssize(pool)) - starts[k])
                / (k + 1);
        const auto begin = static_cast<std::size_t>(starts[length - 1]);
        const auto end = length < starts.size() ? static_cast<std::size_t>(starts[length]) : pool.size();
        for (std::size_t at = begin; at + length <= end; at += length, ++number) {
            bool isSame = true;
            for (std::size_t i = 0; i < length; ++i)
                isSame = isSame && words[from + i * step] == pool[at + i];
            if (isSame)
                return number < places.size() ? std::optional(places[number]) : std::nullopt;
        }
        return std::nullopt;
    }
};

std::optional<Ngrams> ngramsOf(const Call &call)
{
    const auto starts = numbersIn(call, "ngram_counts"), places = numbersIn(call, "ngram_indexes");
    const auto shortest = call.integer("", "min_gram_length", 1), longest = call.integer("", "max_gram_length", 1),
               skips = call.integer("", "max_skip_count", 0);
    if (!starts || !places || !shortest || !longest || !skips || *shortest < 1 || *longest > std::ssize(*starts)
        || *skips < 0)
        return std::nullopt;
    Texts pool = wordsIn(call, "pool_strings");
    if (pool.empty()) {
        const auto numbers = numbersIn(call, "pool_int64s");
        for (const std::int64_t number : numbers.value_or(Sizes()))
            pool.push_back(std::to_string(number));
    }
    const bool areInside = std::ranges::is_sorted(*starts)
        && std::ranges::all_of(*starts, [&](std::int64_t at) { return at >= 0 && at <= std::ssize(pool); });
    return areInside ? std::optional(Ngrams{std::move(pool), *starts, *places, *shortest, *longest, *skips})
                     : std::nullopt;
}

/// Adds the n-grams of one row of words to `counts`. Returns false if the index of one is outside of `counts`.
bool countNgrams(const Ngrams &ngrams, const Texts &words, std::span<double> counts)
{
    for (std::int64_t n = ngrams.shortest; n <= ngrams.longest; ++n)
        for (std::int64_t skip = 0; skip <= (n == 1 ? 0 : ngrams.skips); ++skip) {
            const auto step = static_cast<std::size_t>(skip + 1), reach = step * static_cast<std::size_t>(n - 1);
            if (reach >= words.size())
                break;
            for (std::size_t from = 0; from + reach < words.size(); ++from) {
                const auto place = ngrams.placeOf(words, from, step, n);
                if (place && (*place < 0 || *place >= std::ssize(counts)))
                    return false;
                if (place)
                    ++counts[static_cast<std::size_t>(*place)];
            }
        }
    return true;
}

} // namespace

/// Returns the number of occurrences of each n-gram; nothing for the modes that weight n-grams.
Answer countedNgrams(const Call &call)
{
    const auto words = wordsAt(call.value(std::size_t{0}));
    const auto ngrams = ngramsOf(call);
    const auto shape = call.shape();
    const std::string_view mode = call.facts().text("mode");
    if (!words || !ngrams || !shape || shape->empty() || shape->size() > 2 || shape->back() < 1 || mode != "TF")
        return std::nullopt;
    const std::size_t rows = shape->size() == 2 ? static_cast<std::size_t>(shape->front()) : 1;
    const auto width = static_cast<std::size_t>(shape->back());
    std::vector<double> counts(rows * width);
    const std::size_t length = rows > 0 ? words->size() / rows : 0;
    for (std::size_t row = 0; row < rows; ++row) {
        const auto first = words->begin() + static_cast<std::ptrdiff_t>(row * length);
        const Texts own(first, first + static_cast<std::ptrdiff_t>(length));
        if (!countNgrams(*ngrams, own, std::span(counts).subspan(row * width, width)))
            return std::nullopt;
    }
    return answer(Array{ir::DType::Float64, *shape, std::move(counts)});
}

} // namespace cutaway::compute
