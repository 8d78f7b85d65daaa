// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/archive/zip.h"
#include "core/formats/format.h"
#include "core/ir/model.h"

#include <optional>
#include <span>
#include <vector>

namespace cutaway::formats::pt2 {

/// An exported program of an archive: its name, and the member that holds its JSON.
struct ProgramMember {
    std::string name; ///< "model", "encoder", "dec/oder"
    const archive::Member *member = nullptr;
};

/// The zip archive that torch.export.save writes, in either layout.
struct Package {
    enum class Layout : std::uint8_t {
        Flat,  ///< torch 2.1 to 2.7: serialized_exported_program.json, weights as torch.save files
        Folder ///< torch 2.8 and later: models/NAME.json, weights as raw members
    };
    std::span<const std::byte> bytes; ///< the bytes of the entire file
    const archive::Zip &zip;
    Layout layout = Layout::Folder;
    std::string_view root; ///< "resnet50/" or ""

    /// Returns the layout of an archive of torch.export; nothing for other archives.
    static std::optional<Layout> layoutOf(const archive::Zip &zip);
    /// Returns the package of an archive; nothing if torch.export did not write the archive. `zip` has to outlive the
    /// package.
    static std::optional<Package> of(std::span<const std::byte> bytes, const archive::Zip &zip);

    const archive::Member *find(std::string_view path) const { return zip.find(std::string(root).append(path)); }
    /// Returns the exported programs, the main one first.
    std::vector<ProgramMember> programs() const;
    /// Returns a member's name relative to the root; "" if the member is outside of the root.
    std::string_view relative(const archive::Member &member) const;
};

/// Returns the further contents of the file, for Model::attachments: sample inputs, extra files, compiled code.
std::vector<ir::Attachment> attachmentsOf(const Package &package, ir::FileId file);

} // namespace cutaway::formats::pt2
