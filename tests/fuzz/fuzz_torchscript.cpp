// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/formats/format.h"
#include "core/ir/verify.h"
#include "tests/core/formats/members.h"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

/// An archive that can be read gives a valid model. The input is an archive's members as text (members.h): a zip
/// archive's checksums would keep the fuzzer out of them.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const auto members = cutaway::tests::membersOf({reinterpret_cast<const char *>(data), size});
    const std::string archive = cutaway::tests::zipArchive(members, cutaway::tests::ZipStyle::PyTorch);
    static const int fd = ::memfd_create("fuzz.pt", 0);
    if (::ftruncate(fd, 0) != 0 || ::pwrite(fd, archive.data(), archive.size(), 0) < 0)
        std::abort();
    const auto model = cutaway::formats::open(cutaway::formatted("/proc/self/fd/{}", fd));
    if (model && !cutaway::ir::verify(*model).empty())
        std::abort();
    return 0;
}
