// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/json/writer.h"

#include "core/base/output_file.h"
#include "core/formats/archive/probe.h"
#include "core/formats/json/reader.h"
#include "core/formats/unusable.h"
#include "core/ir/context.h"
#include "core/ir/json/json.h"

namespace cutaway::formats::json {

namespace {

/// Returns the model with the paths of its files made relative to a folder.
ir::Model fromFolder(ir::Model model, const std::filesystem::path &folder)
{
    std::error_code error;
    for (ir::DataFile &file : model.files)
        if (const auto near = std::filesystem::proximate(file.path, folder, error); !error)
            file.path = near;
    return model;
}

} // namespace

Result<Written> write(const ir::Model &model, const std::filesystem::path &path, const Task &task)
{
    return resultOf([&] {
        Written written;
        const PartFile &part = written.parts.emplace_back(path);
        std::error_code ignored;
        const auto folder = std::filesystem::absolute(path, ignored).parent_path();
        orThrow(part.fill([&](OutputFile &file) -> Result<void> {
            file.write(ir::printJson(fromFolder(model, folder)) + "\n");
            return {};
        }));
        const auto made = std::make_shared<const MappedFile>(orThrow(MappedFile::open(part.path())));
        written.content = orThrow(readBack(read(archive::Probe(made), task)));
        for (std::uint32_t i = 0; i < model.tensors.size(); ++i)
            written.weights.emplace_back(ir::TensorId{i}, model.context->text(model.tensors[i].name));
        return written;
    });
}

} // namespace cutaway::formats::json
