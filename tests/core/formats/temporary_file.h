// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/formatted.h"
#include "core/base/mapped_file.h"
#include "core/formats/archive/probe.h"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <unistd.h>

namespace cutaway::tests {

/// A file with this content, gone at the end of the scope.
class TemporaryFile {
public:
    explicit TemporaryFile(const std::string &content, std::string_view suffix = {}) : m_path(freshPath(suffix))
    {
        std::ofstream(m_path, std::ios::binary) << content;
    }
    ~TemporaryFile()
    {
        std::error_code ignored;
        std::filesystem::remove(m_path, ignored);
    }
    TemporaryFile(const TemporaryFile &) = delete;
    TemporaryFile &operator=(const TemporaryFile &) = delete;

    const std::filesystem::path &path() const { return m_path; }
    MappedFile map() const { return MappedFile::open(m_path).value(); }
    formats::archive::Probe probe() const { return formats::archive::Probe(std::make_shared<const MappedFile>(map())); }

private:
    static std::filesystem::path freshPath(std::string_view suffix)
    {
        static std::atomic<int> count = 0;
        return std::filesystem::temp_directory_path() / formatted("cutaway-test-{}-{}{}", getpid(), ++count, suffix);
    }

    std::filesystem::path m_path;
};

} // namespace cutaway::tests
