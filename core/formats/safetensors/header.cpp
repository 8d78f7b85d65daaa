// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/safetensors/header.h"

#include "core/base/checked.h"
#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/formats/archive/little_endian.h"
#include "core/formats/limits.h"
#include "core/formats/unusable.h"

#include <algorithm>
#include <optional>
#include <simdjson.h>
#include <string_view>
#include <unordered_set>

namespace cutaway::formats::safetensors {

namespace {

namespace dom = simdjson::dom;

constexpr std::size_t lengthSize = 8;
/// The longest header: the library of the format's authors refuses longer ones. A tensor takes some 100 bytes of it.
constexpr std::uint64_t maxHeaderLength = 100'000'000;
/// A length that no real file has. The first eight bytes of a text are a larger number.
constexpr std::uint64_t absurdLength = std::uint64_t{1} << 40;

std::string tensorPlace(std::string_view name) { return "tensor " + sanitized(name); }

std::uint64_t lengthOfHeader(std::span<const std::byte> file)
{
    const auto length = archive::littleEndian<std::uint64_t>(file, 0);
    if (length > maxHeaderLength)
        unusable(formatted("the header is {} bytes long; at most {} are read", length, maxHeaderLength), "byte 0");
    if (length > file.size() - lengthSize)
        unusable(formatted("the header is {} bytes long, and the file has {} behind its length", length,
                           file.size() - lengthSize),
                 "byte 0");
    return length;
}

dom::object parsedHeader(dom::parser &parser, std::string_view text)
{
    const std::string place = formatted("bytes {} to {}", lengthSize, lengthSize + text.size());
    if (parser.allocate(text.size(), limits::maxNesting) != simdjson::SUCCESS)
        unusable("there is not enough memory for the header", place);
    dom::object object;
    if (parser.parse(text.data(), text.size()).get(object) != simdjson::SUCCESS)
        unusable("the header is no JSON object", place);
    return object;
}

template <class T>
T valueOf(const dom::element &element, std::string_view what, std::string_view tensor)
{
    T value{};
    if (element.get<T>().get(value) != simdjson::SUCCESS)
        unusable(formatted("its {} is not as it has to be", what), tensorPlace(tensor));
    return value;
}

std::vector<std::int64_t> sizesOf(const dom::element &element, std::string_view tensor)
{
    std::vector<std::int64_t> sizes;
    for (const dom::element size : valueOf<dom::array>(element, "shape", tensor)) {
        sizes.push_back(valueOf<std::int64_t>(size, "shape", tensor));
        if (sizes.back() < 0 || sizes.size() > limits::maxRank)
            unusable(formatted("its shape has a negative size or more than {} of them", limits::maxRank),
                     tensorPlace(tensor));
    }
    return sizes;
}

/// Reads the description of a tensor: the value after its name.
class DescriptionReader {
public:
    explicit DescriptionReader(std::string_view name) { m_tensor.name = name; }

    Described read(const dom::element &value)
    {
        for (const auto &[key, member] : valueOf<dom::object>(value, "description", m_tensor.name)) {
            if (key == "dtype")
                m_tensor.dtype = valueOf<std::string_view>(member, "dtype", m_tensor.name);
            else if (key == "shape")
                m_tensor.shape = sizesOf(member, m_tensor.name);
            else if (key == "data_offsets")
                readOffsets(member);
            else
                continue;
            ++m_known;
        }
        if (m_known != 3)
            unusable("it has not one dtype, shape and data_offsets", tensorPlace(m_tensor.name));
        return std::move(m_tensor);
    }

private:
    void readOffsets(const dom::element &member)
    {
        std::vector<std::uint64_t> offsets;
        for (const dom::element offset : valueOf<dom::array>(member, "data_offsets", m_tensor.name))
            if (offsets.push_back(valueOf<std::uint64_t>(offset, "data_offsets", m_tensor.name)); offsets.size() > 2)
                break;
        if (offsets.size() != 2 || offsets[0] > offsets[1])
            unusable("its data_offsets are no begin and end", tensorPlace(m_tensor.name));
        m_tensor.begin = offsets[0];
        m_tensor.end = offsets[1];
    }

    Described m_tensor;
    int m_known = 0;
};

void readMetadata(Header &header, const dom::element &value)
{
    dom::object members;
    if (value.get(members) != simdjson::SUCCESS)
        unusable("__metadata__ is no object of texts", "header");
    for (const auto &[key, member] : members) {
        std::string_view text;
        if (member.get(text) != simdjson::SUCCESS)
            unusable("__metadata__ has a value that is no text", "key " + sanitized(key));
        header.metadata.emplace_back(key, text);
    }
}

void readMembers(Header &header, const dom::object &object)
{
    std::unordered_set<std::string_view> names;
    for (const auto &[name, value] : object) {
        if (!names.insert(name).second)
            unusable("the header has two tensors of one name", tensorPlace(name));
        if (name == "__metadata__")
            readMetadata(header, value);
        else
            header.tensors.push_back(DescriptionReader(name).read(value));
    }
}

/// Turns offsets from the end of the header into offsets in the file, and checks that all are inside of it.
void place(Header &header)
{
    for (Described &tensor : header.tensors) {
        if (tensor.end > header.dataLength)
            unusable(formatted("its bytes are {} to {} of {}", tensor.begin, tensor.end, header.dataLength),
                     tensorPlace(tensor.name));
        tensor.begin += header.dataStart;
        tensor.end += header.dataStart;
    }
}

void checkOverlaps(Header &header)
{
    std::ranges::stable_sort(header.tensors, {}, [](const Described &t) { return std::pair(t.begin, t.end); });
    header.unused = header.dataLength;
    const Described *before = nullptr;
    for (const Described &tensor : header.tensors) {
        if (tensor.begin == tensor.end)
            continue;
        if (before && tensor.begin < before->end)
            unusable(formatted("it has bytes in common with {}: {} to {}", sanitized(before->name), tensor.begin,
                               std::min(tensor.end, before->end)),
                     tensorPlace(tensor.name));
        header.unused -= tensor.end - tensor.begin;
        before = &tensor;
    }
}

Header headerOf(std::span<const std::byte> file)
{
    if (file.size() < lengthSize)
        unusable(formatted("the file has {} bytes; the length of the header takes {}", file.size(), lengthSize));
    const std::uint64_t length = lengthOfHeader(file);
    Header header;
    header.dataStart = lengthSize + length;
    header.dataLength = file.size() - header.dataStart;
    dom::parser parser;
    readMembers(header, parsedHeader(parser, archive::asText(file.subspan(lengthSize, length))));
    place(header);
    checkOverlaps(header);
    return header;
}

} // namespace

bool looksLikeSafetensors(std::span<const std::byte> file)
{
    if (file.size() < lengthSize + 2)
        return false;
    const auto length = archive::littleEndian<std::uint64_t>(file, 0);
    const std::string_view start = archive::asText(file.subspan(lengthSize, 2));
    return length >= 2 && length < absurdLength && start.front() == '{'
        && std::string_view("\"} \n\r\t").contains(start[1]);
}

Result<Header> readHeader(std::span<const std::byte> file)
{
    return resultOf([&] { return headerOf(file); });
}

} // namespace cutaway::formats::safetensors
