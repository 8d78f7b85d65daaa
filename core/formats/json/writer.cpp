// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/json/writer.h"

#include "core/base/whole_file.h"
#include "core/ir/json/json.h"

namespace cutaway::formats::json {

Result<void> write(const ir::Model &model, const std::filesystem::path &path)
{
    std::error_code error;
    const auto folder = std::filesystem::absolute(path, error).parent_path();
    ir::Model written = model;
    for (ir::DataFile &file : written.files)
        if (const auto near = std::filesystem::proximate(file.path, folder, error); !error)
            file.path = near;
    return writeWholeFile(path, ir::printJson(written) + "\n");
}

} // namespace cutaway::formats::json
