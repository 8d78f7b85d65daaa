// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/base/json_writer.h"
#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/print/csv.h"
#include "core/print/figures.h"
#include "core/print/text_table.h"
#include "core/survey/inquiry.h"

#include <array>

namespace cutaway::survey {

namespace {

using query::Property;

std::string numberOf(std::size_t n) { return grouped(static_cast<long long>(n)); }

std::string opsetOf(const Entry &model)
{
    std::string text;
    for (const OpsetUse &opset : model.opsets)
        text += (text.empty() ? "" : ", ") + opset.domain + " " + std::to_string(opset.version);
    return text;
}

/// Shortens a formula to its beginning: it may be longer than the rest of the table.
std::string shortFormula(const std::string &formula)
{
    constexpr std::size_t longest = 40;
    return formula.size() <= longest ? formula : formula.substr(0, longest) + "…";
}

/// Returns a number, a formula, a lower bound, or "?" as text.
std::string costText(const Figure &figure, std::string (*text)(const ir::Dim &, const ir::Dim &))
{
    if (!figure.value && !figure.formula.empty())
        return shortFormula(figure.formula);
    const ir::Dim atLeast = figure.atLeast ? ir::Dim(*figure.atLeast) : ir::Dim(ir::UnknownDim());
    return text(figure.value ? ir::Dim(*figure.value) : ir::Dim(ir::UnknownDim()), atLeast);
}

std::string figureText(const Entry &model, Property figure)
{
    switch (figure) {
    case Property::Flops:
        return costText(model.costs.flops, print::flopText);
    case Property::OtherFlops:
        return costText(model.costs.otherFlops, print::flopText);
    case Property::Memory:
        return costText(model.costs.peakBytes, print::bytesText);
    case Property::Time:
        return model.costs.seconds ? print::secondsText(*model.costs.seconds) : "?";
    case Property::Params:
        return grouped(model.parameters) + " parameters";
    case Property::Weights:
        return byteCount(static_cast<double>(model.weightBytes));
    case Property::Bytes:
        return byteCount(static_cast<double>(model.bytes));
    case Property::Nodes:
        return quantity(model.nodes, "node");
    default:
        return opsetOf(model);
    }
}

std::string modelsText(const Inquiry &inquiry, const std::vector<Entry> &found)
{
    const std::vector<Property> figures = modelFiguresIn(inquiry.query);
    std::vector<print::TextTable::Column> columns(2);
    columns.resize(2 + figures.size(), {.align = print::TextTable::Align::Right});
    print::TextTable table(std::move(columns));
    for (const Entry &model : found) {
        std::vector<std::string> cells{sanitized(model.path),
                                       model.state == State::Read ? model.format : std::string(name(model.state))};
        for (const Property figure : figures)
            cells.push_back(model.state == State::Read || figure == Property::Bytes ? figureText(model, figure) : "?");
        table.addRow(std::move(cells));
    }
    return table.print(2);
}

void writeFigure(JsonWriter &out, std::string_view key, const Figure &figure)
{
    out.key(key);
    if (figure.value)
        return out.value(*figure.value);
    figure.formula.empty() ? out.null() : out.value(figure.formula);
}

void writeMeasurement(JsonWriter &out, const Measurement &measurement)
{
    out.beginObject();
    out.member("machine", measurement.machine);
    out.member("backend", measurement.backend);
    out.member("request", measurement.request);
    out.member("processor", measurement.processor);
    out.member("state", name(measurement.state));
    if (!measurement.message.empty())
        out.member("message", measurement.message);
    for (const auto &[key, value] : {std::pair("seconds", measurement.seconds), std::pair("p5", measurement.p5),
                                     std::pair("p95", measurement.p95), std::pair("predicted", measurement.predicted)})
        if (value)
            out.member(key, *value);
    if (measurement.peakBytes)
        out.member("peak_bytes", *measurement.peakBytes);
    out.endObject();
}

void writeModel(JsonWriter &out, const Entry &model)
{
    out.beginObject();
    out.member("path", model.path);
    out.member("state", name(model.state));
    out.member("bytes", model.bytes);
    if (model.state == State::Read) {
        out.member("format", model.format);
        out.member("producer", model.producer);
        out.member("producer_version", model.producerVersion);
        out.key("opsets");
        out.beginObject();
        for (const OpsetUse &opset : model.opsets)
            out.member(opset.domain, opset.version);
        out.endObject();
        out.member("nodes", model.nodes);
        out.member("params", model.parameters);
        out.member("weights", model.weightBytes);
        writeFigure(out, "flops", model.costs.flops);
        writeFigure(out, "other_flops", model.costs.otherFlops);
        writeFigure(out, "memory", model.costs.peakBytes);
        out.key("seconds");
        model.costs.seconds ? out.value(*model.costs.seconds) : out.null();
        out.key("profiles");
        out.beginArray();
        for (const Measurement &each : model.measurements)
            writeMeasurement(out, each);
        out.endArray();
    }
    out.endObject();
}

void writeNotKnown(JsonWriter &out, const InquiryResult &result)
{
    out.key("not_known");
    out.beginArray();
    for (const auto &[property, models] : result.notKnown) {
        out.beginObject();
        out.member("why", notKnownText(property, models));
        out.member("models", std::uint64_t{models});
        out.endObject();
    }
    out.endArray();
    out.key("not_asked");
    out.beginArray();
    for (const NotAsked &each : result.notAsked) {
        out.beginObject();
        out.member("path", each.path);
        out.member("why", each.why);
        out.endObject();
    }
    out.endArray();
}

std::string costCell(const Figure &figure) { return figure.value ? std::to_string(*figure.value) : figure.formula; }

} // namespace

std::string inquiryText(const std::string &survey, const Inquiry &inquiry, const InquiryResult &result)
{
    std::string text =
        formatted("{}: {} of {}", sanitized(survey), numberOf(result.found.size()), quantity(result.models, "model"));
    if (result.opened > 0)
        text += formatted(", {} of which {} opened", numberOf(result.opened), result.opened == 1 ? "was" : "were");
    text += "\n" + modelsText(inquiry, result.found);
    for (const auto &[property, models] : result.notKnown)
        text += notKnownText(property, models) + "\n";
    if (result.notRead > 0)
        text += formatted("{} {} not read by the survey\n", quantity(result.notRead, "model"),
                          result.notRead == 1 ? "was" : "were");
    for (const NotAsked &each : result.notAsked)
        text += formatted("not known: {}: {}\n", sanitized(each.path), each.why);
    return text;
}

std::string inquiryJson(const std::string &survey, const Inquiry &inquiry, const InquiryResult &result)
{
    JsonWriter out;
    out.beginObject();
    out.member("schema", "cutaway.survey_query/1");
    out.member("survey", survey);
    out.member("query", inquiry.text);
    out.member("request", inquiry.request.name());
    out.member("models", std::uint64_t{result.models});
    out.member("opened", std::uint64_t{result.opened});
    out.key("found");
    out.beginArray();
    for (const Entry &model : result.found)
        writeModel(out, model);
    out.endArray();
    writeNotKnown(out, result);
    out.member("not_read", std::uint64_t{result.notRead});
    out.endObject();
    return out.take();
}

std::string inquiryCsv(const InquiryResult &result)
{
    std::string text = print::csvRow(
        std::array<std::string, 14>{"path", "state", "bytes", "format", "producer", "producer_version", "opsets",
                                    "nodes", "params", "weights", "flops", "other_flops", "memory", "seconds"});
    for (const Entry &model : result.found) {
        const auto ifRead = [&](const std::string &cell) { return model.state == State::Read ? cell : std::string(); };
        text += print::csvRow(std::array<std::string, 14>{
            model.path, std::string(name(model.state)), std::to_string(model.bytes), model.format, model.producer,
            model.producerVersion, opsetOf(model), ifRead(std::to_string(model.nodes)),
            ifRead(std::to_string(model.parameters)), ifRead(std::to_string(model.weightBytes)),
            costCell(model.costs.flops), costCell(model.costs.otherFlops), costCell(model.costs.peakBytes),
            model.costs.seconds ? formatted("{}", *model.costs.seconds) : ""});
    }
    return text;
}

} // namespace cutaway::survey
