// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace cutaway::run {

/// Data by which a model's file is recognised. Hashing the whole file would take longer than running the model.
struct ModelFile {
    std::string name; ///< file name without folder
    std::uint64_t bytes = 0;
    std::string ends; ///< SHA-256 of its first and last 64 KiB, in hexadecimal
    bool operator==(const ModelFile &) const = default;
};

/// Returns the data of a file; nullopt if it cannot be read.
std::optional<ModelFile> describeFile(const std::filesystem::path &path);

} // namespace cutaway::run
