// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/whole_file.h"

#include "core/base/output_file.h"

#include <unistd.h>
#include <utility>

namespace cutaway {

PartFile::PartFile(std::filesystem::path place) : m_place(std::move(place)), m_path(m_place)
{
    m_path += ".part" + std::to_string(::getpid());
}

PartFile::PartFile(PartFile &&other) noexcept
    : m_place(std::move(other.m_place)),
      m_path(std::exchange(other.m_path, {}))
{
}

PartFile::~PartFile()
{
    std::error_code ignored;
    if (!m_path.empty())
        std::filesystem::remove(m_path, ignored);
}

Result<void> PartFile::fill(const std::function<Result<void>(OutputFile &file)> &write) const
{
    OutputFile file(m_path);
    Result<void> filled = write(file).and_then([&] { return file.close(); });
    if (!filled && filled.error().where == m_path.string())
        filled.error().where = m_place.string();
    return filled;
}

Result<void> PartFile::takePlace()
{
    std::error_code error;
    std::filesystem::rename(m_path, m_place, error);
    if (error)
        return backendError("could not save the file: " + error.message(), m_place.string());
    m_path.clear();
    return {};
}

Result<void> makeWholeFile(const std::filesystem::path &path,
                           const std::function<Result<void>(const std::filesystem::path &part)> &write)
{
    PartFile part(path);
    Result<void> made = write(part.path()).and_then([&] { return part.takePlace(); });
    if (!made && made.error().where == part.path().string())
        made.error().where = path.string();
    return made;
}

Result<void> writeWholeFile(const std::filesystem::path &path, std::string_view content)
{
    PartFile part(path);
    const auto write = [&](OutputFile &file) -> Result<void> {
        file.write(content);
        return {};
    };
    return part.fill(write).and_then([&] { return part.takePlace(); });
}

} // namespace cutaway
