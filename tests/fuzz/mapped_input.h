// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/formatted.h"
#include "core/base/mapped_file.h"

#include <cstdint>
#include <memory>
#include <sys/mman.h>
#include <unistd.h>

namespace cutaway::test {

/// The input as a file that is mapped, without one on a disk.
inline std::shared_ptr<const MappedFile> mappedInput(const std::uint8_t *data, std::size_t size)
{
    const int fd = ::memfd_create("input", 0);
    std::shared_ptr<const MappedFile> mapped;
    if (fd >= 0 && ::write(fd, data, size) == static_cast<ssize_t>(size))
        if (auto file = MappedFile::open(formatted("/proc/self/fd/{}", fd)))
            mapped = std::make_shared<const MappedFile>(std::move(*file));
    ::close(fd);
    return mapped;
}

} // namespace cutaway::test
