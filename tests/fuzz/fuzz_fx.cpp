// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/archive/probe.h"
#include "core/formats/fx/reader.h"
#include "core/ir/verify.h"
#include "tests/core/formats/zip_writer.h"

#include <cstdint>
#include <cstdlib>
#include <string>

/// Code that can be read gives a valid model. The input is the code of a module without parts: the pickle around it is
/// made here, since its lengths would keep the fuzzer from the code.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    std::string length;
    for (int byte = 0; byte < 4; ++byte)
        length += static_cast<char>(size >> (8 * byte));
    const std::string pickle = "\x80\x02"
                               "ctorch.fx.graph_module\nreduce_graph_module\n(}(X\x05"
        + std::string(3, '\0') + "_codeX" + length + std::string(reinterpret_cast<const char *>(data), size) + "X\x08"
        + std::string(3, '\0') + "_modules}uX" + std::string(4, '\0') + "tR.";
    const std::string archive = cutaway::tests::zipArchive({{"m/data.pkl", pickle}});
    const auto model = cutaway::formats::fx::read(
        cutaway::formats::archive::Probe(std::as_bytes(std::span(archive)), {"fuzz.pt", nullptr}), {});
    if (model && !cutaway::ir::verify(*model).empty())
        std::abort();
    return 0;
}
