// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/base/mapped_file.h"

#include "core/base/lost_pages.h"

#include <cerrno>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <optional>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace cutaway {

namespace {

/// A file descriptor that the destructor closes.
struct Descriptor {
    explicit Descriptor(int number) : fd(number) { }
    Descriptor(Descriptor &&other) noexcept : fd(std::exchange(other.fd, -1)) { }
    Descriptor &operator=(Descriptor &&) = delete;
    ~Descriptor()
    {
        if (fd >= 0)
            ::close(fd);
    }
    int fd;
};

/// Mapped memory that the destructor unmaps.
struct Pages {
    explicit Pages(std::span<const std::byte> mapped) : bytes(mapped) { }
    Pages(const Pages &) = delete;
    Pages &operator=(const Pages &) = delete;
    ~Pages() { ::munmap(const_cast<std::byte *>(bytes.data()), bytes.size()); }
    std::span<const std::byte> bytes;
};

std::unexpected<Error> failed(const char *what)
{
    return unreadable(std::string("cannot be ") + what + ": " + std::strerror(errno));
}

/// Returns why a file of this mode cannot be mapped; nullopt for a regular file.
std::optional<std::string> kindFault(mode_t mode)
{
    switch (mode & S_IFMT) {
    case S_IFREG:
        return std::nullopt;
    case S_IFDIR:
        return "it is a folder; open a model file in it";
    case S_IFIFO:
        return "it is a pipe, not a regular file; save what comes out of it and open that";
    case S_IFSOCK:
        return "it is a socket, not a regular file";
    default:
        return "it is a device, not a regular file";
    }
}

/// Opens a file. A document may need more open files than the process may have at first: the limit is then raised, as
/// far as the system allows.
Descriptor opened(const std::filesystem::path &path)
{
    constexpr int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK;
    Descriptor file{::open(path.c_str(), flags)};
    struct rlimit limit{};
    if (file.fd >= 0 || errno != EMFILE || ::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == limit.rlim_max)
        return file;
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
    return Descriptor{::open(path.c_str(), flags)};
}

std::pair<std::time_t, long> modified(const struct stat &status)
{
    return {status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

} // namespace

/// The mapped pages and their open file.
class MappedFile::Mapping {
public:
    Mapping(Descriptor file, const struct stat &status, std::span<const std::byte> bytes)
        : m_file(std::move(file)),
          m_status(status),
          m_pages(bytes),
          m_lost(bytes)
    {
    }

    std::span<const std::byte> bytes() const { return m_pages.bytes; }
    Result<void> checkUnchanged() const;

private:
    Descriptor m_file;
    struct stat m_status; ///< the file's state when it was opened
    Pages m_pages;
    LostPages m_lost; ///< destroyed before the pages are unmapped, because their addresses may be reused afterwards
};

Result<void> MappedFile::Mapping::checkUnchanged() const
{
    struct stat now{};
    if (::fstat(m_file.fd, &now) != 0)
        return failed("examined");
    if (now.st_size < m_status.st_size)
        return unreadable("the file became shorter while it was read",
                          std::to_string(now.st_size) + " of " + std::to_string(m_status.st_size) + " bytes are left");
    if (now.st_size != m_status.st_size || modified(now) != modified(m_status))
        return unreadable("the file has changed since it was opened; open it again");
    if (m_lost.any())
        return unreadable("parts of the file cannot be read from its disk");
    return {};
}

Result<MappedFile> MappedFile::open(const std::filesystem::path &path)
{
    // Only a regular file is opened: opening a file of another kind may block, rewind a tape or start a device.
    struct stat status{};
    if (::stat(path.c_str(), &status) != 0)
        return failed("opened");
    if (const auto fault = kindFault(status.st_mode))
        return unreadable(*fault);
    Descriptor file = opened(path);
    if (file.fd < 0)
        return failed("opened");
    if (::fstat(file.fd, &status) != 0)
        return failed("examined");
    if (const auto fault = kindFault(status.st_mode))
        return unreadable(*fault);
    if (status.st_size == 0)
        return MappedFile(path, nullptr);
    const auto size = static_cast<std::size_t>(status.st_size);
    void *address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.fd, 0);
    if (address == MAP_FAILED)
        return failed("mapped");
    const std::span bytes(static_cast<const std::byte *>(address), size);
    return MappedFile(path, std::make_unique<const Mapping>(std::move(file), status, bytes));
}

void MappedFile::releasePages() const
{
    // The pages of a smaller file take too little memory for the call to be worthwhile.
    constexpr std::size_t worthwhile = 1 << 20;
    if (bytes().size() >= worthwhile) // the call is a hint: its failure does not matter
        ::madvise(const_cast<std::byte *>(bytes().data()), bytes().size(), MADV_DONTNEED);
}

MappedFile::MappedFile(std::filesystem::path path, std::unique_ptr<const Mapping> mapping)
    : m_path(std::move(path)),
      m_mapping(std::move(mapping))
{
}

MappedFile::MappedFile(MappedFile &&) noexcept = default;
MappedFile &MappedFile::operator=(MappedFile &&) noexcept = default;
MappedFile::~MappedFile() = default;

std::span<const std::byte> MappedFile::bytes() const
{
    return m_mapping ? m_mapping->bytes() : std::span<const std::byte>();
}

Result<void> MappedFile::checkUnchanged() const { return m_mapping ? m_mapping->checkUnchanged() : Result<void>(); }

} // namespace cutaway
