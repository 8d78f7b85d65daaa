// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/torch/file_objects.h"
#include "core/base/located.h"
#include "core/ir/model_format.h"

#include <ATen/core/Dict.h>
#include <charconv>
#include <ranges>
#include <torch/csrc/jit/serialization/import.h>

namespace cutaway::plugins {

namespace {

std::optional<std::size_t> indexOf(std::string_view text)
{
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(index) : std::nullopt;
}

std::optional<c10::IValue> itemOf(const std::vector<c10::IValue> &items, std::string_view name)
{
    const auto index = indexOf(name);
    return index && *index < items.size() ? std::optional(items[*index]) : std::nullopt;
}

/// Returns an object's attribute, or an item of a list, tuple or dictionary.
std::optional<c10::IValue> partOf(const c10::IValue &whole, std::string_view name)
{
    if (whole.isObject()) {
        const auto object = whole.toObject();
        const auto slot = object->type()->findAttributeSlot(std::string(name));
        return slot ? std::optional(object->getSlot(*slot)) : std::nullopt;
    }
    if (whole.isList())
        return itemOf(whole.toListRef().vec(), name);
    if (whole.isTuple())
        return itemOf(whole.toTupleRef().elements().vec(), name);
    if (whole.isGenericDict())
        for (const auto &entry : whole.toGenericDict())
            if (entry.key().isString() && entry.key().toStringRef() == name)
                return entry.value();
    return std::nullopt;
}

} // namespace

Result<void> FileObjects::load()
try {
    if (ir::formatOf(m_model).namesNodes || m_model.files.empty())
        return backendError("torch makes objects of its own classes from TorchScript files only");
    m_root = torch::jit::load(m_model.files.front().path.string(), m_device);
    return {};
} catch (const c10::Error &error) {
    return backendError(error.what_without_backtrace());
} catch (const std::exception &error) {
    return backendError(error.what());
}

Result<c10::IValue> FileObjects::at(std::string_view path)
{
    if (!m_root)
        CUTAWAY_RETURN_IF_ERROR(located(std::string(path), load()));
    std::optional<c10::IValue> value = m_root->_ivalue();
    for (const auto name : path | std::views::split('.'))
        value = value ? partOf(*value, std::string_view(name)) : std::nullopt;
    return value ? Result<c10::IValue>(std::move(*value))
                 : backendError("torch finds no '" + std::string(path) + "' in the file");
}

} // namespace cutaway::plugins
