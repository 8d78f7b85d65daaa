// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/archive/torch_save.h"

#include "core/base/text.h"
#include "core/formats/limits.h"

#include <algorithm>
#include <array>

namespace cutaway::formats::archive {

namespace {

using ir::DType;
using ValueId = Pickle::ValueId;
using Arguments = std::span<const ValueId>;

std::optional<DType> storageDType(std::string_view storage)
{
    if (!storage.ends_with("Storage"))
        return std::nullopt;
    storage.remove_suffix(std::string_view("Storage").size());
    return ir::dtypeFromStorageName(storage);
}

/// Returns the dtype that a global such as `torch float8_e4m3fn` stands for.
std::optional<DType> dtypeGlobal(const Pickle &pickle, ValueId value)
{
    const auto *global = pickle.as<Pickle::Global>(value);
    return global && global->module == "torch" ? ir::dtypeFromName(global->name) : std::nullopt;
}

/// Reads ('storage', <torch.FloatStorage>, key, location, numel); before 1.6 there is a sixth item for views.
std::optional<PickledStorage> storageOf(const Pickle &pickle, ValueId value)
{
    const auto *persistent = pickle.as<Pickle::Persistent>(value);
    const auto id = persistent ? pickle.items(persistent->id) : std::nullopt;
    if (!id || id->size() < 5 || pickle.text((*id)[0]) != "storage")
        return std::nullopt;
    const auto *type = pickle.as<Pickle::Global>((*id)[1]);
    const auto key = pickle.text((*id)[2]);
    const auto elements = pickle.integer((*id)[4]);
    if (!type || !key || key->size() > limits::maxStorageKeyLength || !elements || *elements < 0)
        return std::nullopt;
    return PickledStorage{std::string(*key), storageDType(type->name), *elements,
                          std::string(pickle.text((*id)[3]).value_or("").substr(0, limits::maxStorageKeyLength))};
}

bool isTrue(const Pickle &pickle, ValueId value)
{
    const bool *b = pickle.as<bool>(value);
    return b && *b;
}

/// Reads (storage, offset, size, stride, requires_grad, hooks[, …]); in version 3 the dtype follows the hooks, and in
/// a quantized tensor the quantizer follows the strides.
std::optional<PickledTensor> stridedTensor(const Pickle &pickle, Arguments a, std::size_t requiresGrad)
{
    if (a.size() <= requiresGrad)
        return std::nullopt;
    auto storage = storageOf(pickle, a[0]);
    const auto offset = pickle.integer(a[1]);
    auto shape = pickle.integers(a[2], limits::maxRank);
    auto strides = pickle.integers(a[3], limits::maxRank);
    const auto dtype = a.size() > 6 ? dtypeGlobal(pickle, a[6]) : std::nullopt;
    if (!storage || !offset || !shape || !strides || !(storage->dtype || dtype))
        return std::nullopt;
    PickledTensor tensor;
    tensor.dtype = dtype ? *dtype : *storage->dtype;
    tensor.shape = std::move(*shape);
    tensor.strides = std::move(*strides);
    tensor.offset = *offset;
    tensor.requiresGrad = isTrue(pickle, a[requiresGrad]);
    tensor.storage = std::move(storage);
    return tensor;
}

std::optional<PickledTensor> tensorAt(const Pickle &pickle, ValueId value, int depth);

std::vector<PickledTensor> tensorsAmong(const Pickle &pickle, Arguments values, int depth)
{
    std::vector<PickledTensor> tensors;
    for (const ValueId value : values.first(std::min(values.size(), limits::maxTensorParts)))
        if (auto tensor = tensorAt(pickle, value, depth + 1))
            tensors.push_back(std::move(*tensor));
    return tensors;
}

/// Reads (torch.per_tensor_affine, scale, zero point).
std::optional<PickledScale> scaleOf(const Pickle &pickle, Arguments quantizer)
{
    const auto *scale = quantizer.size() == 3 ? pickle.as<double>(quantizer[1]) : nullptr;
    const auto zeroPoint = scale ? pickle.integer(quantizer[2]) : std::nullopt;
    return zeroPoint ? std::optional(PickledScale{*scale, *zeroPoint}) : std::nullopt;
}

/// Reads a quantized tensor; the quantizer after the strides may have tensors: (scheme, scales, zero points, axis).
std::optional<PickledTensor> quantizedTensor(const Pickle &pickle, Arguments a, int depth)
{
    auto tensor = stridedTensor(pickle, a.first(std::min<std::size_t>(a.size(), 6)), 5);
    if (const auto quantizer = tensor ? pickle.items(a[4]) : std::nullopt) {
        tensor->parts = tensorsAmong(pickle, *quantizer, depth);
        tensor->scale = scaleOf(pickle, *quantizer);
    }
    return tensor;
}

std::optional<ir::Layout> sparseLayout(const Pickle &pickle, ValueId value)
{
    if (const auto n = pickle.integer(value); n && *n >= 0 && *n <= static_cast<int>(ir::Layout::Jagged))
        return static_cast<ir::Layout>(*n);
    const auto call = pickle.callOf(value, "torch.serialization", "_get_layout");
    const auto name = call && call->size() == 1 ? pickle.text(call->front()) : std::nullopt;
    return name && name->starts_with("torch.") ? ir::layoutFromName(name->substr(6)) : std::nullopt;
}

/// Reads a sparse tensor. TorchScript: (layout, size, requires_grad, indices…, values, hooks); torch.save: (layout,
/// (indices…, values, size, …)).
std::optional<PickledTensor> sparseTensor(const Pickle &pickle, Arguments a, int depth)
{
    if (a.size() < 2)
        return std::nullopt;
    const auto inner = a.size() == 2 ? pickle.items(a[1]) : std::optional(a.subspan(1));
    const auto layout = sparseLayout(pickle, a[0]);
    if (!inner || !layout)
        return std::nullopt;
    PickledTensor tensor;
    tensor.layout = *layout;
    tensor.parts = tensorsAmong(pickle, *inner, depth);
    if (tensor.parts.empty())
        return std::nullopt;
    tensor.dtype = tensor.parts.back().dtype;
    for (const ValueId part : inner->first(std::min(inner->size(), limits::maxTensorParts)))
        if (auto size = pickle.integers(part, limits::maxRank)) {
            tensor.shape = std::move(*size);
            break;
        }
    return tensor;
}

/// Reads (dtype, size, stride, requires_grad).
std::optional<PickledTensor> metaTensor(const Pickle &pickle, Arguments a)
{
    const auto dtype = a.size() >= 4 ? dtypeGlobal(pickle, a[0]) : std::nullopt;
    auto shape = dtype ? pickle.integers(a[1], limits::maxRank) : std::nullopt;
    auto strides = shape ? pickle.integers(a[2], limits::maxRank) : std::nullopt;
    if (!strides)
        return std::nullopt;
    PickledTensor tensor;
    tensor.dtype = *dtype;
    tensor.shape = std::move(*shape);
    tensor.strides = std::move(*strides);
    tensor.requiresGrad = isTrue(pickle, a[3]);
    return tensor;
}

std::optional<PickledTensor> parameter(const Pickle &pickle, Arguments a, int depth)
{
    auto tensor = a.size() >= 2 ? tensorAt(pickle, a[0], depth + 1) : std::nullopt;
    if (tensor) {
        tensor->isParameter = true;
        tensor->requiresGrad = isTrue(pickle, a[1]);
    }
    return tensor;
}

std::optional<PickledTensor> tensorAt(const Pickle &pickle, ValueId value, int depth)
{
    static constexpr std::string_view module = "torch._utils";
    if (depth > limits::maxTensorDepth || !pickle.as<Pickle::Call>(value))
        return std::nullopt;
    if (const auto a = pickle.callOf(value, module, "_rebuild_tensor_v2"))
        return stridedTensor(pickle, a->first(std::min<std::size_t>(a->size(), 6)), 4);
    if (const auto a = pickle.callOf(value, module, "_rebuild_tensor_v3"))
        return stridedTensor(pickle, *a, 4);
    if (const auto a = pickle.callOf(value, module, "_rebuild_qtensor"))
        return quantizedTensor(pickle, *a, depth);
    if (const auto a = pickle.callOf(value, module, "_rebuild_sparse_tensor"))
        return sparseTensor(pickle, *a, depth);
    if (const auto a = pickle.callOf(value, module, "_rebuild_meta_tensor_no_storage"))
        return metaTensor(pickle, *a);
    for (const std::string_view name : {"_rebuild_parameter", "_rebuild_parameter_with_state"})
        if (const auto a = pickle.callOf(value, module, name))
            return parameter(pickle, *a, depth);
    return std::nullopt;
}

} // namespace

std::optional<PickledTensor> pickledTensor(const Pickle &pickle, ValueId value) { return tensorAt(pickle, value, 0); }

Pickle::ValueId withoutTag(const Pickle &pickle, ValueId value)
{
    const auto *call = pickle.as<Pickle::Call>(value);
    const auto *callee = call ? pickle.as<Pickle::Global>(call->callee) : nullptr;
    const auto arguments =
        callee && callee->module == "torch.jit._pickle" ? pickle.items(call->arguments) : std::nullopt;
    return arguments && !arguments->empty() ? arguments->front() : value;
}

ir::FileRange::Encoding encodingOf(const Zip &zip)
{
    const Member *order = zip.find(std::string(zip.root()) + "byteorder");
    const auto content = order && order->size < 64 ? zip.read(*order) : unreadable("");
    return content && content->text().starts_with("big") ? ir::FileRange::Encoding::BigEndian
                                                         : ir::FileRange::Encoding::LittleEndian;
}

TorchSave::TorchSave(Zip zip, Content content, Pickle pickle)
    : m_zip(std::move(zip)),
      m_content(std::move(content)),
      m_pickle(std::move(pickle))
{
}

Result<TorchSave> TorchSave::open(std::span<const std::byte> bytes)
{
    return Zip::open(bytes).and_then(&TorchSave::of);
}

Result<TorchSave> TorchSave::of(Zip zip)
{
    const Member *member = zip.find(std::string(zip.root()) + "data.pkl");
    if (!member)
        return unreadable("the torch.save file has no data.pkl");
    CUTAWAY_TRY(auto content, zip.read(*member));
    CUTAWAY_TRY(auto pickle, Pickle::read(content.bytes()));
    TorchSave file(std::move(zip), std::move(content), std::move(pickle));
    file.m_encoding = encodingOf(file.m_zip);
    return file;
}

Result<Content> TorchSave::storage(std::string_view key) const
{
    const Member *member = m_zip.find(storageFolder().append(key));
    return member ? m_zip.read(*member) : unreadable("the torch.save file has no such storage", sanitized(key));
}

} // namespace cutaway::formats::archive
