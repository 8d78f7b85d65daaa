// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/archive/probe.h"
#include "core/formats/pt2/reader.h"
#include "core/ir/verify.h"
#include "tests/core/formats/zip_writer.h"

#include <cstdint>
#include <cstdlib>
#include <string>

namespace {

void check(const std::string &archive)
{
    const auto model = cutaway::formats::pt2::read(
        cutaway::formats::archive::Probe(std::as_bytes(std::span(archive)), {"fuzz.pt2", nullptr}), {});
    if (model && !cutaway::ir::verify(*model).empty())
        std::abort();
}

} // namespace

/// A program that can be read gives a valid model. The input is a program's JSON, or after a '#' a weights
/// configuration of a program with one parameter: checksums would keep the fuzzer from getting into an archive.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    static const std::string program =
        R"({"graph_module":{"graph":{"inputs":[{"as_tensor":{"name":"p"}}],"outputs":[],"nodes":[],"tensor_values":{}},)"
        R"("signature":{"input_specs":[{"parameter":{"arg":{"name":"p"},"parameter_name":"p"}}],"output_specs":[]}}})";
    const std::string input(reinterpret_cast<const char *>(data), size);
    const bool isConfig = input.starts_with('#');
    check(cutaway::tests::zipArchive({{"m/archive_format", "pt2"},
                                      {"m/models/model.json", isConfig ? program : input},
                                      {"m/data/weights/model_weights_config.json", isConfig ? input.substr(1) : "{}"},
                                      {"m/data/weights/weight_0", std::string(64, 'w')}}));
    return 0;
}
