// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/network/machine_learning.h"

#include "core/ops/network/matrix_shape.h"
#include "core/ops/special/rules.h"

// The operators of ai.onnx.ml (classical models) and of ONNX's training domain.

namespace cutaway::ops {

namespace {

using ir::Dim;
using ir::DType;
using ir::Shape;

/// Returns the number of items of an attribute.
std::size_t count(const Call &call, std::string_view attribute)
{
    const auto *list = call[attribute].as<SequenceFact>();
    return list && list->items() ? list->items()->size() : 0;
}

/// Returns the number of rows of the input; an input without a batch is a single row.
Dim samples(const Call &call)
{
    const Shape *input = call.shape(0u);
    return !input || input->empty() ? Dim(ir::UnknownDim{})
        : input->size() == 1        ? Dim(std::int64_t{1})
                                    : input->front();
}

// ---- Encoders

/// Converts texts to numbers, or numbers to texts.
Answer swapped(const Call &call)
{
    const auto dtype = call.dtypeOf(0u);
    std::optional<DType> other;
    if (dtype)
        other = *dtype == DType::String ? DType::Int64 : DType::String;
    return {tensorFact(other, shapeAt(call, 0))};
}

Answer labelEncoder(const Call &call)
{
    if (call.has("classes_strings"))
        return swapped(call);
    std::optional<DType> dtype = call.dtypeOf("values_tensor");
    if (call.has("values_strings"))
        dtype = DType::String;
    else if (call.has("values_int64s"))
        dtype = DType::Int64;
    else if (call.has("values_floats"))
        dtype = DType::Float32;
    return {tensorFact(dtype, shapeAt(call, 0))};
}

Answer oneHotEncoder(const Call &call)
{
    auto shape = shapeAt(call, 0);
    if (shape)
        shape->emplace_back(static_cast<std::int64_t>(count(call, "cats_int64s") + count(call, "cats_strings")));
    return {tensorFact(DType::Float32, std::move(shape))};
}

Answer dictVectorizer(const Call &call)
{
    const auto *dict = call[0u].as<DictFact>();
    const Fact each = dict ? anyValue(*dict) : Fact();
    const auto *number = each.as<NumberFact>();
    const TensorFact *value = asTensor(each);
    std::optional<DType> dtype = value ? value->dtype : std::nullopt;
    if (number && number->kind == NumberFact::Kind::Int)
        dtype = DType::Int64;
    const std::size_t words = count(call, "int64_vocabulary") + count(call, "string_vocabulary");
    return {tensorFact(dtype, Shape{std::int64_t{1}, static_cast<std::int64_t>(words)})};
}

/// Returns a row with the values of a dictionary, ordered by key; a sparse one has a column for every possible key.
Answer castMap(const Call &call)
{
    const bool isSparse = call.text("map_form") == "SPARSE";
    const Dim width = isSparse ? call.size("max_map").value_or(one) : call.freshSize();
    const std::string_view type = call.text("cast_to");
    const DType dtype = type == "TO_STRING" ? DType::String : type == "TO_INT64" ? DType::Int64 : DType::Float32;
    return {tensorFact(dtype, Shape{one, width})};
}

Answer featureVectorizer(const Call &call)
{
    const auto widths = call.sizes("inputdimensions");
    Dim total = std::int64_t{0};
    for (const Dim &width : widths.value_or(std::vector<Dim>{ir::UnknownDim{}}))
        total = plus(total, width);
    return {tensorFact(DType::Float32, Shape{samples(call), total})};
}

/// Selects the columns whose indices the second input gives.
Answer featureExtractor(const Call &call)
{
    auto shape = shapeAt(call, 0);
    const Shape *chosen = call.shape(1u);
    if (!shape || shape->empty() || !chosen)
        return onlyType(call.dtypeOf(0u), "shape of the input or the indices unknown");
    if (shape->size() == 1)
        shape->insert(shape->begin(), std::int64_t{1});
    shape->back() = elementsOf(*chosen);
    return {tensorFact(call.dtypeOf(0u), std::move(shape))};
}

/// Returns a list with one map per sample.
Answer zipMap(const Call &call)
{
    const Fact scores = tensorFact(DType::Float32, Shape{});
    return {manyOf(dictOfAny(scores), samples(call))};
}

// ---- Models

/// Returns the label of each sample, and `scores` numbers for each.
Answer classified(const Call &call, const Dim &scores)
{
    const bool hasTexts = count(call, "classlabels_strings") > 0;
    return {tensorFact(hasTexts ? DType::String : DType::Int64, Shape{samples(call)}),
            tensorFact(DType::Float32, Shape{samples(call), scores})};
}

Dim classes(const Call &call)
{
    const std::size_t labels =
        count(call, "classlabels_strings") + count(call, "classlabels_ints") + count(call, "classlabels_int64s");
    return labels > 0 ? Dim(static_cast<std::int64_t>(labels)) : Dim(ir::UnknownDim{});
}

Answer classifier(const Call &call) { return classified(call, classes(call)); }

/// If the node gives no probabilities, it scores pairs of classes; the number and order of the scores depend on the
/// model.
Answer svmClassifier(const Call &call)
{
    return classified(call, count(call, "prob_a") > 0 ? classes(call) : Dim(ir::UnknownDim{}));
}

Answer regressor(const Call &call)
{
    const Dim targets = call.has("n_targets") ? call.size("n_targets").value_or(ir::UnknownDim{})
                                              : call.size("targets").value_or(std::int64_t{1});
    const bool isTree = call.name() == "TreeEnsemble"; // only TreeEnsemble may compute in double precision
    return {tensorFact(isTree ? call.dtypeOf(0u) : DType::Float32, Shape{samples(call), targets})};
}

Cost regressionCost(const Call &call, std::span<const Fact>)
{
    const Shape *input = call.shape(0u);
    const auto coefficients = static_cast<std::int64_t>(count(call, "coefficients"));
    return {std::int64_t{0}, input ? times({std::int64_t{2}, samples(call), coefficients}) : Dim(ir::UnknownDim{})};
}

// ---- Training

/// Returns the updated tensors and their states. The inputs are the learning rate, the step count, all tensors, a
/// gradient for each of them, and `states` states for each of them.
template <std::size_t states>
Answer optimizer(const Call &call)
{
    const std::size_t tensors = call.inputCount() < 2 ? 0 : (call.inputCount() - 2) / (states + 2);
    Facts facts;
    for (std::size_t i = 0; i < tensors * (states + 1); ++i) {
        const TensorFact *tensor = call.tensor(2 + i % tensors);
        facts.emplace_back(tensor ? tensorFact(tensor->dtype, tensor->shape) : TensorFact());
    }
    return facts;
}

/// Returns one gradient for each of the first inputs.
Answer optimizerStep(const Call &call)
{
    Facts facts;
    for (std::size_t i = 0; i < call.resultCount(); ++i) {
        const TensorFact *tensor = call.tensor(i);
        facts.emplace_back(tensor ? tensorFact(tensor->dtype, tensor->shape) : TensorFact());
    }
    return facts;
}

constexpr Operator machineLearningRows[] = {
    Operator("ai.onnx.ml::CategoryMapper", Category::Indexing, Pattern::Picking, swapped),
    Operator("ai.onnx.ml::LabelEncoder", Category::Indexing, Pattern::Picking, labelEncoder, nullptr,
             {.compute = compute::encodedLabels}),
    Operator("ai.onnx.ml::OneHotEncoder", Category::Indexing, Pattern::Picking, oneHotEncoder),
    Operator("ai.onnx.ml::DictVectorizer", Category::ShapeView, Pattern::Moving, dictVectorizer),
    Operator("ai.onnx.ml::CastMap", Category::ShapeView, Pattern::Moving, castMap),
    Operator("ai.onnx.ml::FeatureVectorizer", Category::ShapeView, Pattern::Moving, featureVectorizer),
    Operator("ai.onnx.ml::ArrayFeatureExtractor", Category::ShapeView, Pattern::Moving, featureExtractor, nullptr,
             {.compute = compute::chosenFeatures}),
    Operator("ai.onnx.ml::ZipMap", Category::ShapeView, Pattern::Moving, zipMap),
    Operator("ai.onnx.ml::LinearClassifier", Category::MatrixProduct, Pattern::Other, classifier, regressionCost),
    Operator("ai.onnx.ml::LinearRegressor", Category::MatrixProduct, Pattern::Other, regressor, regressionCost,
             {.compute = compute::linearRegression}),
    Operator("ai.onnx.ml::SVMClassifier", Category::MatrixProduct, Pattern::Other, svmClassifier, unknownOther),
    Operator("ai.onnx.ml::SVMRegressor", Category::MatrixProduct, Pattern::Other, regressor, unknownOther),
    Operator("ai.onnx.ml::TreeEnsembleClassifier", Category::MatrixProduct, Pattern::Other, classifier, unknownOther,
             {.compute = compute::treeClassification}),
    Operator("ai.onnx.ml::TreeEnsembleRegressor", Category::MatrixProduct, Pattern::Other, regressor, unknownOther,
             {.compute = compute::treeRegression}),
    Operator("ai.onnx.ml::TreeEnsemble", Category::MatrixProduct, Pattern::Other, regressor, unknownOther,
             {.compute = compute::treeEnsemble}),
    Operator("ai.onnx.preview.training::Adam", Category::Elementwise, Pattern::Pointwise, optimizer<2>, onePerResult),
    Operator("ai.onnx.preview.training::Adagrad ai.onnx.preview.training::Momentum", Category::Elementwise,
             Pattern::Pointwise, optimizer<1>, onePerResult),
    Operator("ai.onnx.preview.training::Gradient", Category::Elementwise, Pattern::Pointwise, optimizerStep,
             unknownOther),
};

} // namespace

std::span<const Operator> machineLearningOperators() { return machineLearningRows; }

} // namespace cutaway::ops
