// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/output_file.h"
#include "core/base/task.h"
#include "core/ir/model.h"

#include <filesystem>
#include <map>
#include <optional>

namespace cutaway::formats::onnx {

/// Decides which weights of a written model are external. Weights in external files stay there if the target is in the
/// folder of the original; otherwise they go to one new file. If the message would be too long with the other weights
/// in it, the policy AllOutside moves these to the new file, too, except small ones.
class WeightPlacement {
public:
    enum class Policy : std::uint8_t { AsTheyAre, AllOutside };
    WeightPlacement(const ir::Model &model, std::filesystem::path target, Policy policy);

    /// A byte range of an external file; `location` is relative to the model's folder.
    struct Outside {
        std::string location;
        std::uint64_t offset = 0;
        std::uint64_t length = 0;
    };
    /// Returns the position of a tensor's elements in an external file; nothing if they are in the model itself.
    std::optional<Outside> outsideOf(ir::TensorId tensor);

    /// Returns the path of the new file for weights; empty if there is none.
    std::filesystem::path dataFile() const;
    /// Writes the new file. Errors: elements that cannot be read; cancelled.
    Result<void> writeData(OutputFile &file, const Task &task) const;

private:
    std::optional<Outside> staying(const ir::Tensor &tensor) const;
    std::string freshLocation() const;
    Outside move(ir::TensorId id, std::uint64_t length);

    const ir::Model &m_model;
    std::filesystem::path m_target;
    Policy m_policy;
    bool m_besideOriginal = false; ///< whether the target's folder is the one that the model was read from
    std::string m_location;
    std::vector<std::pair<ir::TensorId, std::uint64_t>> m_moved; ///< the moved tensors, with their new offsets
    std::map<ir::TensorId, std::uint64_t> m_offsets;
    std::uint64_t m_size = 0;
};

} // namespace cutaway::formats::onnx
