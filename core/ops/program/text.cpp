// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/program/text.h"

#include "core/ops/demands/onnx_inputs.h"
#include "core/ops/facts/broadcast.h"
#include "core/ops/facts/moved_elements.h"
#include "core/ops/facts/sequences.h"
#include "core/ops/facts/texts.h"
#include "core/ops/special/rules.h"

#include <algorithm>

namespace cutaway::ops {

namespace {

using ir::Shape;

Answer someText(const Call &call) { return Facts(call.resultCount()); }
Answer someTexts(const Call &) { return {manyOf(Fact())}; }

// TorchScript: operators on texts that are keys of dictionaries, or by which a model chooses.

/// Returns the text of str(); nothing for floats.
std::optional<std::string> printed(const Fact &fact)
{
    if (const auto *text = fact.as<TextFact>())
        return text->text;
    const auto *value = fact.as<NumberFact>();
    const auto whole = value ? asInt(fact) : std::nullopt;
    const auto known = whole ? number(*whole) : std::nullopt;
    if (!known || value->kind == NumberFact::Kind::Bool)
        return known ? std::optional(*known != 0 ? "True" : "False") : std::nullopt;
    return std::to_string(*known);
}

Answer textOf(const Call &call)
{
    const auto text = printed(call[0u]);
    return text ? Answer{TextFact{*text}} : someText(call);
}

/// Replaces each {} by an argument; torch knows no other form (register_prim_ops.cpp, aten::format).
Answer format(const Call &call)
{
    const auto *form = call[0u].as<TextFact>();
    if (!form)
        return someText(call);
    std::string text;
    std::size_t argument = 1, from = 0;
    for (std::size_t at = 0; (at = form->text.find("{}", from)) != std::string::npos; from = at + 2) {
        const auto part = argument < call.inputCount() ? printed(call[argument++]) : std::nullopt;
        if (!part)
            return someText(call);
        text += form->text.substr(from, at - from) + *part;
    }
    return {TextFact{text + form->text.substr(from)}};
}

/// Changes the case of a text; texts with letters outside of ASCII are not followed.
Answer changedCase(const Call &call)
{
    const auto *text = call[0u].as<TextFact>();
    if (!text || !std::ranges::all_of(text->text, [](char c) { return static_cast<unsigned char>(c) < 128; }))
        return someText(call);
    std::string changed = text->text;
    for (char &c : changed) {
        const bool isLower = c >= 'a' && c <= 'z', isUpper = c >= 'A' && c <= 'Z';
        if (call.name() == "upper" ? isLower : isUpper)
            c = static_cast<char>(c ^ ('a' ^ 'A'));
    }
    return {TextFact{changed}};
}

Answer stripped(const Call &call)
{
    const auto *text = call[0u].as<TextFact>(), *letters = call["chars"].as<TextFact>();
    if (!text || !letters)
        return someText(call);
    return {TextFact{stripText(text->text, letters->text, call.name() != "rstrip", call.name() != "lstrip")}};
}

Answer replaced(const Call &call)
{
    const auto *text = call[0u].as<TextFact>(), *part = call[1u].as<TextFact>(), *by = call[2u].as<TextFact>();
    const auto most = call.integer("max");
    const auto changed =
        text && part && by && most ? replaceText(text->text, part->text, by->text, *most) : std::nullopt;
    return changed ? Answer{TextFact{*changed}} : someText(call);
}

Answer joinedTexts(const Call &call)
{
    const auto *between = call[0u].as<TextFact>();
    const auto *parts = call[1u].as<SequenceFact>();
    if (!between || !parts || !parts->items())
        return someText(call);
    std::string all;
    for (const Fact &part : parts->each()) {
        if (!part.as<TextFact>() || all.size() > maxTextLength)
            return someText(call);
        all.append(&part == &parts->each().front() ? "" : between->text).append(part.as<TextFact>()->text);
    }
    return {TextFact{all}};
}

/// Returns the position of the first occurrence of a text in another; -1: none.
Answer placeOfText(const Call &call)
{
    const auto *text = call[0u].as<TextFact>(), *part = call[1u].as<TextFact>();
    if (!text || !part || call.integer("start") != 0 || call.integer("end") != -1)
        return {intFact()};
    const std::size_t at = text->text.find(part->text);
    return {intFact(at == std::string::npos ? -1 : static_cast<std::int64_t>(at))};
}

Answer startsOrEndsWith(const Call &call)
{
    const auto *text = call[0u].as<TextFact>(), *part = call[1u].as<TextFact>();
    if (!text || !part || call.integer("start") != 0 || call.integer("end") != -1)
        return {boolFact()};
    return {
        boolFact(call.name() == "startswith" ? text->text.starts_with(part->text) : text->text.ends_with(part->text))};
}

// ONNX: tensors of texts.

Answer concatenateTexts(const Call &call)
{
    const Shape *a = call.shape(0u), *b = call.shape(1u);
    auto shape = a && b ? broadcast(*a, *b) : std::nullopt;
    if (a && b && !shape)
        return wrong("cannot broadcast " + ir::print(*a) + " with " + ir::print(*b));
    return {tensorFact(ir::DType::String, std::move(shape))};
}

using Texts = std::vector<std::string>;

constexpr std::string_view spaces = " \t\n\v\f\r";

/// Whether a text is only ASCII. Spaces and capital letters of other alphabets are not followed.
bool isAscii(std::string_view text)
{
    return std::ranges::all_of(
        text, [](char c) { return (c >= ' ' && c <= '~') || spaces.find(c) != std::string_view::npos; });
}

std::int64_t countWords(std::string_view text)
{
    std::int64_t count = 0;
    for (std::size_t at = text.find_first_not_of(spaces); at != std::string_view::npos;
         at = text.find_first_not_of(spaces, std::min(text.find_first_of(spaces, at), text.size())))
        ++count;
    return count;
}

std::int64_t countParts(std::string_view text, std::string_view delimiter)
{
    std::int64_t count = 1;
    for (std::size_t at = text.find(delimiter); at != std::string_view::npos;
         at = text.find(delimiter, at + delimiter.size()))
        ++count;
    return count;
}

/// Returns the number of parts that each text is split into: at the delimiter, or else at spaces.
std::optional<std::vector<ir::Dim>> textParts(const Call &call)
{
    const TensorFact *input = call.tensor(0u);
    const std::string_view delimiter = call.text("delimiter");
    if (!input || !input->texts || (delimiter.empty() && !std::ranges::all_of(*input->texts, isAscii)))
        return std::nullopt;
    const auto most = call.integer("maxsplit");
    std::vector<ir::Dim> counts;
    for (const std::string &text : *input->texts) {
        const std::int64_t count = delimiter.empty() ? countWords(text) : countParts(text, delimiter);
        counts.emplace_back(most && *most >= 0 && *most < count ? *most + 1 : count);
    }
    return counts;
}

/// Returns the parts of each text, padded to the largest number of parts, and how many parts each text has.
Answer splitTexts(const Call &call)
{
    const Shape *shape = call.shape(0u);
    if (!shape)
        return {tensorFact(ir::DType::String), tensorFact(ir::DType::Int64)};
    TensorFact counts = tensorFact(ir::DType::Int64, *shape);
    Shape parts = *shape;
    if (auto known = textParts(call)) {
        parts.emplace_back(std::int64_t{0});
        for (const ir::Dim &count : *known)
            parts.back() = maximum(parts.back(), count);
        counts.elements = std::move(*known);
    } else {
        parts.push_back(call.freshSize());
    }
    return {tensorFact(ir::DType::String, std::move(parts)), std::move(counts)};
}

Answer matchTexts(const Call &call)
{
    const Shape *shape = call.shape(0u);
    return {tensorFact(ir::DType::Bool, shape ? std::optional(*shape) : std::nullopt)};
}

std::string lower(std::string text)
{
    std::ranges::transform(text, text.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; });
    return text;
}

/// Returns the number of words that are no stop words; 1 if there are none, for the empty word that is returned then.
std::optional<std::int64_t> countKept(const Call &call)
{
    const TensorFact *input = call.tensor(0u);
    const auto *list = call["stopwords"].as<SequenceFact>();
    if (!list || !input || !input->texts || number(input->shape->back()) != std::ssize(*input->texts))
        return std::nullopt;
    Texts kept = *input->texts, stopwords;
    for (const Fact &word : list->each())
        stopwords.push_back(word.as<TextFact>() ? word.as<TextFact>()->text : "");
    if (!call.flag("is_case_sensitive").value_or(false)) {
        if (!std::ranges::all_of(kept, isAscii) || !std::ranges::all_of(stopwords, isAscii))
            return std::nullopt;
        std::ranges::transform(kept, kept.begin(), lower);
        std::ranges::transform(stopwords, stopwords.begin(), lower);
    }
    std::ranges::sort(stopwords);
    std::erase_if(kept, [&](const std::string &text) { return std::ranges::binary_search(stopwords, text); });
    return std::max<std::int64_t>(1, std::ssize(kept));
}

/// Removes stop words from a vector of words.
Answer normalizeTexts(const Call &call)
{
    const Shape *shape = call.shape(0u);
    if (!shape || shape->empty())
        return {tensorFact(ir::DType::String)};
    Shape kept = *shape;
    if (const auto count = countKept(call))
        kept.back() = *count;
    else if (call.has("stopwords"))
        kept.back() = call.freshSize();
    return {tensorFact(ir::DType::String, std::move(kept))};
}

/// Returns a row of counts for each row of words; it is long enough for the largest index of an n-gram.
Answer countNgrams(const Call &call)
{
    const Shape *shape = call.shape(0u);
    const auto places = call.sizes("ngram_indexes");
    if (!shape || shape->empty() || !places)
        return {tensorFact(ir::DType::Float32)};
    ir::Dim last = std::int64_t{-1};
    for (const ir::Dim &place : *places)
        last = maximum(last, place);
    Shape counts = *shape;
    counts.back() = plus(last, std::int64_t{1});
    return {tensorFact(ir::DType::Float32, std::move(counts))};
}

/// com.microsoft: returns the tokens of each text, padded to the largest number of tokens.
Answer tokens(const Call &call)
{
    const Shape *shape = call.shape(0u);
    if (!shape)
        return {tensorFact(ir::DType::String)};
    Shape all = *shape;
    all.push_back(call.freshSize());
    return {tensorFact(ir::DType::String, std::move(all))};
}

Answer hash(const Call &call)
{
    const Shape *shape = call.shape(0u);
    const bool isPositive = call.flag("positive").value_or(true);
    return {
        tensorFact(isPositive ? ir::DType::UInt32 : ir::DType::Int32, shape ? std::optional(*shape) : std::nullopt)};
}

/// Returns a row per word and a column per filter of the convolution over the word's letters.
Answer embeddedWords(const Call &call)
{
    const Shape *words = call.shape(0u), *filters = call.shape(1u);
    if (!words || !filters || words->size() != 2 || filters->empty())
        return {tensorFact(ir::DType::Float32)};
    return {tensorFact(ir::DType::Float32, Shape{words->front(), filters->front()})};
}

constexpr Operator textRows[] = {
    Operator("aten::percentFormat aten::capitalize aten::title aten::swapcase aten::center aten::ljust aten::rjust "
             "aten::zfill aten::expandtabs "
             "aten::chr aten::hex aten::oct aten::bin prim::StringIndex",
             Category::Creation, Pattern::Creating, someText),
    Operator("aten::upper aten::lower", Category::Creation, Pattern::Creating, changedCase),
    Operator("aten::strip aten::lstrip aten::rstrip", Category::Creation, Pattern::Creating, stripped),
    Operator("aten::replace", Category::Creation, Pattern::Creating, replaced),
    Operator("aten::join", Category::Creation, Pattern::Creating, joinedTexts),
    Operator("aten::find", Category::Elementwise, Pattern::Pointwise, placeOfText),
    Operator("aten::str", Category::Creation, Pattern::Creating, textOf),
    Operator("aten::format", Category::Creation, Pattern::Creating, format),
    Operator("aten::startswith aten::endswith", Category::Elementwise, Pattern::Pointwise, startsOrEndsWith),
    Operator("aten::rsplit aten::splitlines aten::partition aten::rpartition", Category::Creation, Pattern::Creating,
             someTexts),
    Operator(
        "aten::isalnum aten::isalpha aten::isdecimal aten::isdigit aten::isidentifier aten::islower aten::isnumeric "
        "aten::isprintable aten::isspace aten::istitle aten::isupper",
        Category::Elementwise, Pattern::Pointwise, someBool),
    Operator("aten::rfind aten::rindex aten::count aten::ord aten::hash", Category::Elementwise, Pattern::Pointwise,
             someInt),
    Operator("onnx::StringConcat", Category::Elementwise, Pattern::Pointwise, concatenateTexts, nullptr,
             {.compute = compute::joinedTexts}),
    Operator("onnx::StringSplit", Category::Elementwise, Pattern::Pointwise, splitTexts, nullptr,
             {.compute = compute::splitTexts}),
    Operator("onnx::RegexFullMatch", Category::Elementwise, Pattern::Pointwise, matchTexts),
    Operator("onnx::TfIdfVectorizer", Category::Indexing, Pattern::Picking, countNgrams, onePerArgument,
             {.compute = compute::countedNgrams, .demand = demand::ngramPool}),
    Operator("com.microsoft::Tokenizer", Category::Elementwise, Pattern::Pointwise, tokens),
    Operator("com.microsoft::MurmurHash3", Category::Elementwise, Pattern::Pointwise, hash),
    Operator("com.microsoft::WordConvEmbedding", Category::Indexing, Pattern::Picking, embeddedWords, unknownFlops),
    Operator("onnx::StringNormalizer", Category::Elementwise, Pattern::Pointwise, normalizeTexts, nullptr,
             {.compute = compute::normalizedTexts}),
};

} // namespace

std::span<const Operator> textOperators() { return textRows; }

} // namespace cutaway::ops
