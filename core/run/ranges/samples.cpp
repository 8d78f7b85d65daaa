// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/ranges/samples.h"

#include "core/base/formatted.h"
#include "core/base/located.h"
#include "core/base/mapped_file.h"
#include "core/base/result.h"
#include "core/formats/archive/zip.h"
#include "core/run/tensor_file.h"
#include "core/tensor/npy.h"

#include <algorithm>

namespace cutaway::run {

namespace {

using Arrays = std::map<std::string, protocol::Tensor>;

constexpr std::string_view arraysSuffix = ".npz", arraySuffix = ".npy";

Result<void> addArrays(Arrays &arrays, const std::string &path)
{
    CUTAWAY_TRY(const auto file, MappedFile::open(path));
    CUTAWAY_TRY(const auto zip, formats::archive::Zip::open(file.bytes()));
    for (const auto &member : zip.members()) {
        CUTAWAY_TRY(const auto content, zip.read(member));
        CUTAWAY_TRY(auto array, located(std::string(member.name), tensor::parseNpy(content.text())));
        std::string_view name = member.name;
        if (name.ends_with(arraySuffix))
            name.remove_suffix(arraySuffix.size());
        arrays.emplace(name, std::move(array));
    }
    return {};
}

Result<Arrays> arraysOf(std::span<const std::string> texts)
{
    Arrays arrays;
    for (const std::string &text : texts) {
        const std::size_t equals = text.find('=');
        const std::string path = equals == text.npos ? text : text.substr(equals + 1);
        if (equals == text.npos && path.ends_with(arraysSuffix)) {
            CUTAWAY_RETURN_IF_ERROR(located(path, addArrays(arrays, path)));
            continue;
        }
        if (equals == text.npos)
            return usageError(formatted("'{}' is no FILE.npz and no INPUT=FILE.npy", text));
        CUTAWAY_TRY(auto array, located(path, readTensor(path, {})));
        arrays.insert_or_assign(text.substr(0, equals), std::move(array));
    }
    return arrays;
}

struct InputForm {
    ir::DType dtype;
    std::vector<std::int64_t> shape;
};

std::optional<InputForm> formOf(const InputContent &content)
{
    if (const auto *tensor = std::get_if<protocol::Tensor>(&content))
        return InputForm{tensor->dtype, tensor->shape};
    if (const auto *drawn = std::get_if<protocol::DrawnTensor>(&content))
        return InputForm{drawn->dtype, drawn->shape};
    return std::nullopt;
}

std::string sizesText(const std::vector<std::int64_t> &shape)
{
    std::string text;
    for (const std::int64_t size : shape)
        text += (text.empty() ? "" : "x") + std::to_string(size);
    return text;
}

/// Divides an array into consecutive tensors with an input's shape.
Result<std::vector<protocol::Tensor>> samplesIn(const protocol::Tensor &array, const Input &input)
{
    const auto form = formOf(input.content);
    if (!form)
        return usageError(formatted("the input '{}' is no tensor", input.name));
    if (form->dtype != array.dtype)
        return usageError(formatted("the input '{}' is {}, and its samples are {}", input.name, ir::name(form->dtype),
                                    ir::name(array.dtype)));
    if (form->shape == array.shape)
        return std::vector{array};
    const bool isAlike = !array.shape.empty() && array.shape.size() == form->shape.size()
        && std::equal(array.shape.begin() + 1, array.shape.end(), form->shape.begin() + 1) && form->shape.front() > 0
        && array.shape.front() > 0 && array.shape.front() % form->shape.front() == 0;
    if (!isAlike)
        return usageError(formatted("the input '{}' is {}, and its samples are {}: expected a multiple of its first "
                                    "size",
                                    input.name, sizesText(form->shape), sizesText(array.shape)));
    const auto count = static_cast<std::size_t>(array.shape.front() / form->shape.front());
    const std::size_t length = array.bytes.size() / count;
    std::vector<protocol::Tensor> parts;
    for (std::size_t i = 0; i < count; ++i)
        parts.push_back({array.dtype, form->shape, array.bytes.substr(i * length, length)});
    return parts;
}

} // namespace

Result<std::vector<Inputs>> sampledInputs(const Inputs &inputs, std::span<const std::string> texts)
{
    CUTAWAY_TRY(const auto arrays, arraysOf(texts));
    std::vector<Inputs> samples;
    for (const auto &[name, array] : arrays) {
        const auto input = std::ranges::find(inputs, name, &Input::name);
        if (input == inputs.end())
            return usageError(formatted("there are samples of '{}', which is no input", name));
        CUTAWAY_TRY(auto parts, samplesIn(array, *input));
        samples.resize(samples.empty() ? parts.size() : samples.size(), inputs);
        if (samples.size() != parts.size())
            return usageError(
                formatted("there are {} samples of '{}' and {} of another input", parts.size(), name, samples.size()));
        for (std::size_t i = 0; i < parts.size(); ++i)
            samples[i][static_cast<std::size_t>(input - inputs.begin())].content = std::move(parts[i]);
    }
    return samples;
}

} // namespace cutaway::run
