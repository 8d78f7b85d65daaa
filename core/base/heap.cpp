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

/// Lets the heap grow by `size` at once; returns false if so much address space is not allowed.
bool grow(int size)
{
    char *begin = static_cast<char *>(sbrk(0));
    mallopt(M_TOP_PAD, size);
    // Allocates more than the heap has, so that it grows; volatile, because compilers remove a pair of malloc and free.
    void *volatile grown = std::malloc(4 << 20);
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
    // The heap keeps freed memory at its end, so that it does not shrink and grow repeatedly.
    mallopt(M_TRIM_THRESHOLD, -1);
    mallopt(M_MMAP_THRESHOLD, 32 * megabyte); // so that long lists lie in the heap, too
    if (!grow(1024 * megabyte))
        grow(64 * megabyte);
    mallopt(M_TOP_PAD, 64 * megabyte);
}

void shareHeap() { mallopt(M_ARENA_MAX, 1); }

void returnFreeHeap() { malloc_trim(0); }

} // namespace cutaway
