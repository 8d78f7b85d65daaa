// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/base/mapped_file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace cutaway {

namespace {

/// Closes a descriptor at the end of a scope.
struct Descriptor {
    int fd;
    ~Descriptor() { ::close(fd); }
};

std::string kindOf(const struct stat &status)
{
    if (S_ISDIR(status.st_mode))
        return "is a folder, not a file";
    if (S_ISFIFO(status.st_mode))
        return "is a pipe, not a regular file";
    return "is not a regular file";
}

} // namespace

Result<MappedFile> MappedFile::open(const std::filesystem::path &path)
{
    // O_NONBLOCK: opening a FIFO must not wait for a writer.
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return unreadable(std::string("cannot be opened: ") + std::strerror(errno));
    const Descriptor descriptor{fd};
    struct stat status{};
    if (::fstat(fd, &status) != 0)
        return unreadable(std::string("cannot be examined: ") + std::strerror(errno));
    if (!S_ISREG(status.st_mode))
        return unreadable(kindOf(status));
    if (status.st_size == 0)
        return MappedFile(path, {});
    const auto size = static_cast<std::size_t>(status.st_size);
    void *address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (address == MAP_FAILED)
        return unreadable(std::string("cannot be mapped: ") + std::strerror(errno));
    return MappedFile(path, {static_cast<const std::byte *>(address), size});
}

MappedFile::MappedFile(std::filesystem::path path, std::span<const std::byte> bytes)
    : m_path(std::move(path)),
      m_bytes(bytes)
{
}

MappedFile::MappedFile(MappedFile &&other) noexcept
    : m_path(std::move(other.m_path)),
      m_bytes(std::exchange(other.m_bytes, {}))
{
}

MappedFile &MappedFile::operator=(MappedFile &&other) noexcept
{
    std::swap(m_path, other.m_path);
    std::swap(m_bytes, other.m_bytes);
    return *this;
}

MappedFile::~MappedFile()
{
    if (!m_bytes.empty())
        ::munmap(const_cast<std::byte *>(m_bytes.data()), m_bytes.size());
}

} // namespace cutaway
