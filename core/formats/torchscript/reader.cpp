// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/reader.h"

#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/formats/archive/probe.h"
#include "core/formats/torchscript/attachments.h"
#include "core/formats/torchscript/enums.h"
#include "core/formats/torchscript/lowering/lowering.h"
#include "core/formats/torchscript/objects.h"
#include "core/formats/unusable.h"
#include "core/ir/context.h"
#include "core/ir/signatures.h"

#include <algorithm>
#include <charconv>

namespace cutaway::formats::torchscript {

namespace {

using archive::Zip;

constexpr int oldestVersion = 1;
constexpr int newestVersion = 10;

std::string memberPath(const Zip &zip, std::string_view path) { return std::string(zip.root()).append(path); }

bool isTorchScript(const Zip &zip)
{
    const std::string code = memberPath(zip, "code/");
    return zip.find(memberPath(zip, "constants.pkl")) && zip.find(memberPath(zip, "data.pkl"))
        && !zip.find(memberPath(zip, "archive_format"))
        && std::ranges::any_of(zip.members(), [&](const auto &member) { return member.name.starts_with(code); });
}

/// Returns the version of the file's format, from "version" or, since 6, ".data/version". Operators depend on it.
std::optional<int> formatVersion(const Zip &zip)
{
    for (const std::string_view name : {".data/version", "version"}) {
        const archive::Member *member = zip.find(memberPath(zip, name));
        const auto content = member && member->size < 64 ? zip.read(*member) : unreadable("");
        int number = 0;
        const std::string_view text = content ? content->text() : "";
        if (std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc())
            return number;
    }
    return std::nullopt;
}

void noteVersion(ir::Model &model, std::optional<int> version, Notes &notes)
{
    if (!version)
        return notes.warning("torchscript.version", "the archive does not say which version of the format it has");
    model.formatVersion = formatted("file format {}", *version);
    if (*version < oldestVersion || *version > newestVersion)
        notes.warning("torchscript.version",
                      formatted("the archive has version {} of the format; {} to {} are known", *version, oldestVersion,
                                newestVersion));
}

/// Throws if there is no code for the root's own class: the model would have no graph.
void checkRootHasCode(const Code &code, const Objects &objects)
{
    if (objects.instances.empty() || objects.instances[0].definition)
        return;
    const std::string what = "the archive has no code of the model's class " + shown(objects.instances[0].className);
    if (const auto &error = code.firstError())
        unusable(what + ": " + error->message, error->where);
    unusable(what, "code/");
}

/// Returns "ResNet" for "torchvision.models.resnet.ResNet".
std::string lastPart(std::string_view name) { return std::string(name.substr(name.rfind('.') + 1)); }

ir::Model readModel(const archive::Probe &file, const Task &task)
{
    const Zip &zip = *orThrow(file.zip());
    if (!isTorchScript(zip))
        unusable("not a TorchScript archive: expected data.pkl, constants.pkl and code/ in one folder");
    ir::Model model;
    model.path = file.path().string();
    model.format = "torchscript";
    model.producer = "pytorch";
    model.files.push_back(file.file());
    Notes notes(model);
    if (zip.root().empty())
        notes.warning("torchscript.archive", "the archive's members lie in no folder, as PyTorch puts them");
    const auto version = formatVersion(zip);
    noteVersion(model, version, notes);
    task.report("reading code");
    const Code code = orThrow(Code::read(zip, memberPath(zip, "code/"), notes, task));
    task.report("reading objects");
    Types types(model, code);
    const Objects objects = orThrow(readObjects(model, ir::FileId{0}, zip, code, types, notes));
    checkRootHasCode(code, objects);
    model.name = lastPart(model.context->text(model.modules[0].className));
    task.report("reading graphs");
    orThrow(lowerCode(model, version, code, objects, types, notes, task));
    for (const auto &defined : code.classes())
        if (std::string members = memberNames(*model.context, *defined); !members.empty())
            model.metadata.emplace_back(ir::enumKey(defined->name), std::move(members));
    model.attachments = attachmentsOf(zip, code, ir::FileId{0});
    notes.finish();
    return model;
}

} // namespace

bool sniff(const archive::Probe &file) { return file.isZip() && isTorchScript(**file.zip()); }

Result<ir::Model> read(const archive::Probe &file, const Task &task)
{
    return resultOf([&] { return readModel(file, task); });
}

} // namespace cutaway::formats::torchscript
