// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/broadcast.h"
#include "core/ops/families.h"
#include "core/ops/moved_elements.h"
#include "core/ops/sequences.h"

namespace cutaway::ops {

namespace {

using ir::Shape;

Facts someText(const Call &call) { return Facts(call.resultCount()); }
Facts someTexts(const Call &) { return {manyOf(Fact())}; }
Facts someBool(const Call &) { return {boolFact()}; }
Facts someInt(const Call &) { return {intFact()}; }

// ONNX: tensors of texts.

Facts concatenateTexts(const Call &call)
{
    const Shape *a = call.shape(0u), *b = call.shape(1u);
    auto shape = a && b ? broadcast(*a, *b) : std::nullopt;
    if (a && b && !shape)
        return call.wrong("cannot broadcast " + ir::print(*a) + " with " + ir::print(*b));
    return {tensorFact(ir::DType::String, std::move(shape))};
}

/// The parts, as many as the text with the most has, and how many each has.
Facts splitTexts(const Call &call)
{
    const Shape *shape = call.shape(0u);
    if (!shape)
        return {tensorFact(ir::DType::String), tensorFact(ir::DType::Int64)};
    Shape parts = *shape;
    parts.push_back(call.freshSize());
    return {tensorFact(ir::DType::String, std::move(parts)), tensorFact(ir::DType::Int64, *shape)};
}

Facts matchTexts(const Call &call)
{
    const Shape *shape = call.shape(0u);
    return {tensorFact(ir::DType::Bool, shape ? std::optional(*shape) : std::nullopt)};
}

/// Stop words are left out of a vector.
Facts normalizeTexts(const Call &call)
{
    const Shape *shape = call.shape(0u);
    if (!shape || shape->empty())
        return {tensorFact(ir::DType::String)};
    Shape kept = *shape;
    if (call.has("stopwords"))
        kept.back() = call.freshSize();
    return {tensorFact(ir::DType::String, std::move(kept))};
}

/// A row of counts for each row of words, as long as the largest place that an n-gram has in it.
Facts countNgrams(const Call &call)
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

constexpr auto creation = Category::Creation;
constexpr auto elementwise = Category::Elementwise;

constexpr Operator rows[] = {
    {.names =
         "aten::format aten::percentFormat aten::str aten::join aten::upper aten::lower aten::capitalize aten::title "
         "aten::swapcase aten::strip aten::lstrip aten::rstrip aten::replace aten::center aten::ljust aten::rjust "
         "aten::zfill aten::expandtabs aten::chr aten::hex aten::oct aten::bin prim::StringIndex",
     .category = creation,
     .shape = someText},
    {.names = "aten::rsplit aten::splitlines aten::partition aten::rpartition",
     .category = creation,
     .shape = someTexts},
    {.names =
         "aten::startswith aten::endswith aten::isalnum aten::isalpha aten::isdecimal aten::isdigit "
         "aten::isidentifier aten::islower aten::isnumeric aten::isprintable aten::isspace aten::istitle aten::isupper",
     .category = elementwise,
     .shape = someBool},
    {.names = "aten::find aten::rfind aten::rindex aten::count aten::ord aten::hash",
     .category = elementwise,
     .shape = someInt},
    {.names = "onnx::StringConcat", .category = elementwise, .shape = concatenateTexts},
    {.names = "onnx::StringSplit", .category = elementwise, .shape = splitTexts},
    {.names = "onnx::RegexFullMatch", .category = elementwise, .shape = matchTexts},
    {.names = "onnx::TfIdfVectorizer", .category = Category::Indexing, .shape = countNgrams, .cost = onePerArgument},
    {.names = "com.microsoft::Tokenizer com.microsoft::MurmurHash3", .category = elementwise},
    {.names = "onnx::StringNormalizer", .category = elementwise, .shape = normalizeTexts},
};

} // namespace

std::span<const Operator> textOperators() { return rows; }

} // namespace cutaway::ops
