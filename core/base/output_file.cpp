// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/output_file.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace cutaway {

namespace {

constexpr std::size_t bufferSize = 1 << 20;
constexpr mode_t readableByAll = 0666; // the umask removes some of these permissions

} // namespace

OutputFile::OutputFile(const std::filesystem::path &path)
    : m_path(path),
      m_descriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, readableByAll))
{
    if (m_descriptor < 0)
        m_error = errno;
}

OutputFile::~OutputFile()
{
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

void OutputFile::write(std::span<const std::byte> bytes)
{
    // All bytes are copied through the buffer, because they may belong to a mapped file that is truncated meanwhile.
    while (!bytes.empty() && !failed()) {
        const std::size_t count = std::min(bytes.size(), bufferSize - m_buffer.size());
        m_buffer.insert(m_buffer.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(count));
        m_size += count;
        bytes = bytes.subspan(count);
        if (m_buffer.size() == bufferSize)
            flush();
    }
}

void OutputFile::flush()
{
    for (std::span<const std::byte> rest = m_buffer; !rest.empty() && !failed();) {
        const ssize_t written = ::write(m_descriptor, rest.data(), rest.size());
        if (written >= 0)
            rest = rest.subspan(static_cast<std::size_t>(written));
        else if (errno != EINTR)
            m_error = errno;
    }
    m_buffer.clear();
}

Result<void> OutputFile::close()
{
    flush();
    // EINVAL: a pipe or device cannot be flushed to a disk.
    if (!failed() && ::fsync(m_descriptor) != 0 && errno != EINVAL)
        m_error = errno;
    const int descriptor = std::exchange(m_descriptor, -1);
    if (descriptor >= 0 && ::close(descriptor) != 0 && !failed())
        m_error = errno;
    if (!failed())
        return {};
    const std::string reason = m_error == ENOSPC ? "the disk is full" : std::generic_category().message(m_error);
    return backendError("could not save the file: " + reason, m_path.string());
}

} // namespace cutaway
