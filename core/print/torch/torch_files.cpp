// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/torch/torch_files.h"

#include "core/base/whole_file.h"
#include "core/formats/safetensors/write.h"

#include <array>

namespace cutaway::print {

namespace {

using formats::safetensors::Entry;

/// Makes the count of batches of a batch normalization for which the file has none: 0.
Entry zero(const std::string &name)
{
    return {name, ir::DType::Int64, {}, [](const auto &take) -> Result<void> {
                take(std::array<std::byte, 8>());
                return {};
            }};
}

Result<void> writeWeights(const TorchModule &module, const std::filesystem::path &path)
{
    std::vector<Entry> entries;
    for (const ModuleWeight &weight : module.weights)
        entries.push_back(weight.tensor ? formats::safetensors::entryOf(module.model, *weight.tensor, weight.name)
                                        : zero(weight.name));
    return makeWholeFile(path, [&](const std::filesystem::path &part) -> Result<void> {
        OutputFile file(part);
        const Result<void> written = formats::safetensors::write(file, entries, {{"format", "pt"}});
        return written ? file.close() : written;
    });
}

} // namespace

Result<void> writeTorchModule(const TorchModule &module, const std::filesystem::path &path)
{
    std::filesystem::path weights = path;
    weights.replace_extension(".safetensors");
    const Result<void> done = writeWeights(module, weights);
    return done ? writeWholeFile(path, module.code) : done;
}

} // namespace cutaway::print
