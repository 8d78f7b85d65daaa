// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tensor/tensor_report.h"

#include "core/base/json_writer.h"
#include "core/ir/context.h"
#include "core/ir/names.h"

namespace cutaway::report {

namespace {

void writeSizes(JsonWriter &out, std::string_view key, const std::vector<std::int64_t> &sizes)
{
    out.key(key);
    out.beginArray();
    for (const std::int64_t size : sizes)
        out.value(size);
    out.endArray();
}

/// Writes statistics; they are NaN where there are no finite numbers.
void writeStatistics(JsonWriter &out, const tensor::Statistics &statistics)
{
    out.beginObject();
    out.member("count", statistics.count);
    out.member("finite", statistics.finite);
    out.member("min", statistics.min);
    out.member("max", statistics.max);
    out.member("mean", statistics.mean);
    out.member("std", statistics.deviation());
    out.member("zeros", statistics.zeros);
    out.member("nan", statistics.nans);
    out.member("inf", statistics.positiveInfinities);
    out.member("negative_inf", statistics.negativeInfinities);
    out.endObject();
}

void writeHistogram(JsonWriter &out, const tensor::Histogram &histogram)
{
    out.beginObject();
    out.member("first", histogram.first);
    out.member("last", histogram.last);
    out.key("counts");
    out.beginArray();
    for (const std::uint64_t count : histogram.counts)
        out.value(count);
    out.endArray();
    out.endObject();
}

void writeTensor(JsonWriter &out, const ir::Model &model, ir::TensorId id)
{
    const ir::Tensor &tensor = model.at(id);
    out.member("name", model.context->text(tensor.name));
    out.member("kind", ir::name(tensor.kind));
    out.member("dtype", ir::name(tensor.dtype));
    out.member("layout", ir::name(tensor.layout));
    writeSizes(out, "shape", tensor.shape);
    if (tensor.strides)
        writeSizes(out, "strides", *tensor.strides);
    if (const auto bytes = ir::byteSize(tensor))
        out.member("bytes", *bytes);
    const ir::Storage &storage = model.at(tensor.storage);
    if (const auto *range = std::get_if<ir::FileRange>(&storage.data)) {
        out.key("storage");
        out.beginObject();
        out.member("file", model.at(range->file).path.filename().string());
        out.member("offset", range->offset);
        out.member("length", range->length);
        out.endObject();
        out.member("storage_offset", tensor.offset);
    } else if (const auto *none = std::get_if<ir::NoBytes>(&storage.data)) {
        out.member("missing", none->reason);
    }
}

void writeQuantization(JsonWriter &out, const tensor::Quantization &quantization)
{
    out.key("quantization");
    out.beginObject();
    if (quantization.scales.size() > 1)
        out.member("axis", static_cast<std::uint64_t>(quantization.axis));
    const auto list = [&](std::string_view key, const std::vector<double> &numbers) {
        out.key(key);
        out.beginArray();
        for (const double number : numbers)
            out.value(number);
        out.endArray();
    };
    list("scales", quantization.scales);
    list("zero_points", quantization.zeroPoints);
    out.endObject();
}

void writeSummary(JsonWriter &out, const TensorFacts &facts)
{
    out.member("statistics_of", facts.areMagnitudes ? "magnitudes" : facts.areDequantized ? "dequantized" : "elements");
    out.key("statistics");
    writeStatistics(out, facts.summary->whole);
    out.key("histogram");
    writeHistogram(out, facts.summary->histogram);
    if (const auto &channels = facts.summary->channels) {
        out.member("channel_dimension", static_cast<std::uint64_t>(channels->dim));
        out.key("channels");
        out.beginArray();
        for (const tensor::Statistics &channel : channels->each)
            writeStatistics(out, channel);
        out.endArray();
    }
}

void writeTexts(JsonWriter &out, std::string_view key, const std::vector<std::string> &texts)
{
    out.key(key);
    out.beginArray();
    for (const std::string &text : texts)
        out.value(text);
    out.endArray();
}

} // namespace

std::string tensorJson(const TensorFacts &facts)
{
    JsonWriter out;
    out.beginObject();
    out.member("schema", "cutaway.tensor/1");
    out.member("model", facts.model.path);
    writeTensor(out, facts.model, facts.tensor);
    if (facts.quantization)
        writeQuantization(out, *facts.quantization);
    if (facts.summary)
        writeSummary(out, facts);
    if (facts.part) {
        out.key("slice");
        out.beginObject();
        out.member("text", facts.part->text);
        writeSizes(out, "shape", facts.part->shape);
        writeTexts(out, "elements", facts.part->elements);
        out.endObject();
    }
    writeTexts(out, "not_known", facts.notKnown);
    out.endObject();
    return out.take();
}

std::string tensorListJson(const ir::Model &model)
{
    JsonWriter out;
    out.beginObject();
    out.member("schema", "cutaway.tensors/1");
    out.member("model", model.path);
    out.key("tensors");
    out.beginArray();
    for (ir::TensorId id{0}; id.index < model.tensors.size(); ++id.index) {
        out.beginObject();
        writeTensor(out, model, id);
        out.endObject();
    }
    out.endArray();
    out.endObject();
    return out.take();
}

std::string tensorComparisonJson(const TensorComparison &compared)
{
    const tensor::Comparison &comparison = compared.comparison;
    JsonWriter out;
    out.beginObject();
    out.member("schema", "cutaway.tensor-comparison/1");
    const auto side = [&](std::string_view key, const ir::Model &model, ir::TensorId id) {
        out.key(key);
        out.beginObject();
        out.member("model", model.path);
        writeTensor(out, model, id);
        out.endObject();
    };
    side("a", compared.modelA, compared.a);
    side("b", compared.modelB, compared.b);
    out.member("elements", comparison.elements);
    out.member("differing", comparison.differing);
    if (comparison.firstDifference) {
        out.member("first_difference", *comparison.firstDifference);
        out.member("max_abs_at", comparison.maxAbsoluteAt);
        out.member("max_rel_at", comparison.maxRelativeAt);
    }
    out.member("max_abs", comparison.maxAbsolute);
    out.member("max_rel", comparison.maxRelative);
    out.endObject();
    return out.take();
}

} // namespace cutaway::report
