// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/base/result.h"
#include "core/formats/format.h"

#include "core/formats/archive/probe.h"
#include "core/formats/fx/reader.h"
#include "core/formats/graph_text/reader.h"
#include "core/formats/json/reader.h"
#include "core/formats/json/writer.h"
#include "core/formats/onnx/reader.h"
#include "core/formats/onnx/writer.h"
#include "core/formats/pt2/reader.h"
#include "core/formats/pt2/writer.h"
#include "core/formats/recognize.h"
#include "core/formats/safetensors/reader.h"
#include "core/formats/state_dict/reader.h"
#include "core/formats/torchscript/reader.h"
#include "core/formats/written.h"
#include "core/ir/node_ref.h"

#include <algorithm>
#include <array>

namespace cutaway::formats {

namespace {

constexpr std::array allFormats{
    Format{"pt2", "PyTorch exported program", "*.pt2", pt2::sniff, pt2::read, pt2::write},
    Format{"torchscript", "TorchScript module", "*.pt *.ptl *.pth", torchscript::sniff, torchscript::read},
    Format{"fx", "torch.fx graph module", "*.pt *.pth", fx::sniff, fx::read},
    Format{"state-dict", "PyTorch state dict", "*.pt *.pth *.bin *.ckpt", state_dict::sniff, state_dict::read},
    Format{"safetensors", "safetensors weights", "*.safetensors *.safetensors.index.json", safetensors::sniff,
           safetensors::read},
    Format{"onnx", "ONNX model", "*.onnx", onnx::sniff, onnx::read, onnx::write},
    Format{"json", "Cutaway model", "*.json", json::sniff, json::read, json::write},
    Format{"fx-text", "torch.fx graph as text", "*.txt *.md *.log *.py", graph_text::sniff, graph_text::read},
};

std::string refusal(const archive::Probe &file)
{
    if (file.bytes().empty())
        return "the file is empty";
    if (const auto sentence = recognize(file))
        return *sentence;
    return "not a model file that Cutaway knows: expected TorchScript, a torch.export .pt2 archive, ONNX, "
           "a torch.fx graph module or a graph of it as text, safetensors or a state dict";
}

Result<ir::Model> read(const archive::Probe &file, const Task &task)
{
    const Format *format = formatOf(file);
    if (!format)
        return unreadable(refusal(file));
    task.report("reading");
    auto model = format->read(file, task);
    if (model) {
        model->path = file.path().string();
        model->format = format->name;
        model->modulesByPath = {}; // only readers need this index, and every state that passes make would copy it
    }
    return model;
}

/// Returns the format in which a file of this name is written; nullptr if there is none.
const Format *writtenAs(const std::filesystem::path &path)
{
    const auto *found = std::ranges::find(allFormats, "*" + path.extension().string(), &Format::suffixes);
    return found != allFormats.end() && found->write ? found : nullptr;
}

/// Returns a text that names the first node whose operator is Cutaway's own and which no runtime knows: a group of
/// other nodes. Returns nothing if there is none.
std::optional<std::string> groupIn(const ir::Model &model)
{
    for (const ir::Function &function : model.functions)
        for (ir::NodeId id{0}; id.index < function.graph.nodeCount(); ++id.index)
            if (const ir::NodeRef node(function.graph, id); !node->removed && node.dialect() == "cutaway")
                return "a " + node.fullName() + " of '" + std::string(model.context->text(function.name)) + "'";
    return std::nullopt;
}

/// Returns why a format cannot express a model; nothing if it can. JSON can express every model.
std::optional<std::string> whyNotWritable(const ir::Model &model, const Format &format)
{
    if (format.write == json::write)
        return std::nullopt;
    if (format.name != model.format)
        return "a model that was read from " + (model.format.empty() ? "no file" : model.format)
            + " cannot be written as " + std::string(format.description) + "; convert it first";
    const auto group = groupIn(model);
    return group ? std::optional(*group + " is a group that a pass made, which " + std::string(format.description)
                                 + " cannot say; .json can")
                 : std::nullopt;
}

} // namespace

std::span<const Format> formats() { return allFormats; }

const Format *formatOf(const archive::Probe &file)
{
    const auto *found = std::ranges::find_if(allFormats, [&](const Format &format) { return format.sniff(file); });
    return found == allFormats.end() ? nullptr : found;
}

bool isWritable(std::string_view format)
{
    const auto *found = std::ranges::find(allFormats, format, &Format::name);
    return found != allFormats.end() && found->write;
}

Result<ir::Model> open(const std::filesystem::path &path, const Task &task)
{
    CUTAWAY_TRY(auto mapped, MappedFile::open(path));
    const auto file = std::make_shared<const MappedFile>(std::move(mapped));
    auto model = read(archive::Probe(file), task);
    file->releasePages();
    // If the file was changed meanwhile, report that error instead.
    CUTAWAY_RETURN_IF_ERROR(file->checkUnchanged());
    return model;
}

Result<void> write(const ir::Model &model, const std::filesystem::path &path, const Task &task)
{
    task.report("writing");
    const Format *format = writtenAs(path);
    if (!format)
        return usageError("models are written as .onnx, .pt2 or .json", path.string());
    if (const auto reason = whyNotWritable(model, *format))
        return usageError(*reason, path.string());
    CUTAWAY_TRY(auto written, format->write(model, path, task));
    Result<void> done = checkWritten(model, written, task);
    for (PartFile &part : written.parts)
        done = std::move(done).and_then([&] { return part.takePlace(); });
    return done;
}

} // namespace cutaway::formats
