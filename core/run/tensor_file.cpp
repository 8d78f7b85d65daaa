// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/tensor_file.h"

#include "core/base/checked.h"
#include "core/base/mapped_file.h"
#include "core/base/result.h"
#include "core/base/whole_file.h"
#include "core/formats/archive/torch_save.h"
#include "core/formats/archive/zip_writer.h"
#include "core/ops/compute/array.h"
#include "core/protocol/frame.h"
#include "core/run/nested_lists.h"
#include "core/tensor/npy.h"

#include <algorithm>
#include <array>

namespace cutaway::run {

namespace {

namespace archive = formats::archive;
using protocol::Tensor;

constexpr std::array suffixes{".npy", ".pt", ".json"};

std::string_view textOf(std::span<const std::byte> bytes)
{
    return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

// ---------------------------------------------------------------- torch.save

/// Whether the view lies within a storage of this many elements.
bool liesWithin(const archive::PickledTensor &tensor, std::uint64_t elements)
{
    if (tensor.strides.size() != tensor.shape.size() || tensor.offset < 0)
        return false;
    std::optional<std::int64_t> last = tensor.offset;
    for (std::size_t i = 0; i < tensor.shape.size() && last; ++i) {
        const auto steps = checkedMultiply(tensor.shape[i] - 1, tensor.strides[i]);
        last = steps && tensor.strides[i] >= 0 ? checkedAdd(*last, *steps) : std::nullopt;
    }
    return last && static_cast<std::uint64_t>(*last) < elements;
}

/// Returns the elements in row-major order, copied according to the strides.
Result<Tensor> gathered(const archive::PickledTensor &pickled, std::span<const std::byte> storage)
{
    const auto width = ir::bitWidth(pickled.dtype);
    const auto count = protocol::elementCount(pickled.shape);
    if (!width || *width % 8 != 0 || !count)
        return unreadable("a tensor of " + std::string(ir::name(pickled.dtype)) + " that is not read");
    const auto size = static_cast<std::size_t>(*width / 8);
    Tensor tensor{pickled.dtype, pickled.shape, {}};
    if (*count == 0)
        return tensor;
    if (!liesWithin(pickled, storage.size() / size))
        return unreadable("the tensor's elements lie outside of its storage");
    if (static_cast<std::uint64_t>(*count) > protocol::maxPayloadSize / size)
        return unreadable("the tensor is too large to be sent");
    tensor.bytes.reserve(static_cast<std::size_t>(*count) * size);
    compute::forEachPlace(pickled.shape, pickled.strides, pickled.offset, [&](std::int64_t place) {
        tensor.bytes += textOf(storage.subspan(static_cast<std::size_t>(place) * size, size));
    });
    return tensor;
}

Result<Tensor> readTorch(std::span<const std::byte> bytes)
{
    CUTAWAY_TRY(const auto file, archive::TorchSave::open(bytes));
    const auto pickled = archive::pickledTensor(file.pickle(), file.pickle().root());
    if (!pickled || !pickled->storage || pickled->layout != ir::Layout::Strided)
        return unreadable("the file has no plain tensor; expected one saved by torch.save(tensor, name)");
    if (file.encoding() != ir::FileRange::Encoding::LittleEndian)
        return unreadable("the file's numbers are big-endian");
    CUTAWAY_TRY(const auto storage, file.storage(pickled->storage->key));
    return gathered(*pickled, storage.bytes());
}

// ---------------------------------------------------------------- JSON

Result<Tensor> readJson(std::string_view text, ir::DType dtype)
{
    auto tensor = parseNestedLists(text, dtype);
    return tensor ? std::move(tensor) : unreadable("the file is not a tensor in JSON: " + tensor.error().message);
}

Result<Tensor> readBytes(std::span<const std::byte> bytes, std::string_view suffix, std::optional<ir::DType> wanted)
{
    if (suffix == ".npy")
        return tensor::parseNpy(textOf(bytes));
    if (suffix == ".pt")
        return readTorch(bytes);
    return readJson(textOf(bytes), wanted.value_or(ir::DType::Float32));
}

} // namespace

bool isTensorFile(const std::filesystem::path &path)
{
    return std::ranges::contains(suffixes, path.extension().string());
}

Result<Tensor> readTensor(const std::filesystem::path &path, std::optional<ir::DType> wanted)
{
    CUTAWAY_TRY(const auto file, MappedFile::open(path));
    auto tensor = readBytes(file.bytes(), path.extension().string(), wanted);
    // If the file has changed meanwhile, the change is the error to report.
    CUTAWAY_RETURN_IF_ERROR(file.checkUnchanged());
    return tensor;
}

Result<std::filesystem::path> writeTensor(const protocol::Tensor &tensor, const std::filesystem::path &folder,
                                          const std::string &name)
{
    const auto file = tensor::printNpy(tensor);
    if (!file)
        return std::unexpected(Error{file.error().kind, file.error().message, name});
    std::string own = name;
    std::ranges::replace_if(own, [](unsigned char c) { return c < 0x20 || c == '/' || c == '\\' || c == ':'; }, '_');
    std::error_code error;
    std::filesystem::create_directories(folder, error); // if this fails, writing fails, too
    std::filesystem::path path = folder / ((own.starts_with('.') ? "_" : "") + own + ".npy");
    CUTAWAY_RETURN_IF_ERROR(writeWholeFile(path, *file));
    return path;
}

Result<void> writeTensors(std::span<const NamedTensor> tensors, const std::filesystem::path &path)
{
    OutputFile file(path);
    archive::ZipWriter zip(file);
    for (const auto &[name, tensor] : tensors) {
        const auto content = tensor::printNpy(tensor);
        if (!content)
            return std::unexpected(Error{content.error().kind, content.error().message, name});
        zip.add(name + ".npy", *content);
    }
    zip.finish();
    return file.close();
}

} // namespace cutaway::run
