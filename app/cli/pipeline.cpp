// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/pipeline.h"

#include "core/base/mapped_file.h"
#include "core/base/result.h"

#include <filesystem>

namespace cutaway::cli {

namespace {

Result<passes::Pipeline> parsed(std::string_view text)
{
    return withPasses([&](auto others) { return passes::parsePipeline(text, others); });
}

} // namespace

Result<passes::Pipeline> readPipeline(const std::string &text)
{
    if (text.empty())
        return passes::defaultPipeline();
    std::error_code error;
    if (!text.ends_with(".json") && !std::filesystem::is_regular_file(text, error))
        return parsed(text).transform(passes::withNeeds); // a pipeline in a file, in contrast, runs exactly as written
    CUTAWAY_TRY(const auto file, MappedFile::open(text));
    const auto bytes = file.bytes();
    return parsed({reinterpret_cast<const char *>(bytes.data()), bytes.size()});
}

} // namespace cutaway::cli
