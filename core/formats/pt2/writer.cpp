// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/pt2/writer.h"

#include "core/base/output_file.h"
#include "core/base/text.h"
#include "core/formats/archive/probe.h"
#include "core/formats/archive/zip_writer.h"
#include "core/formats/pt2/reader.h"
#include "core/formats/pt2/write/call_signature.h"
#include "core/formats/pt2/write/captures.h"
#include "core/formats/pt2/write/new_archive.h"
#include "core/formats/pt2/write/program_writer.h"
#include "core/formats/pt2/write/weight_writer.h"
#include "core/formats/unusable.h"
#include "core/ir/context.h"
#include "core/ir/tensors/tensor_bytes.h"

#include <algorithm>
#include <deque>

// The original is read again, which gives every node, graph and value the same id as when the model was read. By
// these ids the writer finds the records of the file, and copies the unchanged ones: guards, hints, stack traces and
// everything that the IR does not keep.

namespace cutaway::formats::pt2 {

namespace {

/// Returns the archive that the model was read from; nothing for a model of another format.
std::optional<ir::DataFile> archiveOf(const ir::Model &model)
{
    if (model.files.empty())
        return std::nullopt;
    ir::DataFile file = model.files.front();
    if (!file.mapping)
        file.mapping = std::make_shared<const MappedFile>(orThrow(MappedFile::open(file.path)));
    return sniff(archive::Probe(file.mapping)) ? std::optional(std::move(file)) : std::nullopt;
}

ir::DataFile newArchive(const PartFile &place)
{
    orThrow(place.fill([](OutputFile &out) -> Result<void> {
        writeNewArchive(out);
        return {};
    }));
    return {place.path(), std::make_shared<const MappedFile>(orThrow(MappedFile::open(place.path())))};
}

/// The programs of the archive, each with the function that it is written from.
struct Programs {
    std::deque<JsonDocument> documents;
    std::deque<Original> originals;
    std::vector<WrittenProgram> written;
};

void open(Programs &programs, const ir::Model &model, const ir::Model &before, const Package &package)
{
    const std::vector<ProgramMember> members = package.programs();
    if (before.functions.size() != model.functions.size() || members.size() != model.functions.size())
        unwritable("the model has other programs than the archive it was read from");
    for (std::size_t i = 0; i < members.size(); ++i) {
        const auto content = orThrow(package.zip.read(*members[i].member));
        programs.documents.push_back(orThrow(JsonDocument::parse(content.text(), members[i].member->name)));
        programs.originals.emplace_back(programs.documents.back(), before, before.functions[i]);
        programs.written.push_back({members[i].name, &model.functions[i], &programs.originals.back()});
    }
}

/// Removes examples that do not fit the programs' new inputs. torch demands the member, but accepts an empty one.
void dropExamples(MemberChanges &changes, const Package &package, const Programs &programs)
{
    const auto isNew = [](const WrittenProgram &program) { return isCalledAnew(*program.function, *program.original); };
    if (std::ranges::none_of(programs.written, isNew))
        return;
    for (const archive::Member &member : package.zip.members())
        if (member.name == "serialized_example_inputs.pt" || member.name.starts_with("data/sample_inputs/"))
            changes.texts[std::string(member.name)] = "";
}

/// Adds each member that torch.save makes of weights to `changes.saved`, without tensors if it is not there yet: such a
/// member is never an empty file.
void addEmptyWeights(MemberChanges &changes, const Package &package)
{
    for (const archive::Member &member : package.zip.members())
        if (member.name == "serialized_state_dict.pt" || member.name == "serialized_constants.pt")
            changes.saved[std::string(member.name)];
}

MemberChanges changesOf(const ir::Model &model, const Package &package, const Programs &programs)
{
    MemberChanges changes;
    const std::vector<ProgramMember> members = package.programs();
    for (std::size_t i = 0; i < members.size(); ++i)
        changes.texts[std::string(members[i].member->name)] =
            programJson(model, *programs.written[i].function, *programs.written[i].original);
    changeWeights(changes, model, package, programs.written);
    dropExamples(changes, package, programs);
    return changes;
}

void addTensor(archive::ZipWriter &zip, const ir::Model &model, const std::string &name, ir::TensorId tensor)
{
    zip.begin(name, static_cast<std::uint64_t>(ir::byteSize(model.at(tensor)).value_or(0)));
    auto visited = ir::visitElements(model, tensor, [&](std::span<const std::byte> bytes) { zip.write(bytes); });
    if (!visited)
        visited.error().message = "the elements of tensor " + sanitized(model.context->text(model.at(tensor).name))
            + " cannot be read: " + visited.error().message;
    orThrow(std::move(visited));
    zip.end();
}

/// Adds a torch.save file. Its size stands before its bytes, so it is first written to a file beside the archive.
void addSaved(archive::ZipWriter &zip, const ir::Model &model, const std::string &name,
              std::span<const archive::NamedTensor> tensors, const std::filesystem::path &scratch)
{
    Result<void> written = resultOf([&] {
        OutputFile file(scratch);
        orThrow(archive::writeTorchSave(file, model, tensors));
        orThrow(file.close());
        const MappedFile saved = orThrow(MappedFile::open(scratch));
        zip.begin(name, saved.bytes().size());
        zip.write(saved.bytes());
        zip.end();
    });
    std::error_code ignored;
    std::filesystem::remove(scratch, ignored);
    orThrow(std::move(written));
}

void writeArchive(OutputFile &file, const ir::Model &model, const Package &package, const MemberChanges &changes,
                  const std::filesystem::path &scratch, const Task &task)
{
    archive::ZipWriter zip(file);
    for (const archive::Member &member : package.zip.members()) {
        if (task.stopRequested())
            throw Unusable(cancelled().error());
        task.report("writing the archive", file.size(), package.bytes.size());
        if (file.failed() || changes.dropped.contains(member.name) || changes.saved.contains(member.name))
            continue;
        if (const auto changed = changes.texts.find(member.name); changed != changes.texts.end()) {
            zip.add(member.name, changed->second);
            continue;
        }
        const auto extent = orThrow(package.zip.extent(member));
        zip.copy(member, package.bytes.subspan(extent.offset, extent.length));
    }
    for (const auto &[name, text] : changes.texts)
        if (!package.zip.find(name))
            zip.add(name, text);
    for (const auto &[name, tensor] : changes.tensors)
        addTensor(zip, model, name, tensor);
    for (const auto &[name, tensors] : changes.saved)
        addSaved(zip, model, name, tensors, scratch);
    zip.finish();
}

} // namespace

Result<Written> write(const ir::Model &given, const std::filesystem::path &path, const Task &task)
{
    return resultOf([&] {
        const PartFile empty(path.string() + ".new");
        const auto original = archiveOf(given);
        const ir::DataFile file = original ? *original : newArchive(empty);
        const archive::Probe probe(file.mapping->bytes(), file);
        const auto package = Package::of(probe.bytes(), *orThrow(probe.zip()));
        const ir::Model before = orThrow(read(probe, task));
        const ir::Model model = withConstantNames(withoutCaptures(given), before.tensors.size());
        Programs programs;
        open(programs, model, before, *package);
        MemberChanges changes = changesOf(model, *package, programs);
        if (!original)
            addEmptyWeights(changes, *package);
        Written written;
        written.namesOutputs = false;
        const PartFile &part = written.parts.emplace_back(path);
        orThrow(part.fill([&](OutputFile &out) {
            return resultOf([&] {
                writeArchive(out, model, *package, changes, part.path().string() + ".weights", task);
                orThrow(file.mapping->checkUnchanged());
            });
        }));
        const auto made = std::make_shared<const MappedFile>(orThrow(MappedFile::open(part.path())));
        written.content = orThrow(readBack(read(archive::Probe(made), task)));
        for (const WrittenProgram &program : programs.written)
            for (const Weight &weight : weightsOf(model, *program.function))
                written.weights.emplace_back(weight.tensor, weight.target);
        return written;
    });
}

} // namespace cutaway::formats::pt2
