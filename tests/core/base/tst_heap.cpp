// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/base/heap.h"

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace cutaway;

namespace {

#if __has_feature(address_sanitizer)
constexpr bool hasOwnMalloc = true;
#else
constexpr bool hasOwnMalloc = false;
#endif

bool areOffered()
{
    std::string modes;
    std::getline(std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled"), modes);
    return modes.contains("[madvise]") || modes.contains("[always]");
}

/// Whether the mapping that holds an address asks for huge pages.
bool isInLargePages(const void *address)
{
    const auto wanted = reinterpret_cast<std::uintptr_t>(address);
    std::ifstream mappings("/proc/self/smaps");
    bool isHere = false;
    for (std::string line; std::getline(mappings, line);) {
        std::uintptr_t begin = 0, end = 0;
        if (std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR " ", &begin, &end) == 2)
            isHere = begin <= wanted && wanted < end;
        else if (isHere && line.starts_with("VmFlags:"))
            return line.contains(" hg");
    }
    return false;
}

/// The line of the system's list.
std::string mappingOf(const void *address)
{
    const auto wanted = reinterpret_cast<std::uintptr_t>(address);
    std::ifstream mappings("/proc/self/maps");
    for (std::string line; std::getline(mappings, line);) {
        std::uintptr_t begin = 0, end = 0;
        if (std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR " ", &begin, &end) == 2 && begin <= wanted
            && wanted < end)
            return line;
    }
    return {};
}

long residentKiB()
{
    long size = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> size >> resident;
    return resident * sysconf(_SC_PAGESIZE) / 1024;
}

/// Pieces as a model has them, all of them far more than the 64 MiB that a heap grows by later.
std::vector<std::unique_ptr<std::vector<char>>> manyPieces()
{
    std::vector<std::unique_ptr<std::vector<char>>> pieces;
    for (int i = 0; i < 1000; ++i)
        pieces.push_back(std::make_unique<std::vector<char>>(100'000));
    return pieces;
}

TEST(Heap, holdsThePiecesOfALargeModelInLargePages)
{
    if (hasOwnMalloc || !areOffered())
        GTEST_SKIP() << "there are none here";
    growHeapInLargePages();
    const auto pieces = manyPieces();
    EXPECT_TRUE(isInLargePages(pieces[pieces.size() / 10]->data())); // the first may lie in what there was before
    EXPECT_TRUE(isInLargePages(pieces.back()->data()));
}

TEST(Heap, doesWithoutLargePagesWhereAddressesAreLimited)
{
    if (hasOwnMalloc)
        GTEST_SKIP() << "it needs addresses of its own";
    const auto inLittleRoom = [] {
        const rlimit room{400 << 20, 400 << 20};
        setrlimit(RLIMIT_AS, &room);
        growHeapInLargePages();
        std::_Exit(manyPieces().size() == 1000 ? 0 : 1);
    };
    EXPECT_EXIT(inLittleRoom(), testing::ExitedWithCode(0), "");
}

TEST(Heap, givesBackWhatIsFreeWhenAsked)
{
    if (hasOwnMalloc)
        GTEST_SKIP() << "it keeps what is freed";
    growHeapInLargePages();
    auto pieces = manyPieces();
    const long before = residentKiB();
    pieces.erase(pieces.begin(), pieces.end() - 1); // the last one keeps the heap from shrinking at its end
    returnFreeHeap();
    EXPECT_LT(residentKiB(), before - 80'000); // most of the 100 MB are returned
}

TEST(Heap, isOneForAllThreadsWhenShared)
{
    if (hasOwnMalloc)
        GTEST_SKIP() << "it has others";
    shareHeap();
    std::unique_ptr<char[]> piece;
    std::thread([&] { piece = std::make_unique<char[]>(1000); }).join();
    EXPECT_TRUE(mappingOf(piece.get()).ends_with("[heap]")) << mappingOf(piece.get());
}

} // namespace
