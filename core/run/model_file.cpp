// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/model_file.h"

#include "core/base/digests/sha256.h"
#include "core/base/mapped_file.h"

#include <algorithm>

namespace cutaway::run {

std::optional<ModelFile> describeFile(const std::filesystem::path &path)
{
    constexpr std::size_t endSize = 64 << 10;
    const auto file = MappedFile::open(path);
    if (!file)
        return std::nullopt;
    const auto bytes = file->bytes();
    const std::string_view text(reinterpret_cast<const char *>(bytes.data()), bytes.size());
    const std::size_t last = std::min(endSize, text.size());
    return ModelFile{path.filename().string(), text.size(),
                     sha256(std::string(text.substr(0, endSize)).append(text.substr(text.size() - last)))};
}

} // namespace cutaway::run
