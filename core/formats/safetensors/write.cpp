// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/safetensors/write.h"

#include "core/base/checked.h"
#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/formats/safetensors/dtypes.h"
#include "core/formats/unusable.h"
#include "core/ir/tensors/tensor_bytes.h"

#include <algorithm>
#include <functional>
#include <set>

namespace cutaway::formats::safetensors {

namespace {

constexpr std::size_t headerAlignment = 8;

/// Returns a text as JSON that keeps each of its bytes; JsonWriter changes texts so that they can be shown.
std::string exactJson(std::string_view text)
{
    std::string json = "\"";
    for (const char c : text)
        if (c == '"' || c == '\\')
            (json += '\\') += c;
        else if (static_cast<unsigned char>(c) < 0x20)
            json += formatted("\\u{:04x}", static_cast<unsigned>(c));
        else
            json += c;
    return json += '"';
}

std::string placeOf(const Entry &entry) { return "tensor " + sanitized(entry.name); }

std::uint64_t lengthOf(const Entry &entry)
{
    std::optional<std::int64_t> elements = 1;
    for (const std::int64_t size : entry.shape)
        elements = elements && size >= 0 ? checkedMultiply(*elements, size) : std::nullopt;
    const auto bytes = elements ? ir::byteSize(entry.dtype, *elements) : std::nullopt;
    if (!bytes)
        unwritable("its sizes make no sense", placeOf(entry));
    if (const auto bits = ir::bitWidth(entry.dtype); *bits < 8 && *elements * *bits % 8 != 0)
        unwritable("its elements do not fill whole bytes, which a .safetensors file cannot have", placeOf(entry));
    return static_cast<std::uint64_t>(*bytes);
}

void checkEntries(std::span<const Entry> entries)
{
    std::set<std::string_view> names;
    for (const Entry &entry : entries) {
        if (!canWrite(entry.dtype))
            unwritable(formatted("a .safetensors file cannot have elements of {}", ir::name(entry.dtype)),
                       placeOf(entry));
        if (entry.name == "__metadata__" || !isUtf8(entry.name))
            unwritable("a tensor of a .safetensors file cannot have this name", placeOf(entry));
        if (!names.insert(entry.name).second)
            unwritable("two tensors of a .safetensors file cannot have one name", placeOf(entry));
    }
}

/// Returns the entries in the order of their bytes: the widest dtypes first, so that all are aligned.
std::vector<const Entry *> byAlignment(std::span<const Entry> entries)
{
    std::vector<const Entry *> order;
    for (const Entry &entry : entries)
        order.push_back(&entry);
    std::ranges::stable_sort(order, std::greater{}, [](const Entry *e) { return *ir::bitWidth(e->dtype); });
    return order;
}

std::string metadataJson(const Metadata &metadata)
{
    std::string members;
    for (const auto &[key, value] : metadata)
        members += (members.empty() ? "" : ",") + exactJson(key) + ":" + exactJson(value);
    return "\"__metadata__\":{" + members + "}";
}

std::string entryJson(const Entry &entry, std::uint64_t begin, std::uint64_t end)
{
    std::string sizes;
    for (const std::int64_t size : entry.shape)
        sizes += (sizes.empty() ? "" : ",") + std::to_string(size);
    return formatted(R"({}:{{"dtype":"{}","shape":[{}],"data_offsets":[{},{}]}})", exactJson(entry.name),
                     nameInFile(entry.dtype), sizes, begin, end);
}

std::string headerOf(std::span<const Entry *const> order, const Metadata &metadata)
{
    std::string header = metadata.empty() ? "{" : "{" + metadataJson(metadata);
    std::uint64_t at = 0;
    for (const Entry *entry : order) {
        const auto end = checkedAdd(at, lengthOf(*entry));
        if (!end)
            unwritable("the tensors are more than a file can hold", placeOf(*entry));
        header += (header.size() > 1 ? "," : "") + entryJson(*entry, at, *end);
        at = *end;
    }
    header += '}';
    header.append((headerAlignment - header.size() % headerAlignment) % headerAlignment, ' ');
    return header;
}

void writeBytes(OutputFile &file, const Entry &entry, const Task &task)
{
    std::uint64_t written = 0;
    const std::uint64_t wanted = lengthOf(entry);
    const auto visited = entry.visit([&](std::span<const std::byte> piece) {
        written += piece.size();
        if (written <= wanted && !task.stopRequested())
            file.write(piece);
    });
    if (task.stopRequested())
        throw Unusable(cancelled().error());
    if (!visited)
        throw Unusable(visited.error().in(placeOf(entry)));
    if (written != wanted)
        unwritable(formatted("its elements have {} bytes in place of {}", written, wanted), placeOf(entry));
}

void writeFile(OutputFile &file, std::span<const Entry> entries, const Metadata &metadata, const Task &task)
{
    checkEntries(entries);
    const std::vector<const Entry *> order = byAlignment(entries);
    const std::string header = headerOf(order, metadata);
    std::string length;
    for (int byte = 0; byte < 8; ++byte)
        length += static_cast<char>(header.size() >> (8 * byte));
    file.write(length + header);
    for (std::size_t i = 0; i < order.size() && !file.failed(); ++i) {
        task.report("writing weights", i, order.size());
        writeBytes(file, *order[i], task);
    }
}

} // namespace

bool canWrite(ir::DType dtype) { return !nameInFile(dtype).empty(); }

Entry entryOf(const ir::Model &model, ir::TensorId tensor, std::string name)
{
    return {std::move(name), model.at(tensor).dtype, model.at(tensor).shape,
            [&model, tensor](const std::function<void(std::span<const std::byte>)> &visit) {
                return ir::visitElements(model, tensor, visit);
            }};
}

Result<void> write(OutputFile &file, std::span<const Entry> entries, const Metadata &metadata, const Task &task)
{
    return resultOf([&] { writeFile(file, entries, metadata, task); });
}

} // namespace cutaway::formats::safetensors
