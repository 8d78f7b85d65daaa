// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/archive/probe.h"
#include "core/formats/state_dict/reader.h"
#include "core/ir/verify.h"
#include "tests/core/formats/zip_writer.h"

#include <cstdint>
#include <cstdlib>
#include <string>

/// A pickle that can be read gives a valid model. The input is the pickle: checksums would keep the fuzzer from getting
/// into an archive.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const std::string archive = cutaway::tests::zipArchive(
        {{"m/data.pkl", std::string(reinterpret_cast<const char *>(data), size)}, {"m/data/0", std::string(64, 'w')}});
    const auto model = cutaway::formats::state_dict::read(
        cutaway::formats::archive::Probe(std::as_bytes(std::span(archive)), {"fuzz.pt", nullptr}), {});
    if (model && !cutaway::ir::verify(*model).empty())
        std::abort();
    return 0;
}
