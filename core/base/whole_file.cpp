// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/whole_file.h"

#include <fstream>
#include <unistd.h>

namespace cutaway {

namespace {

std::unexpected<Error> failed(std::string message, const std::filesystem::path &path)
{
    return std::unexpected(Error{ErrorKind::Backend, std::move(message), path.string()});
}

} // namespace

Result<void> makeWholeFile(const std::filesystem::path &path,
                           const std::function<Result<void>(const std::filesystem::path &part)> &write)
{
    std::filesystem::path part = path;
    part += ".part" + std::to_string(::getpid());
    Result<void> written = write(part);
    std::error_code error;
    if (written) {
        std::filesystem::rename(part, path, error);
        if (error)
            written = failed("cannot write the file: " + error.message(), path);
    }
    if (!written)
        std::filesystem::remove(part, error);
    return written;
}

Result<void> writeWholeFile(const std::filesystem::path &path, std::string_view content)
{
    return makeWholeFile(path, [&](const std::filesystem::path &part) -> Result<void> {
        std::ofstream file(part, std::ios::binary);
        file.write(content.data(), static_cast<std::streamsize>(content.size()));
        file.close();
        return file ? Result<void>() : failed("cannot write the file", path);
    });
}

} // namespace cutaway
