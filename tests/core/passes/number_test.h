// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/evaluate/evaluate.h"
#include "tests/core/passes/pass_test.h"

#include <algorithm>
#include <cmath>
#include <random>

/// Tests the results of graphs before and after passes.
namespace cutaway::test {

using Values = compute::Values;

/// Floats between -2 and 2, also as parts of complex numbers; integers and Booleans 0 or 1, so that they may be
/// indices.
inline compute::Array randomArray(std::mt19937 &random, compute::Sizes shape, ir::DType dtype = ir::DType::Float32)
{
    const auto count = static_cast<std::size_t>(compute::countOf(shape));
    if (!ir::isFloating(dtype) && !ir::isComplex(dtype)) {
        std::vector<std::int64_t> integers(count);
        std::ranges::generate(integers, [&] { return static_cast<std::int64_t>(random() % 2); });
        return {dtype, std::move(shape), std::move(integers)};
    }
    std::uniform_real_distribution<double> distribution(-2, 2);
    const ir::DType part = ir::isComplex(dtype) ? ir::DType::Float32 : dtype;
    const auto floats = [&] {
        std::vector<double> drawn(count);
        std::ranges::generate(drawn, [&] { return ir::rounded(part, distribution(random)); });
        return drawn;
    };
    compute::Array array{dtype, std::move(shape), floats()};
    if (ir::isComplex(dtype))
        array.imaginary = floats();
    return array;
}

/// Gives every tensor of a model that has no bytes random ones; positive, so that they may be variances.
inline void fillTensors(ir::Model &model, std::mt19937 &random)
{
    for (std::uint32_t i = 0; i < model.tensors.size(); ++i) {
        if (!std::holds_alternative<ir::NoBytes>(model.storages[model.tensors[i].storage.index].data))
            continue;
        compute::Array array = randomArray(random, model.tensors[i].shape, model.tensors[i].dtype);
        if (auto *floats = std::get_if<std::vector<double>>(&array.elements))
            for (double &x : *floats)
                x = std::abs(x) + 0.125;
        auto bytes = ir::encodeNumbers(array.dtype, array.elements);
        const auto length = static_cast<std::uint64_t>(bytes.size());
        model.storages.edit(model.tensors[i].storage.index) = {
            ir::InlineBytes{std::make_shared<const std::vector<std::byte>>(std::move(bytes))}, length};
    }
}

/// A random value for each input of the graph, all of which say their shape and dtype.
inline Values randomInputs(const ir::Model &model, std::mt19937 &random)
{
    Values inputs;
    const ir::Graph &graph = model.functions.front().graph;
    for (const ir::ValueId input : graph.at(ir::Graph::body).inputs) {
        const ir::TensorType &type = *ir::tensorType(*model.context, graph.at(input).type);
        compute::Sizes shape;
        for (const ir::Dim &dim : *type.shape)
            shape.push_back(std::get<std::int64_t>(dim));
        inputs.emplace_back(randomArray(random, std::move(shape), type.dtype.value()));
    }
    return inputs;
}

/// The largest difference of two results, relative to the larger of 1 and the number; infinite if they are of another
/// dtype or shape, or where one of two numbers is none.
inline double difference(const compute::Value &a, const compute::Value &b)
{
    const auto *x = a.as<compute::Array>();
    const auto *y = b.as<compute::Array>();
    if (!x || !y || x->dtype != y->dtype || x->shape != y->shape)
        return a == b ? 0 : std::numeric_limits<double>::infinity();
    const std::vector<double> before = floatsOf(*x), after = floatsOf(*y);
    double largest = 0;
    for (std::size_t i = 0; i < before.size(); ++i)
        if (before[i] != after[i] && !(std::isnan(before[i]) && std::isnan(after[i]))) {
            const double each = std::abs(before[i] - after[i]) / std::max(1.0, std::abs(before[i]));
            largest = std::isnan(each) ? std::numeric_limits<double>::infinity() : std::max(largest, each);
        }
    return largest;
}

/// The model after a pipeline, or nullptr where it failed.
inline std::shared_ptr<const ir::Model> modelAfter(const std::string &pipeline,
                                                   const std::shared_ptr<const ir::Model> &model)
{
    const auto passes = passes::parsePipeline(pipeline);
    EXPECT_TRUE(passes) << (passes ? "" : passes.error().text());
    if (!passes)
        return nullptr;
    passes::History history(model, ir::FunctionId{0});
    history.run(*passes);
    EXPECT_FALSE(history.failure()) << history.failure()->error.text();
    return history.failure() ? nullptr : history.modelAfter(history.steps().size());
}

/// The inputs that a later state still has, of those of the first one.
inline Values inputsOf(const ir::Model &state, const ir::Model &first, const Values &inputs)
{
    const auto &all = first.functions.front().graph.at(ir::Graph::body).inputs;
    Values kept;
    for (const ir::ValueId input : state.functions.front().graph.at(ir::Graph::body).inputs)
        kept.push_back(inputs[static_cast<std::size_t>(std::ranges::find(all, input) - all.begin())]);
    return kept;
}

/// Expects the graph's results to be the same before and after, but for this much.
inline void expectSameNumbers(const std::string &pipeline, const std::shared_ptr<const ir::Model> &model,
                              std::mt19937 &random, double tolerance)
{
    const auto after = modelAfter(pipeline, model);
    const Values inputs = randomInputs(*model, random);
    const auto expected = evaluate::evaluate(*model, ir::FunctionId{0}, inputs);
    ASSERT_TRUE(expected) << expected.error().text();
    const auto results =
        after ? evaluate::evaluate(*after, ir::FunctionId{0}, inputsOf(*after, *model, inputs)) : expected;
    ASSERT_TRUE(results) << results.error().text() << "\n" << printed(*after);
    ASSERT_EQ(results->size(), expected->size());
    for (std::size_t i = 0; i < results->size(); ++i)
        EXPECT_LE(difference((*expected)[i], (*results)[i]), tolerance) << "result " << i << "\n" << printed(*after);
}

} // namespace cutaway::test
