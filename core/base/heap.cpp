// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/heap.h"

#include <cstdint>
#include <cstdlib>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

namespace cutaway {

namespace {

constexpr std::uintptr_t page = 2 << 20;

/// The heap grows by `size` at once; false where so much address space is not allowed.
bool grow(int size)
{
    char *begin = static_cast<char *>(sbrk(0));
    mallopt(M_TOP_PAD, size);
    void *volatile grown = std::malloc(4 << 20); // more than it has; volatile: compilers remove such pairs
    std::free(grown);
    const char *end = static_cast<const char *>(sbrk(0));
    if (end - begin < size)
        return false;
    begin += (page - reinterpret_cast<std::uintptr_t>(begin) % page) % page;
    madvise(begin, static_cast<std::size_t>(end - begin), MADV_HUGEPAGE); // may fail without harm
    return true;
}

} // namespace

void growHeapInLargePages()
{
    constexpr int megabyte = 1 << 20;
    mallopt(M_TRIM_THRESHOLD, -1); // the heap keeps freed memory at its end, so it does not shrink and grow again
    mallopt(M_MMAP_THRESHOLD, 32 * megabyte); // long lists lie in it, too
    if (!grow(1024 * megabyte))
        grow(64 * megabyte);
    mallopt(M_TOP_PAD, 64 * megabyte);
}

void shareHeap() { mallopt(M_ARENA_MAX, 1); }

void returnFreeHeap() { malloc_trim(0); }

} // namespace cutaway
