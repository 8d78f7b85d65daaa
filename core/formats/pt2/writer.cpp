// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/pt2/writer.h"

#include "core/base/output_file.h"
#include "core/base/text.h"
#include "core/base/whole_file.h"
#include "core/formats/archive/zip_writer.h"
#include "core/formats/pt2/reader.h"
#include "core/formats/pt2/write/program_writer.h"
#include "core/formats/pt2/write/weight_writer.h"
#include "core/ir/context.h"
#include "core/ir/tensors/tensor_bytes.h"

#include <deque>

// The original is read once more, which gives every node, graph and value the id that it had when the model was read.
// By these the writer finds what the file says of it, and takes over what has not changed since: guards, hints, stack
// traces and all that the representation does not keep.

namespace cutaway::formats::pt2 {

namespace {

/// The file the model was read from.
Result<ir::DataFile> originalOf(const ir::Model &model)
{
    if (model.files.empty())
        return std::unexpected(Error{ErrorKind::Usage,
                                     "the model was read from no file, and a .pt2 archive is "
                                     "written over the one that it was read from",
                                     {}});
    ir::DataFile file = model.files.front();
    if (!file.mapping) {
        auto opened = MappedFile::open(file.path);
        if (!opened)
            return std::unexpected(opened.error());
        file.mapping = std::make_shared<const MappedFile>(std::move(*opened));
    }
    return file;
}

/// The archive's programs beside the functions that they are written from.
struct Programs {
    std::deque<JsonDocument> documents;
    std::deque<Original> originals;
    std::vector<WrittenProgram> written;
};

Result<void> open(Programs &programs, const ir::Model &model, const ir::Model &before, const Package &package)
{
    const std::vector<ProgramMember> members = package.programs();
    if (before.functions.size() != model.functions.size() || members.size() != model.functions.size())
        return std::unexpected(
            Error{ErrorKind::Usage, "the model has other programs than the archive it was read from", {}});
    for (std::size_t i = 0; i < members.size(); ++i) {
        const auto content = package.zip.read(*members[i].member);
        auto document =
            content ? JsonDocument::parse(content->text(), members[i].member->name) : std::unexpected(content.error());
        if (!document)
            return std::unexpected(document.error());
        programs.documents.push_back(std::move(*document));
        programs.originals.emplace_back(programs.documents.back(), before, before.functions[i]);
        programs.written.push_back({members[i].name, &model.functions[i], &programs.originals.back()});
    }
    return {};
}

Result<MemberChanges> changesOf(const ir::Model &model, const Package &package, const Programs &programs)
{
    MemberChanges changes;
    const std::vector<ProgramMember> members = package.programs();
    for (std::size_t i = 0; i < members.size(); ++i) {
        auto json = programJson(model, *programs.written[i].function, *programs.written[i].original);
        if (!json)
            return std::unexpected(json.error());
        changes.texts[std::string(members[i].member->name)] = std::move(*json);
    }
    if (auto changed = changeWeights(changes, model, package, programs.written); !changed)
        return std::unexpected(changed.error());
    return changes;
}

Result<void> addTensor(archive::ZipWriter &zip, const ir::Model &model, const std::string &name, ir::TensorId tensor)
{
    zip.begin(name, static_cast<std::uint64_t>(ir::byteSize(model.at(tensor)).value_or(0)));
    auto visited = ir::visitElements(model, tensor, [&](std::span<const std::byte> bytes) { zip.write(bytes); });
    if (!visited)
        visited.error().message = "the elements of tensor " + sanitized(model.context->text(model.at(tensor).name))
            + " cannot be read: " + visited.error().message;
    zip.end();
    return visited;
}

/// A torch.save file inside the archive. Its size is told before its bytes, so it is written beside the archive first.
Result<void> addSaved(archive::ZipWriter &zip, const ir::Model &model, const std::string &name,
                      std::span<const archive::NamedTensor> tensors, const std::filesystem::path &scratch)
{
    const auto write = [&]() -> Result<void> {
        OutputFile file(scratch);
        if (auto written = archive::writeTorchSave(file, model, tensors); !written)
            return written;
        if (auto closed = file.close(); !closed)
            return closed;
        const auto saved = MappedFile::open(scratch);
        if (!saved)
            return std::unexpected(saved.error());
        zip.begin(name, saved->bytes().size());
        zip.write(saved->bytes());
        zip.end();
        return {};
    };
    Result<void> written = write();
    std::error_code ignored;
    std::filesystem::remove(scratch, ignored);
    return written;
}

Result<void> writeArchive(OutputFile &file, const ir::Model &model, const Package &package,
                          const MemberChanges &changes, const std::filesystem::path &scratch, const Task &task)
{
    archive::ZipWriter zip(file);
    for (const archive::Member &member : package.zip.members()) {
        if (task.stopRequested())
            return cancelled();
        task.report("writing the archive", file.size(), package.bytes.size());
        if (file.failed() || changes.dropped.contains(member.name) || changes.saved.contains(member.name))
            continue;
        if (const auto changed = changes.texts.find(member.name); changed != changes.texts.end()) {
            zip.add(member.name, changed->second);
            continue;
        }
        const auto extent = package.zip.extent(member);
        if (!extent)
            return std::unexpected(extent.error());
        zip.copy(member, package.bytes.subspan(extent->offset, extent->length));
    }
    for (const auto &[name, text] : changes.texts)
        if (!package.zip.find(name))
            zip.add(name, text);
    for (const auto &[name, tensor] : changes.tensors)
        if (auto added = addTensor(zip, model, name, tensor); !added)
            return added;
    for (const auto &[name, tensors] : changes.saved)
        if (auto added = addSaved(zip, model, name, tensors, scratch); !added)
            return added;
    zip.finish();
    return {};
}

} // namespace

Result<void> write(const ir::Model &model, const std::filesystem::path &path, const Task &task)
{
    const auto file = originalOf(model);
    if (!file)
        return std::unexpected(file.error());
    const auto bytes = file->mapping->bytes();
    auto zip = archive::Zip::open(bytes);
    const auto before = readArchive(bytes, *file, task);
    if (!zip || !before)
        return std::unexpected(!zip ? zip.error() : before.error());
    const auto package = Package::of(bytes, std::move(*zip));
    Programs programs;
    if (auto opened = open(programs, model, *before, *package); !opened)
        return opened;
    const auto changes = changesOf(model, *package, programs);
    if (!changes)
        return std::unexpected(changes.error());
    return makeWholeFile(path, [&](const std::filesystem::path &part) -> Result<void> {
        OutputFile out(part);
        if (auto written = writeArchive(out, model, *package, *changes, part.string() + ".weights", task); !written)
            return written;
        if (auto unchanged = file->mapping->checkUnchanged(); !unchanged)
            return unchanged;
        return out.close();
    });
}

} // namespace cutaway::formats::pt2
