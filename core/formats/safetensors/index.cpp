// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/safetensors/index.h"

#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/formats/archive/little_endian.h"
#include "core/formats/archive/probe.h"
#include "core/formats/limits.h"
#include "core/formats/unusable.h"

#include <algorithm>
#include <simdjson.h>
#include <unordered_map>

namespace cutaway::formats::safetensors {

namespace {

namespace dom = simdjson::dom;

constexpr std::string_view listOfFiles = "weight_map";

/// Whether a text is a file name without a path, so that it cannot refer to a file outside of the folder.
bool isPlainName(std::string_view name)
{
    return !name.empty() && name != "." && name != ".." && !name.contains('/') && !name.contains('\\')
        && !name.contains('\0');
}

Index indexOf(std::string_view text)
{
    if (text.size() > limits::maxJsonSize)
        unusable(formatted("the index has {} bytes; at most {} are read", text.size(), limits::maxJsonSize));
    dom::parser parser;
    dom::object files;
    if (parser.allocate(text.size(), limits::maxNesting) != simdjson::SUCCESS
        || parser.parse(text.data(), text.size())[listOfFiles].get(files) != simdjson::SUCCESS)
        unusable("the index is no JSON object with a weight_map");
    Index index;
    std::unordered_map<std::string_view, std::size_t> numbers;
    for (const auto &[tensor, value] : files) {
        std::string_view file;
        if (value.get(file) != simdjson::SUCCESS || !isPlainName(file))
            unusable("its file is no name of a file in the folder of the index", "tensor " + sanitized(tensor));
        const auto [known, isNew] = numbers.try_emplace(file, index.files.size());
        if (isNew)
            index.files.emplace_back(file);
        index.tensors.emplace_back(tensor, known->second);
    }
    return index;
}

} // namespace

bool looksLikeIndex(const archive::Probe &file)
{
    const std::string_view text = archive::asText(file.bytes());
    return file.path().string().ends_with(".safetensors.index.json") && text.starts_with('{')
        && text.contains(listOfFiles);
}

Result<Index> readIndex(const archive::Probe &file)
{
    return resultOf([&] { return indexOf(archive::asText(file.bytes())); });
}

} // namespace cutaway::formats::safetensors
