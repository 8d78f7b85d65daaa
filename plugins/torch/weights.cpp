// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/torch/weights.h"

#include "core/base/checked.h"
#include "core/ir/context.h"
#include "plugins/torch/file_objects.h"
#include "plugins/torch/types.h"

#include <ATen/Functions.h>
#include <ATen/Utils.h>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace cutaway::plugins {

/// A mapping of a file into memory, whose pages are copied when they are written to.
class Weights::Mapping {
public:
    static Result<std::unique_ptr<Mapping>> open(const std::filesystem::path &path)
    {
        const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        struct stat info{};
        if (file < 0)
            return unreadable("the file with its weights cannot be opened", path.string());
        if (fstat(file, &info) != 0) {
            close(file);
            return unreadable("the size of the file with its weights is not known", path.string());
        }
        const auto size = static_cast<std::size_t>(info.st_size);
        void *const at = size == 0 ? nullptr : mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
        close(file);
        if (at == MAP_FAILED)
            return unreadable("the file with its weights cannot be mapped", path.string());
        return std::unique_ptr<Mapping>(new Mapping(static_cast<std::byte *>(at), size));
    }
    ~Mapping()
    {
        if (m_at)
            munmap(m_at, m_size);
    }
    Mapping(const Mapping &) = delete;
    Mapping &operator=(const Mapping &) = delete;

    std::byte *at() const { return m_at; }
    std::size_t size() const { return m_size; }

private:
    Mapping(std::byte *at, std::size_t size) : m_at(at), m_size(size) { }
    std::byte *m_at;
    std::size_t m_size;
};

namespace {

std::unexpected<Error> cannot(std::string what, std::string_view name)
{
    return std::unexpected(Error{ErrorKind::Backend, std::move(what), std::string(name)});
}

std::vector<std::int64_t> rowByRow(const std::vector<std::int64_t> &shape)
{
    std::vector<std::int64_t> strides(shape.size(), 1);
    for (std::size_t i = shape.size(); i-- > 1;)
        strides[i - 1] = strides[i] * std::max<std::int64_t>(shape[i], 1);
    return strides;
}

/// Returns the bytes from the storage's start to the last element's end; nothing if a size is negative or too large.
std::optional<std::uint64_t> reach(const ir::Tensor &tensor, const std::vector<std::int64_t> &strides,
                                   std::size_t elementSize)
{
    std::optional<std::int64_t> last = tensor.offset;
    for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
        if (tensor.shape[i] == 0)
            return 0;
        if (tensor.shape[i] < 0 || strides[i] < 0)
            return std::nullopt;
        const auto step = checkedMultiply(tensor.shape[i] - 1, strides[i]);
        last = last && step ? checkedAdd(*last, *step) : std::nullopt;
    }
    if (!last || *last < 0 || tensor.offset < 0)
        return std::nullopt;
    return checkedMultiply(static_cast<std::uint64_t>(*last) + 1, static_cast<std::uint64_t>(elementSize));
}

} // namespace

Weights::Weights(const ir::Model &model, FileObjects &files, c10::Device device)
    : m_model(model),
      m_files(files),
      m_device(device)
{
}
Weights::~Weights() = default;

Result<Weights::Bytes> Weights::rangeOf(const ir::FileRange &range)
{
    auto &mapping = m_mappings[range.file];
    if (!mapping) {
        CUTAWAY_TRY(mapping, Mapping::open(m_model.at(range.file).path));
    }
    const auto end = checkedAdd(range.offset, range.length);
    if (!end || *end > mapping->size())
        return unreadable("its weights lie behind the end of the file");
    if (range.encoding != ir::FileRange::Encoding::LittleEndian)
        return cannot("torch does not read numbers as this file has them", m_model.at(range.file).path.string());
    return Bytes{mapping->at() + range.offset, range.length};
}

Result<Weights::Bytes> Weights::bytesOf(ir::StorageId id)
{
    const ir::Storage &storage = m_model.at(id);
    if (const auto *range = std::get_if<ir::FileRange>(&storage.data))
        return rangeOf(*range);
    if (const auto *held = std::get_if<ir::InlineBytes>(&storage.data)) {
        auto &copy = m_copies[id];
        if (!copy.defined()) {
            copy = at::empty({static_cast<std::int64_t>(held->bytes->size())}, at::kByte);
            std::memcpy(copy.data_ptr(), held->bytes->data(), held->bytes->size());
        }
        return Bytes{static_cast<std::byte *>(copy.data_ptr()), held->bytes->size()};
    }
    if (const auto *none = std::get_if<ir::NoBytes>(&storage.data))
        return unreadable(none->reason);
    return cannot("torch has no tensors of texts", "");
}

Result<at::Tensor> Weights::strided(const ir::Tensor &tensor)
{
    const auto type = scalarType(tensor.dtype);
    if (!type)
        return cannot("torch has no dtype " + std::string(ir::name(tensor.dtype)), m_model.context->text(tensor.name));
    if (c10::isQIntType(*type))
        return quantized(tensor);
    CUTAWAY_TRY(auto bytes, bytesOf(tensor.storage));
    const std::size_t elementSize = c10::elementSize(*type);
    const std::vector<std::int64_t> strides = tensor.strides ? *tensor.strides : rowByRow(tensor.shape);
    const auto needed = strides.size() == tensor.shape.size() ? reach(tensor, strides, elementSize) : std::nullopt;
    if (!needed || *needed > bytes.size)
        return unreadable("its elements lie outside of its storage");
    auto options = at::TensorOptions(*type);
    std::byte *const data =
        *needed == 0 ? bytes.data : bytes.data + elementSize * static_cast<std::size_t>(tensor.offset);
    at::Tensor view = at::from_blob(data, tensor.shape, strides, options);
    if (reinterpret_cast<std::uintptr_t>(data) % elementSize != 0) // an archive need not align its members
        view = at::empty_strided(tensor.shape, strides, options).copy_(view);
    return view.to(m_device);
}

/// Lets torch load a quantized tensor, as its scales are not all among the model's tensors.
Result<at::Tensor> Weights::quantized(const ir::Tensor &tensor)
{
    CUTAWAY_TRY(const auto made, m_files.at(m_model.context->text(tensor.name)));
    return made.isTensor() ? Result<at::Tensor>(made.toTensor())
                           : cannot("torch finds no quantized tensor", m_model.context->text(tensor.name));
}

Result<at::Tensor> Weights::sparse(const ir::Tensor &tensor)
{
    std::vector<at::Tensor> parts;
    for (const ir::TensorId part : tensor.parts) {
        auto made = this->tensor(part);
        if (!made)
            return made;
        parts.push_back(std::move(*made));
    }
    const auto layout = torchLayout(tensor.layout);
    const auto options = at::TensorOptions().layout(layout);
    if (layout == c10::Layout::Sparse && parts.size() == 2)
        return at::sparse_coo_tensor(parts[0], parts[1], tensor.shape, options.dtype(parts[1].dtype()));
    if (parts.size() == 3)
        return at::sparse_compressed_tensor(parts[0], parts[1], parts[2], tensor.shape,
                                            options.dtype(parts[2].dtype()));
    return cannot("a tensor of this layout is not read", m_model.context->text(tensor.name));
}

Result<at::Tensor> Weights::make(const ir::Tensor &tensor)
{
    auto made = tensor.layout == ir::Layout::Strided ? strided(tensor) : sparse(tensor);
    if (made && tensor.requiresGrad && at::isFloatingType(made->scalar_type()))
        made->set_requires_grad(true);
    return made;
}

Result<at::Tensor> Weights::tensor(ir::TensorId id)
{
    const auto found = m_tensors.find(id);
    if (found != m_tensors.end())
        return found->second;
    auto made = make(m_model.at(id));
    if (made)
        m_tensors.emplace(id, *made);
    else if (made.error().where.empty())
        made.error().where = m_model.context->text(m_model.at(id).name);
    return made;
}

} // namespace cutaway::plugins
