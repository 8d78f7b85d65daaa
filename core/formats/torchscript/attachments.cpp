// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/attachments.h"

#include "core/formats/archive/attachment.h"
#include "core/formats/archive/pickle_printer.h"

#include <algorithm>
#include <array>

namespace cutaway::formats::torchscript {

namespace {

constexpr std::string_view tracedInputs = "traced_inputs.pkl";
constexpr std::string_view extraFolder = "extra/";

/// Whether a member becomes no attachment: it is read elsewhere, is a part of another member, or is a folder.
bool isKnown(std::string_view path)
{
    static constexpr std::array files = {"data.pkl", "constants.pkl", "version", "byteorder"};
    static constexpr std::array folders = {"data/", "constants/", "traced_inputs/", ".data/"};
    return std::ranges::contains(files, path)
        || std::ranges::any_of(folders, [&](const char *folder) { return path.starts_with(folder); })
        || path.ends_with(".debug_pkl") || path.ends_with('/');
}

std::optional<std::string> printed(const archive::Zip &zip, const archive::Member &member)
{
    const auto content = zip.read(member);
    const auto pickle = content ? archive::Pickle::read(content->bytes()) : std::unexpected(content.error());
    return pickle ? std::optional(archive::printBriefly(*pickle)) : std::nullopt;
}

std::string nameOf(std::string_view path)
{
    if (path == tracedInputs)
        return "sample inputs";
    return path.starts_with(extraFolder) ? std::string("extra file ").append(path.substr(extraFolder.size()))
                                         : std::string(path);
}

} // namespace

std::vector<ir::Attachment> attachmentsOf(const archive::Zip &zip, const Code &code, ir::FileId file)
{
    std::unordered_map<std::string_view, const Unit *> units;
    for (const auto &unit : code.units())
        units.emplace(unit->member, unit.get());
    std::vector<ir::Attachment> attachments;
    for (const archive::Member &member : zip.members()) {
        const std::string_view path = member.name.substr(zip.root().size());
        if (isKnown(path))
            continue;
        ir::Attachment attachment = archive::attachmentOf(zip, member, file, nameOf(path));
        // Code is usually deflated: without its text it could not be read from the file.
        if (const auto unit = units.find(path); unit != units.end())
            attachment.text = std::string(unit->second->content.text());
        else if (path == tracedInputs)
            attachment.text = printed(zip, member);
        attachments.push_back(std::move(attachment));
    }
    return attachments;
}

} // namespace cutaway::formats::torchscript
