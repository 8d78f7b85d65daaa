// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace cutaway::run {

/// By what a model's file is known again. To read all of it would take longer than to run it.
struct ModelFile {
    std::string name; ///< without its folder
    std::uint64_t bytes = 0;
    std::string ends; ///< SHA-256 of its first and last 64 KiB together, in hexadecimal digits
    bool operator==(const ModelFile &) const = default;
};

/// Nothing of a file that cannot be read.
std::optional<ModelFile> describeFile(const std::filesystem::path &path);

} // namespace cutaway::run
