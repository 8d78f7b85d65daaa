// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/formats/archive/torch_save_writer.h"

#include "core/base/text.h"
#include "core/formats/archive/zip_writer.h"
#include "core/formats/unusable.h"
#include "core/ir/tensors/tensor_bytes.h"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <utility>

namespace cutaway::formats::archive {

namespace {

using ir::DType;

/// Returns torch's storage class for a dtype; nothing if torch.load knows none, or needs more than the bytes.
std::optional<std::string> storageClass(DType dtype)
{
    const auto number = ir::numberOf(dtype, ir::Numbering::C10);
    const bool isPlain = number && *number <= ir::numberOf(DType::BFloat16, ir::Numbering::C10);
    const ir::ElementKind kind = ir::elementKind(dtype);
    if (!isPlain || dtype == DType::Complex32 || kind == ir::ElementKind::QuantizedSigned
        || kind == ir::ElementKind::QuantizedUnsigned)
        return std::nullopt;
    return std::string(ir::storageName(dtype)) + "Storage";
}

/// Writes a pickle of protocol 2, with the instructions that tensors need.
class PickleWriter {
public:
    PickleWriter()
        : m_bytes("\x80\x02"
                  "}(")
    {
    }

    /// A storage as it is pickled: ('storage', torch.FloatStorage, key, 'cpu', numel).
    struct Storage {
        std::string className, key, location;
        std::int64_t elements = 0;
    };

    void add(std::string_view name, const ir::Tensor &tensor, const Storage &storage)
    {
        text(name);
        const bool isParameter = tensor.kind == ir::Tensor::Kind::Parameter;
        if (isParameter)
            global("torch._utils", "_rebuild_parameter");
        addView(tensor, storage, isParameter ? false : tensor.requiresGrad);
        if (!isParameter)
            return;
        boolean(tensor.requiresGrad);
        orderedDict();
        m_bytes += "\x87R"; // a tuple of three items, which is the argument of a call
    }

    std::string take() { return std::move(m_bytes += "u."); }

private:
    void addView(const ir::Tensor &tensor, const Storage &storage, bool requiresGrad)
    {
        global("torch._utils", "_rebuild_tensor_v2");
        m_bytes += "((";
        text("storage");
        global("torch", storage.className);
        text(storage.key);
        text(storage.location);
        integer(storage.elements);
        m_bytes += "tQ"; // the tuple is a persistent id
        integer(tensor.offset);
        tuple(tensor.shape);
        tuple(stridesOf(tensor));
        boolean(requiresGrad);
        orderedDict();
        m_bytes += "tR";
    }

    static std::vector<std::int64_t> stridesOf(const ir::Tensor &tensor)
    {
        if (tensor.strides)
            return *tensor.strides;
        std::vector<std::int64_t> strides(tensor.shape.size());
        std::int64_t step = 1;
        for (std::size_t d = strides.size(); d-- > 0;) {
            strides[d] = step;
            step *= std::max<std::int64_t>(tensor.shape[d], 1);
        }
        return strides;
    }

    void number(std::uint64_t n, int bytes)
    {
        for (int i = 0; i < bytes; ++i)
            m_bytes += static_cast<char>(n >> (8 * i));
    }
    void text(std::string_view text)
    {
        m_bytes += 'X';
        number(text.size(), 4);
        m_bytes += text;
    }
    void global(std::string_view module, std::string_view name)
    {
        (m_bytes += 'c') += module;
        (m_bytes += '\n') += name;
        m_bytes += '\n';
    }
    void integer(std::int64_t n)
    {
        m_bytes += "\x8a\x08"; // LONG1 with 8 bytes
        number(static_cast<std::uint64_t>(n), 8);
    }
    void boolean(bool b) { m_bytes += b ? '\x88' : '\x89'; }
    void tuple(const std::vector<std::int64_t> &numbers)
    {
        m_bytes += '(';
        std::ranges::for_each(numbers, [&](std::int64_t n) { integer(n); });
        m_bytes += 't';
    }
    void orderedDict()
    {
        global("collections", "OrderedDict");
        m_bytes += ")R";
    }

    std::string m_bytes;
};

/// The storages that are written, in the order of their keys, with their bytes.
class StorageList {
public:
    PickleWriter::Storage enter(const ir::Model &model, const NamedTensor &named)
    {
        const ir::Tensor &tensor = model.at(named.tensor);
        const auto className = storageClass(tensor.dtype);
        if (!className || tensor.layout != ir::Layout::Strided || !tensor.parts.empty())
            unwritable("torch.save files are written of plain tensors only", "tensor " + sanitized(named.name));
        const auto [entry, isNew] = m_keys.try_emplace(tensor.storage, m_bytes.size());
        if (isNew) {
            ir::StorageBytes bytes = orThrow(ir::bytesOf(model, model.at(tensor.storage)));
            if (bytes.encoding != ir::FileRange::Encoding::LittleEndian)
                bytes = decoded(model, named);
            m_bytes.push_back(std::move(bytes));
        }
        const std::size_t width = static_cast<std::size_t>(*ir::bitWidth(tensor.dtype)) / 8;
        return {*className, std::to_string(entry->second), named.location,
                static_cast<std::int64_t>(m_bytes[entry->second].bytes.size() / width)};
    }
    const std::vector<ir::StorageBytes> &bytes() const { return m_bytes; }

private:
    /// Returns the elements, decoded from a protobuf list, of a tensor that shares its storage with no other.
    ir::StorageBytes decoded(const ir::Model &model, const NamedTensor &named)
    {
        const ir::Tensor &tensor = model.at(named.tensor);
        if (tensor.offset != 0 || tensor.strides)
            unwritable("its elements are not little-endian", "tensor " + sanitized(named.name));
        std::vector<std::byte> &elements = m_decoded.emplace_back();
        orThrow(ir::visitElements(model, named.tensor, [&](std::span<const std::byte> bytes) {
            elements.insert(elements.end(), bytes.begin(), bytes.end());
        }));
        return {elements, ir::FileRange::Encoding::LittleEndian, nullptr};
    }

    std::deque<std::vector<std::byte>> m_decoded;
    std::map<ir::StorageId, std::size_t> m_keys;
    std::vector<ir::StorageBytes> m_bytes;
};

} // namespace

Result<void> writeTorchSave(OutputFile &file, const ir::Model &model, std::span<const NamedTensor> tensors)
{
    PickleWriter pickle;
    StorageList storages;
    const auto entered = resultOf([&] {
        for (const NamedTensor &named : tensors)
            pickle.add(named.name, model.at(named.tensor), storages.enter(model, named));
    });
    if (!entered)
        return entered;
    ZipWriter zip(file);
    zip.add("archive/data.pkl", pickle.take());
    zip.add("archive/byteorder", "little");
    for (std::size_t key = 0; key < storages.bytes().size(); ++key) {
        const auto &[bytes, encoding, mapping] = storages.bytes()[key];
        zip.begin("archive/data/" + std::to_string(key), bytes.size());
        zip.write(bytes);
        zip.end();
    }
    zip.add("archive/version", "3\n");
    zip.finish();
    return {};
}

} // namespace cutaway::formats::archive
