// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/archive/torch_save_writer.h"
#include "core/formats/pt2/package.h"
#include "core/formats/pt2/write/original.h"
#include "core/ir/model.h"

#include <map>
#include <set>

namespace cutaway::formats::pt2 {

/// The changes to the members of an archive that is written again; all other members are copied.
struct MemberChanges {
    std::map<std::string, std::string, std::less<>> texts; ///< members with this content instead, or new ones
    std::set<std::string, std::less<>> dropped;
    std::vector<std::pair<std::string, ir::TensorId>> tensors; ///< new members: the elements of tensors
    /// Members that torch.save made, with these tensors instead.
    std::map<std::string, std::vector<archive::NamedTensor>, std::less<>> saved;
};

/// A program of the archive and the function that it is written from.
struct WrittenProgram {
    std::string name;
    const ir::Function *function = nullptr;
    const Original *original = nullptr;
};

/// A weight of a function as it is to be written.
struct Weight {
    std::string target;
    ir::TensorId tensor;
    bool isConstant = false;          ///< among "constants": no parameter and not in the state dict
    std::optional<ir::Device> device; ///< the device that the program records
};
std::vector<Weight> weightsOf(const ir::Model &model, const ir::Function &function);

/// Adds the changes that the weights of the programs need: a new weight gets a member of its own, a member whose weight
/// no program has any more is dropped, a weight of which another device is recorded is to lie there. An archive that
/// keeps all weights in one pickle gets a new pickle if a weight is new or moved. Throws Unusable if that pickle has
/// objects, too, or if a weight that has a pickle of its own is moved.
void changeWeights(MemberChanges &changes, const ir::Model &model, const Package &package,
                   const std::vector<WrittenProgram> &programs);

} // namespace cutaway::formats::pt2
