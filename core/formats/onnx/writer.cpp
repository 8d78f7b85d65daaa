// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/formats/onnx/writer.h"

#include "core/base/formatted.h"
#include "core/formats/limits.h"
#include "core/formats/onnx/reader.h"
#include "core/formats/onnx/write/attribute_writer.h"
#include "core/formats/onnx/write/graph_writer.h"
#include "core/formats/onnx/write/message_writer.h"
#include "core/formats/onnx/write/writing.h"
#include "core/formats/unusable.h"
#include "core/ir/context.h"
#include "core/ir/tensors/tensor_bytes.h"
#include "core/ops/schemas/schema_table.h"

#include <charconv>
#include <map>
#include <ranges>
#include <set>

// How a file is written: the messages of the whole model are made in memory, with gaps for the elements of tensors
// (MessageWriter), so that their size is known. Then the file is written from front to back, and the gaps are filled
// from the files that hold the weights. At last the new files take the places of the old ones.

namespace cutaway::formats::onnx {

namespace {

constexpr std::int64_t firstVersionWithoutListing = 4;
constexpr std::int64_t versionIfUnknown = 8;

std::optional<std::int64_t> numberOf(std::string_view text)
{
    std::int64_t n = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    return error == std::errc{} && end == text.data() + text.size() ? std::optional(n) : std::nullopt;
}

/// Returns the number in "ir 8".
std::int64_t irVersionOf(const ir::Model &model)
{
    constexpr std::string_view start = "ir ";
    const std::string_view text = model.formatVersion;
    return (text.starts_with(start) ? numberOf(text.substr(start.size())) : std::nullopt).value_or(versionIfUnknown);
}

MessageWriter opsetMessage(std::string_view domain, std::int64_t version)
{
    MessageWriter opset;
    opset.text(1, domain == "ai.onnx" ? std::string_view() : domain);
    opset.integer(2, version);
    return opset;
}

/// Returns the operator of the nodes that call a function. Its full name is the name of the function.
ir::Operator operatorOf(const ir::Model &model, const ir::Function &function)
{
    ir::Context &context = *model.context;
    const std::string_view name = context.text(function.name);
    for (std::uint32_t i = 0; i < context.opCount(); ++i)
        if (context.print(ir::OpId{i}) == name)
            return context.at(ir::OpId{i});
    const std::size_t colons = name.rfind("::");
    const bool hasDomain = colons != std::string_view::npos;
    return {context.name(hasDomain ? name.substr(0, colons) : "onnx"),
            context.name(hasDomain ? name.substr(colons + 2) : name),
            {}};
}

using Opsets = std::vector<std::pair<std::string, std::int64_t>>;

/// Reads "ai.onnx 17, my.domain 1".
Opsets parseOpsets(std::string_view text)
{
    Opsets opsets;
    for (const auto part : text | std::views::split(std::string_view(", "))) {
        const std::string item(part.begin(), part.end());
        const std::size_t space = item.rfind(' ');
        if (space != item.npos)
            opsets.emplace_back(item.substr(0, space), numberOf(item.substr(space + 1)).value_or(0));
    }
    return opsets;
}

std::int64_t versionOf(const Opsets &opsets, std::string_view domain)
{
    const auto found =
        std::ranges::find(opsets, domain, [](const auto &opset) { return std::string_view(opset.first); });
    return found == opsets.end() ? 1 : found->second;
}

/// Refuses an operator of torch, unless the model imports a domain of its dialect's name.
void rejectTorch(const ir::NodeRef &node, const Opsets &imported)
{
    const auto isIts = [&](const auto &opset) { return opset.first == node.dialect(); };
    if (std::ranges::none_of(imported, isIts) && !ops::schemasOf(node.dialect(), node.opName()).empty())
        unwritable("an ONNX file has no operators of torch, such as " + node.fullName());
}

/// Writes opset_import of a model or a local function. Nodes that a pass has made may be of a domain that the file
/// did not import, which is then imported in version 1.
void addOpsets(MessageWriter &message, std::uint32_t field, const Opsets &imported, const ir::Graph &graph)
{
    std::set<std::string_view> newDomains;
    for (ir::NodeId id{0}; id.index < graph.nodeCount(); ++id.index)
        if (const ir::NodeRef node(graph, id); !node->removed && node.dialect() != "onnx") {
            rejectTorch(node, imported);
            if (!node->origins.empty())
                newDomains.insert(node.dialect());
        }
    for (const auto &[domain, version] : imported) {
        newDomains.erase(domain);
        message.message(field, opsetMessage(domain, version));
    }
    for (const std::string_view domain : newDomains)
        message.message(field, opsetMessage(domain, 1));
}

MessageWriter functionMessage(Writing &writing, ScopeTexts &scopes, const ir::Function &function)
{
    const ir::Operator op = operatorOf(writing.model, function);
    const std::string where = "function " + std::string(writing.text(function.name));
    const std::string_view imported = writing.texts.take("function", writing.text(function.name), "opset_import");
    const Opsets opsets = imported.empty() ? writing.model.opsets : parseOpsets(imported);
    MessageWriter message;
    message.text(1, writing.text(op.name));
    GraphWriter(writing, scopes, function, versionOf(opsets, "ai.onnx")).writeLocal(message);
    for (const ir::Argument &attribute : function.attributes)
        if (attribute.value.as<ir::None>())
            message.text(6, writing.text(attribute.name));
        else
            message.message(11, attributeMessage(writing, writing.text(attribute.name), attribute.value, where));
    message.textIfAny(8, function.documentation);
    addOpsets(message, 9, opsets, function.graph);
    message.text(10, writing.text(op.dialect) == "onnx" ? std::string_view() : writing.text(op.dialect));
    message.textIfAny(13, writing.text(op.overload));
    for (const auto &[key, text] : writing.texts.take("function", writing.text(function.name)))
        message.entry(14, key, text);
    return message;
}

/// Writes parts of the file that the reader kept as they are.
void addKeptParts(MessageWriter &message, const ir::Model &model)
{
    constexpr std::pair<std::string_view, std::uint32_t> parts[] = {{"model: training_info", 20},
                                                                    {"model: device_configuration", 26}};
    for (const ir::Attachment &attachment : model.attachments)
        for (const auto &[name, field] : parts) {
            if (attachment.name != name || !attachment.range)
                continue;
            const auto bytes = ir::bytesOf(model, ir::Storage{*attachment.range, attachment.range->length});
            if (!bytes)
                unwritable(bytes.error().message, attachment.name);
            message.text(field, {reinterpret_cast<const char *>(bytes->bytes.data()), bytes->bytes.size()});
        }
}

MessageWriter modelMessage(Writing &writing)
{
    const ir::Model &model = writing.model;
    const std::int64_t irVersion = irVersionOf(model);
    MessageWriter message;
    message.integer(1, irVersion);
    message.textIfAny(2, model.producer);
    message.textIfAny(3, model.producerVersion);
    message.textIfAny(4, writing.texts.take("model", {}, "domain"));
    if (const auto version = numberOf(writing.texts.take("model", {}, "model_version")))
        message.integer(5, *version);
    message.textIfAny(6, model.documentation);
    ScopeTexts scopes(model, model.functions.front());
    message.message(7,
                    GraphWriter(writing, scopes, model.functions.front(), model.opset("onnx"))
                        .mainGraph(irVersion < firstVersionWithoutListing));
    addOpsets(message, 8, model.opsets, model.functions.front().graph);
    for (const auto &[key, text] : model.metadata)
        message.entry(14, key, text);
    addKeptParts(message, model);
    for (const ir::Function &function : model.functions | std::views::drop(1)) {
        ScopeTexts ofFunction(model, function);
        message.message(25, functionMessage(writing, ofFunction, function));
    }
    return message;
}

struct Planned {
    MessageWriter message;
    WeightPlacement placement;
    std::vector<std::pair<ir::TensorId, std::string>> weights;
};

Planned plan(const ir::Model &model, const std::filesystem::path &path, WeightPlacement::Policy policy)
{
    Writing writing(model, WeightPlacement(model, path, policy));
    MessageWriter message = modelMessage(writing);
    if (message.size() <= limits::maxMessageSize)
        return {std::move(message), std::move(writing.placement), std::move(writing.weights)};
    if (policy == WeightPlacement::Policy::AsTheyAre)
        return plan(model, path, WeightPlacement::Policy::AllOutside);
    unwritable(formatted("the model without its weights has {} bytes; an ONNX file has at most {}", message.size(),
                         limits::maxMessageSize));
}

void fillData(const PartFile &part, const WeightPlacement &placement, const Task &task)
{
    if (std::error_code ignored; std::filesystem::is_directory(part.place(), ignored))
        orThrow<void>(backendError("could not save the file: a folder has its name", part.place().string()));
    orThrow(part.fill([&](OutputFile &file) { return placement.writeData(file, task); }));
}

} // namespace

Result<Written> write(const ir::Model &model, const std::filesystem::path &path, const Task &task)
{
    return resultOf([&] {
        Planned planned = plan(model, path, WeightPlacement::Policy::AsTheyAre);
        Written written;
        written.weights = std::move(planned.weights);
        // The model is renamed first, so that a failure does not leave weights without a model.
        written.parts.emplace_back(path);
        if (const std::filesystem::path data = planned.placement.dataFile(); !data.empty())
            fillData(written.parts.emplace_back(data), planned.placement, task);
        const PartFile &part = written.parts.front();
        orThrow(part.fill([&](OutputFile &file) { return planned.message.writeTo(file, model, task); }));
        const auto made = std::make_shared<const MappedFile>(orThrow(MappedFile::open(part.path())));
        std::map<std::filesystem::path, std::filesystem::path> replacements;
        for (const PartFile &each : written.parts)
            replacements.emplace(each.place(), each.path());
        written.content = orThrow(readBack(readBytes(made->bytes(), {part.path(), made}, task, replacements)));
        return written;
    });
}

} // namespace cutaway::formats::onnx
