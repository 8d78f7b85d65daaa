// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plugin/importing.h"

#include "core/base/formatted.h"
#include "core/base/result.h"
#include "core/formats/archive/probe.h"
#include "core/formats/format.h"
#include "core/ir/json/json.h"
#include "core/ir/verify.h"
#include "core/plugin/readable_files.h"
#include "core/plugin/session.h"

#include <algorithm>

namespace cutaway::plugin {

namespace {

namespace fs = std::filesystem;

std::unexpected<Error> badModel(const Manifest &plugin, std::string_view fault)
{
    return std::unexpected(
        Error{ErrorKind::Backend, formatted("the plugin '{}' gave a model with a fault: {}", plugin.name, fault), {}});
}

bool isWithin(const fs::path &file, const fs::path &folder)
{
    const auto [end, rest] = std::ranges::mismatch(folder, file);
    return end == folder.end();
}

/// Makes the paths of weight files absolute. Returns an error if one is outside of `folders`: Cutaway reads weights
/// outside of the sandbox, so only files that the plugin may read are allowed.
std::optional<std::string> placeFiles(ir::Model &model, const std::vector<fs::path> &folders)
{
    for (ir::DataFile &file : model.files) {
        std::error_code error;
        const fs::path path = fs::weakly_canonical(folders.front() / file.path, error);
        if (error || std::ranges::none_of(folders, [&](const fs::path &folder) { return isWithin(path, folder); }))
            return formatted("its weights lie in '{}', outside of the model's folder", file.path.string());
        file.path = path;
    }
    return std::nullopt;
}

/// Whether formats::open() should report the error, since the file is missing, or of a known format.
bool isKnown(const fs::path &path)
{
    auto file = MappedFile::open(path);
    return !file || formats::formatOf(formats::archive::Probe(std::make_shared<const MappedFile>(std::move(*file))));
}

} // namespace

const Manifest *importerOf(const fs::path &file, std::span<const Manifest> plugins)
{
    for (const Manifest &plugin : plugins)
        for (const ImporterOffer &importer : plugin.importers)
            if (std::ranges::contains(importer.suffixes, file.extension().string()))
                return &plugin;
    return nullptr;
}

Result<ir::Model> importFile(const Manifest &plugin, const fs::path &file, const Task &task)
{
    CUTAWAY_TRY(const auto targets, readTargets());
    const Target &here = targets.front();
    const std::vector<fs::path> folders = foldersTo(file);
    task.report("asking the plugin " + plugin.name);
    Session session(plugin, here, folders);
    CUTAWAY_TRY(const auto reply, session.call(protocol::Import{placeOf(file).string()}, {}, task));
    auto model = ir::parseJson(reply.payload);
    if (!model)
        return badModel(plugin, model.error().text());
    if (const auto faults = ir::verify(*model); !faults.empty())
        return badModel(plugin, faults.front());
    if (const auto fault = placeFiles(*model, folders))
        return badModel(plugin, *fault);
    model->path = file.string();
    model->format = plugin.name;
    const auto why = whyNoSandbox(here);
    model->diagnose(why ? ir::Severity::Warning : ir::Severity::Info, "plugin.import",
                    formatted("read by the plugin '{}' {}, {}", plugin.name, plugin.version,
                              why ? "without a sandbox: " + *why : "in a sandbox"));
    return model;
}

Result<ir::Model> open(const fs::path &file, const Task &task)
{
    auto model = formats::open(file, task);
    if (model || isKnown(file))
        return model;
    const Found found = findPlugins();
    if (const Manifest *importer = importerOf(file, found.plugins))
        return importFile(*importer, file, task);
    if (const Manifest *absent = importerOf(file, found.elsewhere))
        return unreadable(findPlugin(absent->name, found).error().message);
    return model;
}

} // namespace cutaway::plugin
