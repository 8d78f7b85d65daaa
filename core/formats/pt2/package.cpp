// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/pt2/package.h"

#include "core/formats/archive/attachment.h"
#include "core/formats/archive/torch_save.h"
#include "core/formats/pt2/read/sample_inputs.h"

#include <algorithm>

namespace cutaway::formats::pt2 {

namespace {

using archive::Member;
using archive::Zip;

constexpr std::string_view flatProgram = "serialized_exported_program.json";

bool holds(const Zip &zip, std::string_view name, std::string_view text)
{
    const Member *member = zip.find(name);
    const auto content = member && member->size < 64 ? zip.read(*member) : unreadable("");
    return content && content->text().starts_with(text);
}

/// Returns the part of a path between a prefix and a suffix; nothing if it lacks one of them.
std::optional<std::string_view> between(std::string_view path, std::string_view prefix, std::string_view suffix)
{
    if (path.size() <= prefix.size() + suffix.size() || !path.starts_with(prefix) || !path.ends_with(suffix))
        return std::nullopt;
    return path.substr(prefix.size(), path.size() - prefix.size() - suffix.size());
}

/// Returns a readable name for a member that becomes an attachment; nothing for members that are read elsewhere or are
/// of no use.
std::optional<std::string> attachmentName(std::string_view path)
{
    static constexpr std::pair<std::string_view, std::string_view> folders[] = {
        {"extra/", "extra file "},
        {"extra_files/", "extra file "},
        {"data/aotinductor/", "compiled "},
        {"data/executorch/", "ExecuTorch program "},
        {"data/mtia/", "compiled "},
        {"xl_model_weights/", "weights "},
        {"data/sample_inputs/", "sample inputs "},
        {"serialized_example_inputs.pt", "sample inputs"},
    };
    for (const auto &[folder, shown] : folders)
        if (path.starts_with(folder))
            return std::string(shown).append(path.substr(folder.size()));
    return std::nullopt;
}

} // namespace

std::optional<Package::Layout> Package::layoutOf(const Zip &zip)
{
    for (const std::string_view name : {flatProgram, std::string_view("serialized_state_dict.pt")})
        if (zip.find(name))
            return Layout::Flat;
    if (holds(zip, std::string(zip.root()) + "archive_format", "pt2"))
        return Layout::Folder;
    return std::nullopt;
}

std::optional<Package> Package::of(std::span<const std::byte> bytes, const Zip &zip)
{
    const auto layout = layoutOf(zip);
    if (!layout)
        return std::nullopt;
    const std::string_view root = *layout == Layout::Folder ? zip.root() : "";
    return Package{bytes, zip, *layout, root};
}

std::vector<ProgramMember> Package::programs() const
{
    std::vector<ProgramMember> programs;
    if (layout == Layout::Flat) {
        if (const Member *member = zip.find(flatProgram))
            programs.push_back({"model", member});
        return programs;
    }
    for (const Member &member : zip.members())
        if (const auto name = between(relative(member), "models/", ".json"))
            programs.push_back({std::string(*name), &member});
    const auto rank = [](const ProgramMember &p) { return p.name == "model" ? 0 : p.name == "forward" ? 1 : 2; };
    std::ranges::stable_sort(programs, {}, rank);
    return programs;
}

std::string_view Package::relative(const Member &member) const
{
    return member.name.starts_with(root) ? member.name.substr(root.size()) : std::string_view();
}

std::vector<ir::Attachment> attachmentsOf(const Package &package, ir::FileId file)
{
    std::vector<ir::Attachment> attachments;
    for (const Member &member : package.zip.members()) {
        const std::string_view path = package.relative(member);
        const auto name = attachmentName(path);
        if (!name)
            continue;
        ir::Attachment attachment = archive::attachmentOf(package.zip, member, file, *name);
        if (path.contains("_inputs") && attachment.range)
            attachment.text =
                describeSampleInputs(package.bytes.subspan(attachment.range->offset, attachment.range->length));
        attachments.push_back(std::move(attachment));
    }
    return attachments;
}

} // namespace cutaway::formats::pt2
