// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/fx/reader.h"

#include "core/base/text.h"
#include "core/formats/archive/probe.h"
#include "core/formats/fx/lowering/forward.h"
#include "core/formats/notes/notes.h"
#include "core/formats/unusable.h"

namespace cutaway::formats::fx {

namespace {

using archive::TorchSave;

/// Whether the archive has a data.pkl but none of the other members that TorchScript and others have beside it.
bool hasOnlyPickle(const archive::Zip &zip)
{
    const auto has = [&](std::string_view name) { return zip.find(std::string(zip.root()).append(name)) != nullptr; };
    return has("data.pkl") && !has("constants.pkl") && !has("bytecode.pkl");
}

bool isGraphModule(const archive::Pickle &pickle) { return graphModuleCode(pickle, pickle.root()).has_value(); }

ir::Model fxModel(const archive::Probe &file, const Task &task)
{
    const TorchSave &saved = *orThrow(file.torchSave());
    const auto code = graphModuleCode(saved.pickle(), saved.pickle().root());
    if (!code)
        unusable("the file is no torch.fx.GraphModule that torch.save wrote", "data.pkl");
    ir::Model model;
    model.path = file.path().string();
    model.format = "fx";
    model.producer = "pytorch";
    model.files.push_back(file.file());
    Notes notes(model);
    task.report("reading modules");
    SavedModules modules(model, saved, notes);
    orThrow(modules.read());
    const std::string &className = modules.at(SavedModules::root).className;
    model.name = className.substr(className.rfind('.') + 1);
    task.report("reading the graph");
    model.functions.push_back(orThrow(lowerForward(model, modules, notes)));
    model.attachments.push_back({"forward.py", sanitized(code->source, true), {}});
    notes.finish();
    return model;
}

} // namespace

bool sniff(const archive::Probe &file)
{
    if (!file.isZip() || !hasOnlyPickle(**file.zip()))
        return false;
    const auto saved = file.torchSave();
    return saved && isGraphModule((*saved)->pickle());
}

Result<ir::Model> read(const archive::Probe &file, const Task &task)
{
    return resultOf([&] { return fxModel(file, task); });
}

} // namespace cutaway::formats::fx
