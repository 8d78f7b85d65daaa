// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/structure/names.h"

#include "core/ir/context.h"

#include <algorithm>

namespace cutaway::structure {

namespace {

using Weighted = std::span<const Role>;

bool isWay(Weighted weighted, std::initializer_list<Role> roles) { return std::ranges::equal(weighted, roles); }

std::uint32_t convolutions(const Content &c)
{
    return c.count(Role::Convolution) + c.count(Role::Pointwise) + c.count(Role::Depthwise)
        + c.count(Role::UpConvolution);
}

std::uint32_t products(const Content &c) { return c.count(Role::Linear) + convolutions(c); }

bool attends(const Content &c)
{
    return c.count(Role::Attention) > 0 || (c.count(Role::Softmax) > 0 && c.count(Role::Product) >= 2);
}

bool isSmallAttention(const Content &c)
{
    return attends(c) && c.count(Role::Attention) + c.count(Role::Softmax) == 1 && products(c) <= 6;
}

bool isDepthwiseBlock(Weighted w) { return isWay(w, {Role::Pointwise, Role::Depthwise, Role::Pointwise}); }

struct Pattern {
    std::string_view name;
    bool (*is)(const Content &content, Weighted weighted);
};

/// The first pattern that matches applies, so a pattern stands before those that it contains.
constexpr Pattern patterns[] = {
    {"suppression of boxes", [](const Content &c, Weighted) { return c.count(Role::Suppression) > 0; }},
    {"transformer block",
     [](const Content &c, Weighted) {
         return attends(c) && products(c) >= 3 && c.count(Role::Add) >= 2
             && c.count(Role::Softmax) + c.count(Role::Attention) <= (c.isUnit ? 2 : 1) && products(c) <= 14
             && (c.count(Role::Norm) >= 2 || c.count(Role::Mean) >= 2);
     }},
    {"attention", [](const Content &c, Weighted) { return isSmallAttention(c); }},
    {"GELU", [](const Content &c, Weighted) { return c.isErf && products(c) == 0 && c.places <= 10; }},
    {"GELU",
     [](const Content &c, Weighted) {
         return c.count(Role::Tanh) == 1 && products(c) == 0 && c.count(Role::Mul) >= 2 && c.count(Role::Sigmoid) == 0
             && c.places <= 12;
     }},
    {"layer normalization",
     [](const Content &c, Weighted) {
         const std::uint32_t means = c.count(Role::Mean);
         return c.isRoot && (means == 2 || (means == 1 && c.isVariance)) && products(c) == 0 && c.places <= 16;
     }},
    {"RMS normalization",
     [](const Content &c, Weighted) {
         return c.isRoot && c.count(Role::Mean) == 1 && products(c) == 0 && c.places <= 12;
     }},
    {"squeeze-excitation",
     [](const Content &c, Weighted) {
         return c.isSkipped && c.last == Role::Mul && products(c) <= 2 && products(c) > 0
             && c.count(Role::GlobalPool) + c.count(Role::Mean) >= 1 && c.places <= 16;
     }},
    {"LSTM step",
     [](const Content &c, Weighted) {
         return c.count(Role::Sigmoid) == 3 && c.count(Role::Tanh) == 2 && c.count(Role::Mul) >= 3;
     }},
    {"GRU step",
     [](const Content &c, Weighted) {
         return c.count(Role::Sigmoid) == 2 && c.count(Role::Tanh) == 1 && c.count(Role::Mul) >= 2;
     }},
    {"inverted residual", [](const Content &c, Weighted w) { return isDepthwiseBlock(w) && c.places <= 40; }},
    {"depthwise separable",
     [](const Content &c, Weighted w) { return isWay(w, {Role::Depthwise, Role::Pointwise}) && c.places <= 24; }},
    {"ConvNeXt block",
     [](const Content &c, Weighted w) {
         return c.places <= 40
             && (isWay(w, {Role::Depthwise, Role::Linear, Role::Linear})
                 || isWay(w, {Role::Depthwise, Role::Pointwise, Role::Pointwise}));
     }},
    {"bottleneck",
     [](const Content &c, Weighted w) {
         return c.count(Role::Add) == 1 && c.places <= 40
             && isWay(w, {Role::Pointwise, Role::Convolution, Role::Pointwise});
     }},
    {"residual block",
     [](const Content &c, Weighted w) {
         return c.count(Role::Add) > 0 && c.places <= 40 && !w.empty() && w.size() <= 4 && convolutions(c) > 0
             && (c.isSkipped || c.branches > 1) && (c.isUnit || c.last == Role::Add) && c.count(Role::Concat) == 0;
     }},
    {"inception",
     [](const Content &c, Weighted) { return c.branches >= 3 && c.last == Role::Concat && convolutions(c) >= 3; }},
    {"dense layer",
     [](const Content &c, Weighted w) {
         return c.first == Role::Concat && c.places <= 12 && !w.empty() && w.size() <= 2;
     }},
    {"MLP",
     [](const Content &c, Weighted w) {
         return c.count(Role::Linear) >= 2 && c.count(Role::Linear) <= 3 && w.size() == 2 && convolutions(c) == 0
             && c.count(Role::Softmax) == 0 && c.places <= 40;
     }},
};

constexpr std::pair<Role, std::string_view> shortNames[] = {
    {Role::Convolution, "conv"},
    {Role::Pointwise, "conv"},
    {Role::Depthwise, "conv"},
    {Role::UpConvolution, "transposed conv"},
    {Role::Linear, "linear"},
    {Role::Product, "product"},
    {Role::Attention, "attention"},
    {Role::Recurrent, "recurrent"},
    {Role::Embedding, "embedding"},
    {Role::Norm, "norm"},
    {Role::Activation, "activation"},
    {Role::Sigmoid, "activation"},
    {Role::Tanh, "activation"},
    {Role::Softmax, "attention"},
    {Role::Pool, "pool"},
    {Role::GlobalPool, "pool"},
    {Role::Mean, "reduction"},
    {Role::Resize, "resize"},
    {Role::Concat, "concat"},
    {Role::Split, "view"},
    {Role::View, "view"},
    {Role::Module, "module"},
};

std::string_view shortName(Role role)
{
    const auto *name = std::ranges::find(shortNames, role, &std::pair<Role, std::string_view>::first);
    return name == std::end(shortNames) ? "elementwise" : name->second;
}

} // namespace

std::string_view patternOf(const Content &content, std::span<const Role> weighted)
{
    const auto *found = std::ranges::find_if(patterns, [&](const Pattern &p) { return p.is(content, weighted); });
    return found == std::end(patterns) ? std::string_view() : found->name;
}

bool isPattern(std::string_view name)
{
    return std::ranges::any_of(patterns, [&](const Pattern &pattern) { return pattern.name == name; });
}

bool isCompound(std::string_view name) { return name == "transformer block" || name == "inception"; }

std::string summaryOf(const Content &content)
{
    constexpr std::size_t most = 2;
    // The counts are in the order of roles, which begins with the most telling ones.
    std::vector<std::pair<std::string_view, std::uint32_t>> counts;
    for (std::size_t i = 0; i < roleCount; ++i) {
        const std::string_view name = shortName(static_cast<Role>(i));
        if (content.roles[i] == 0)
            continue;
        const auto known = std::ranges::find(counts, name, [](const auto &count) { return count.first; });
        if (known == counts.end())
            counts.emplace_back(name, content.roles[i]);
        else
            known->second += content.roles[i];
    }
    std::string text;
    for (std::size_t i = 0; i < std::min(most, counts.size()); ++i)
        text += (i > 0 ? ", " : "") + std::to_string(counts[i].second) + " " + std::string(counts[i].first);
    return text;
}

Content contentOf(const std::vector<Place> &places, std::uint32_t begin, std::uint32_t end)
{
    Content content{.places = end - begin, .first = places[begin].role, .last = places[end - 1].role};
    for (std::uint32_t i = begin; i < end; ++i) {
        const Place &place = places[i];
        ++content.roles[static_cast<std::size_t>(place.role)];
        content.isErf = content.isErf || place.isErf;
        content.isRoot = content.isRoot || place.isRoot;
        content.isVariance = content.isVariance || place.isVariance;
    }
    const std::vector<std::uint32_t> &sources = places[end - 1].sources;
    content.isSkipped = end - begin > 1 && !sources.empty() && sources.front() < begin;
    return content;
}

std::string nameOf(const ir::Context &context, const std::vector<Place> &places, const Content &content,
                   std::uint32_t begin, std::span<const Role> weighted)
{
    constexpr std::uint32_t mostNamed = 4; // the limit of nodes in a part that is named by its operators
    if (const std::string_view pattern = patternOf(content, weighted); !pattern.empty())
        return std::string(pattern);
    std::string names;
    for (std::uint32_t i = begin; i < begin + content.places && content.places <= mostNamed; ++i) {
        const ir::OpId op = places[i].op;
        if (op == ir::OpId{})
            return summaryOf(content);
        names += (names.empty() ? "" : " ") + std::string(context.text(context.at(op).name));
    }
    return names.empty() ? summaryOf(content) : names;
}

} // namespace cutaway::structure
