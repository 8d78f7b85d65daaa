// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/pt2/reader.h"

#include "core/base/text.h"
#include "core/formats/archive/probe.h"
#include "core/formats/pt2/json.h"
#include "core/formats/pt2/package.h"
#include "core/formats/pt2/read/program.h"
#include "core/formats/pt2/read/reading.h"
#include "core/formats/pt2/read/weights.h"
#include "core/formats/unusable.h"

#include <algorithm>

namespace cutaway::formats::pt2 {

namespace {

/// Throws an error that says what the file contains instead of a program.
[[noreturn]] void throwWithoutProgram(const Package &package)
{
    const auto holds = [&](std::string_view folder) {
        return std::ranges::any_of(package.zip.members(), [&](const archive::Member &member) {
            return package.relative(member).starts_with(folder);
        });
    };
    if (holds("data/aotinductor/"))
        unusable("an AOTInductor package: compiled code only, without the graph it was made from; open the .pt2 file "
                 "that torch.export.save wrote");
    if (holds("data/executorch/"))
        unusable("a package of ExecuTorch programs without an exported graph; open the .pt2 file that "
                 "torch.export.save wrote");
    const bool isFlat = package.layout == Package::Layout::Flat;
    unusable("the .pt2 archive has no program",
             isFlat ? "serialized_exported_program.json is missing" : "models/*.json is missing");
}

void readMember(Reading &reading, const Package &package, const ProgramMember &program, bool isMain)
{
    reading.program = sanitized(package.relative(*program.member));
    reading.task.report("reading " + reading.program);
    const auto content = orThrow(package.zip.read(*program.member));
    const auto document = orThrow(JsonDocument::parse(content.text(), reading.program));
    const Weights weights = readWeights(reading, package, program.name, ir::FileId{0});
    readProgram(reading, document.root(), isMain ? "forward" : program.name, isMain ? "" : program.name + ".", weights);
}

ir::Model readModel(const archive::Probe &file, const Task &task)
{
    const auto package = Package::of(file.bytes(), *orThrow(file.zip()));
    if (!package)
        unusable("no torch.export archive");
    const auto programs = package->programs();
    if (programs.empty())
        throwWithoutProgram(*package);

    ir::Model model;
    model.path = file.path().string();
    model.format = "pt2";
    model.name = file.path().stem().string();
    model.files.push_back(file.file());
    Reading reading(model, task);
    for (const ProgramMember &program : programs)
        readMember(reading, *package, program, &program == &programs.front());
    reading.notes.finish();
    model.attachments = attachmentsOf(*package, ir::FileId{0});
    return model;
}

} // namespace

bool sniff(const archive::Probe &file) { return file.isZip() && Package::layoutOf(**file.zip()); }

Result<ir::Model> read(const archive::Probe &file, const Task &task)
{
    return resultOf([&] { return readModel(file, task); });
}

} // namespace cutaway::formats::pt2
