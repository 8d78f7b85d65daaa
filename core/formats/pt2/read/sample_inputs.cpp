// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/pt2/read/sample_inputs.h"

#include "core/formats/archive/pickle_printer.h"
#include "core/formats/archive/torch_save.h"

namespace cutaway::formats::pt2 {

std::optional<std::string> describeSampleInputs(std::span<const std::byte> bytes)
{
    const auto file = archive::TorchSave::open(bytes);
    return file ? std::optional(archive::printBriefly(file->pickle())) : std::nullopt;
}

} // namespace cutaway::formats::pt2
