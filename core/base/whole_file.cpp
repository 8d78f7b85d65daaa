// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/whole_file.h"

#include "core/base/output_file.h"

#include <unistd.h>

namespace cutaway {

namespace {

Result<void> takePlace(const std::filesystem::path &part, const std::filesystem::path &path)
{
    std::error_code error;
    std::filesystem::rename(part, path, error);
    if (error)
        return std::unexpected(Error{ErrorKind::Backend, "cannot write the file: " + error.message(), path.string()});
    return {};
}

} // namespace

Result<void> makeWholeFile(const std::filesystem::path &path,
                           const std::function<Result<void>(const std::filesystem::path &part)> &write)
{
    std::filesystem::path part = path;
    part += ".part" + std::to_string(::getpid());
    Result<void> made = write(part);
    if (made)
        made = takePlace(part, path);
    if (made)
        return made;
    std::error_code ignored;
    std::filesystem::remove(part, ignored);
    if (made.error().where == part.string())
        made.error().where = path.string();
    return made;
}

Result<void> writeWholeFile(const std::filesystem::path &path, std::string_view content)
{
    return makeWholeFile(path, [&](const std::filesystem::path &part) {
        OutputFile file(part);
        file.write(content);
        return file.close();
    });
}

} // namespace cutaway
