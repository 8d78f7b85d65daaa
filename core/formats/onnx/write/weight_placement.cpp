// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/formats/onnx/write/weight_placement.h"

#include "core/formats/onnx/write/message_writer.h"

#include <algorithm>

namespace cutaway::formats::onnx {

namespace {

namespace fs = std::filesystem;

/// Smaller weights stay in the model, as other exporters do it: there are many, and programs want to see them.
constexpr std::uint64_t smallestOutside = 1024;
constexpr std::uint64_t alignment = 64;

fs::path folderOf(const fs::path &file) { return file.has_parent_path() ? file.parent_path() : fs::path("."); }

bool isSameFolder(const fs::path &a, const fs::path &b)
{
    std::error_code ignored;
    return fs::equivalent(folderOf(a), folderOf(b), ignored);
}

} // namespace

WeightPlacement::WeightPlacement(const ir::Model &model, fs::path target, Policy policy)
    : m_model(model),
      m_target(std::move(target)),
      m_policy(policy),
      m_besideOriginal(!model.files.empty() && isSameFolder(model.files.front().path, m_target)),
      m_location(freshLocation())
{
}

/// Returns "model.onnx.data", or another name if a file of that name holds weights of the model.
std::string WeightPlacement::freshLocation() const
{
    const std::string wanted = m_target.filename().string() + ".data";
    std::string name = wanted;
    const auto isUsed = [&](const ir::DataFile &file) {
        return m_besideOriginal && file.path.filename() == name && isSameFolder(file.path, m_target);
    };
    for (int n = 1; std::ranges::any_of(m_model.files, isUsed); ++n)
        name = wanted + std::to_string(n);
    return name;
}

std::optional<WeightPlacement::Outside> WeightPlacement::outsideOf(ir::TensorId id)
{
    const ir::Tensor &tensor = m_model.at(id);
    const auto length = static_cast<std::uint64_t>(ir::byteSize(tensor).value_or(0));
    const auto *range = std::get_if<ir::FileRange>(&m_model.at(tensor.storage).data);
    const bool wasOutside = range && range->file != ir::FileId{0};
    if (auto beside = wasOutside ? staying(tensor) : std::nullopt)
        return beside;
    const bool moves = wasOutside || (m_policy == Policy::AllOutside && length >= smallestOutside);
    return moves ? std::optional(move(id, length)) : std::nullopt;
}

/// Returns where the tensor lies now, if its file can be addressed from the target's folder.
std::optional<WeightPlacement::Outside> WeightPlacement::staying(const ir::Tensor &tensor) const
{
    const auto &range = std::get<ir::FileRange>(m_model.at(tensor.storage).data);
    const auto length = ir::byteSize(tensor), start = ir::byteSize(tensor.dtype, tensor.offset);
    if (!m_besideOriginal || tensor.strides || !length || !start
        || range.encoding != ir::FileRange::Encoding::LittleEndian)
        return std::nullopt;
    const fs::path location =
        m_model.at(range.file).path.lexically_relative(folderOf(m_model.files.front().path)).lexically_normal();
    if (location.empty() || *location.begin() == "..")
        return std::nullopt;
    return Outside{location.string(), range.offset + static_cast<std::uint64_t>(*start),
                   static_cast<std::uint64_t>(*length)};
}

WeightPlacement::Outside WeightPlacement::move(ir::TensorId id, std::uint64_t length)
{
    const std::uint64_t aligned = (m_size + alignment - 1) / alignment * alignment;
    const auto [entry, isNew] = m_offsets.try_emplace(id, aligned);
    if (isNew) {
        m_moved.emplace_back(id, aligned);
        m_size = aligned + length;
    }
    return {m_location, entry->second, length};
}

fs::path WeightPlacement::dataFile() const { return m_moved.empty() ? fs::path() : folderOf(m_target) / m_location; }

Result<void> WeightPlacement::writeData(OutputFile &file, const Task &task) const
{
    for (const auto &[tensor, offset] : m_moved) {
        if (task.stopRequested())
            return cancelled();
        if (file.failed())
            break;
        task.report("writing the weights", file.size(), m_size);
        file.write(std::string(offset - file.size(), '\0'));
        CUTAWAY_RETURN_IF_ERROR(writeElements(file, m_model, tensor));
    }
    return {};
}

} // namespace cutaway::formats::onnx
