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
    std::map<std::string, std::string, std::less<>> texts; ///< by name: new contents of members, and new members
    std::set<std::string, std::less<>> dropped;
    std::vector<std::pair<std::string, ir::TensorId>> tensors; ///< new members: the elements of tensors
    /// By name: members that torch.save writes, with the tensors that they get.
    std::map<std::string, std::vector<archive::NamedTensor>, std::less<>> saved;
};

/// A program of the archive and the function that it is written from.
struct WrittenProgram {
    std::string name;
    const ir::Function *function = nullptr;
    const Original *original = nullptr;
};

/// A weight of a function that is to be written.
struct Weight {
    std::string target;
    ir::TensorId tensor;
    bool isConstant = false; ///< whether it is among the "constants": it is no parameter and not in the state dict
    std::optional<ir::Device> device; ///< the device that the program records for it
};
std::vector<Weight> weightsOf(const ir::Model &model, const ir::Function &function);

/// Adds the changes that the weights of the programs need: a new weight gets a member; a member that no program needs
/// any more is dropped; a weight for which another device is recorded is moved there. An archive that keeps all
/// weights in one pickle gets a new pickle if a weight is new or moved. Throws Unusable if that pickle also has
/// objects, or if a weight that has its own pickle is moved.
void changeWeights(MemberChanges &changes, const ir::Model &model, const Package &package,
                   const std::vector<WrittenProgram> &programs);

} // namespace cutaway::formats::pt2
