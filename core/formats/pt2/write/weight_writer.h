// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/archive/torch_save_writer.h"
#include "core/formats/pt2/package.h"
#include "core/formats/pt2/write/original.h"
#include "core/ir/model.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace cutaway::formats::pt2 {

/// What becomes of the members of an archive that is written anew; all others are copied.
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
    std::optional<ir::Device> device; ///< that the program records of it
};
std::vector<Weight> weightsOf(const ir::Model &model, const ir::Function &function);

/// Adds what the weights of the programs need: new ones get members of their own, those that no program has any more
/// are dropped, those of which another device is recorded are to lie there. Where the archive keeps all in one pickle,
/// that is made anew if one is new or moved. Throws Unusable if the pickle has objects, too, or if one that has a
/// pickle for itself is moved.
void changeWeights(MemberChanges &changes, const ir::Model &model, const Package &package,
                   const std::vector<WrittenProgram> &programs);

} // namespace cutaway::formats::pt2
