// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/pipe.h"

#include <array>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace cutaway {

void closeDescriptor(int &descriptor)
{
    if (descriptor >= 0)
        ::close(descriptor);
    descriptor = -1;
}

Pipe::~Pipe()
{
    closeDescriptor(read);
    closeDescriptor(write);
}

bool Pipe::open()
{
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        return false;
    for (auto [from, to] : {std::pair{ends[0], &read}, std::pair{ends[1], &write}}) {
        *to = from > STDERR_FILENO ? from : ::fcntl(from, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        if (*to != from)
            ::close(from);
    }
    return read >= 0 && write >= 0;
}

} // namespace cutaway
