// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/torch/torch_files.h"

#include "core/base/formatted.h"
#include "core/base/output_file.h"
#include "core/base/text.h"
#include "core/ir/tensors/tensor_bytes.h"

#include <algorithm>
#include <array>

namespace cutaway::print {

namespace {

std::string_view dtypeCode(ir::DType dtype)
{
    switch (dtype) {
    case ir::DType::Bool:
        return "BOOL";
    case ir::DType::UInt8:
        return "U8";
    case ir::DType::Int8:
        return "I8";
    case ir::DType::UInt16:
        return "U16";
    case ir::DType::Int16:
        return "I16";
    case ir::DType::UInt32:
        return "U32";
    case ir::DType::Int32:
        return "I32";
    case ir::DType::UInt64:
        return "U64";
    case ir::DType::Int64:
        return "I64";
    case ir::DType::Float16:
        return "F16";
    case ir::DType::BFloat16:
        return "BF16";
    case ir::DType::Float64:
        return "F64";
    case ir::DType::Float8E5M2:
        return "F8_E5M2";
    case ir::DType::Float8E4M3FN:
        return "F8_E4M3";
    case ir::DType::Complex64:
        return "C64";
    default:
        return "F32";
    }
}

struct Entry {
    std::string name;
    std::optional<ir::TensorId> tensor;
    ir::DType dtype = ir::DType::Int64;
    std::vector<std::int64_t> shape;
    std::int64_t bytes = 8;
};

/// Those of wide elements first, so that all are aligned.
std::vector<Entry> entriesOf(const TorchModule &module)
{
    std::vector<Entry> entries;
    for (const ModuleWeight &weight : module.weights) {
        Entry entry;
        entry.name = weight.name;
        entry.tensor = weight.tensor;
        if (weight.tensor) {
            const ir::Tensor &tensor = module.model.at(*weight.tensor);
            entry.dtype = tensor.dtype;
            entry.shape = tensor.shape;
            entry.bytes = ir::byteSize(tensor).value_or(0);
        }
        entries.push_back(std::move(entry));
    }
    std::ranges::stable_sort(entries, std::greater(),
                             [](const Entry &entry) { return ir::bitWidth(entry.dtype).value_or(0); });
    return entries;
}

std::string headerOf(std::span<const Entry> entries)
{
    std::string header = R"({"__metadata__":{"format":"pt"})";
    std::int64_t offset = 0;
    for (const Entry &entry : entries) {
        std::string shape;
        for (const std::int64_t size : entry.shape)
            shape += (shape.empty() ? "" : ",") + std::to_string(size);
        header += formatted(R"(,{}:{{"dtype":"{}","shape":[{}],"data_offsets":[{},{}]}})", quote(entry.name),
                            dtypeCode(entry.dtype), shape, offset, offset + entry.bytes);
        offset += entry.bytes;
    }
    header += "}";
    while (header.size() % 8 != 0)
        header += ' ';
    return header;
}

Result<void> writeWeights(const TorchModule &module, const std::filesystem::path &path)
{
    OutputFile file(path);
    const std::vector<Entry> entries = entriesOf(module);
    const std::string header = headerOf(entries);
    std::array<std::byte, 8> size{};
    for (std::size_t i = 0; i < size.size(); ++i)
        size[i] = static_cast<std::byte>(header.size() >> (8 * i));
    file.write(size);
    file.write(header);
    for (const Entry &entry : entries) {
        if (!entry.tensor) {
            file.write(std::array<std::byte, 8>());
            continue;
        }
        const auto done = ir::visitElements(module.model, *entry.tensor,
                                            [&](std::span<const std::byte> bytes) { file.write(bytes); });
        if (!done)
            return std::unexpected(done.error().in(entry.name));
    }
    return file.close();
}

Result<void> writeText(const std::string &text, const std::filesystem::path &path)
{
    OutputFile file(path);
    file.write(text);
    return file.close();
}

} // namespace

Result<void> writeTorchModule(const TorchModule &module, const std::filesystem::path &path)
{
    std::filesystem::path weights = path;
    weights.replace_extension(".safetensors");
    Result<void> done = writeWeights(module, weights);
    if (done)
        done = writeText(module.code, path);
    if (!done) {
        std::error_code ignored;
        std::filesystem::remove(weights, ignored);
        std::filesystem::remove(path, ignored);
    }
    return done;
}

} // namespace cutaway::print
