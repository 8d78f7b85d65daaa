// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/parts.h"

#include "core/base/result.h"
#include "core/plugin/importing.h"

#include <algorithm>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>

namespace cutaway::python {

namespace {

class Parts {
public:
    Parts(ir::Model &model, const FetchedParts &parts) : m_model(model), m_parts(parts) { }

    /// Replaces bytes that were not fetched by the reason: the file has zeros there, which are not elements.
    void dropWhatIsNotHere()
    {
        for (std::uint32_t i = 0; i < m_model.storages.size(); ++i) {
            const auto *range = std::get_if<ir::FileRange>(&m_model.storages[i].data);
            if (range && !isHere(*range))
                m_model.storages.edit(i).data = ir::NoBytes{"it was not fetched from " + m_parts.url};
        }
        for (ir::Attachment &attachment : m_model.attachments)
            if (attachment.range && !isHere(*attachment.range))
                attachment.range.reset();
    }

private:
    bool isHere(const ir::FileRange &wanted) const
    {
        const auto file = m_parts.ranges.find(m_model.files[wanted.file.index].path.lexically_normal());
        if (file == m_parts.ranges.end())
            return false;
        return wanted.length == 0 || std::ranges::any_of(file->second, [&](const FetchedParts::Range &range) {
                   return range.begin <= wanted.offset && wanted.offset <= range.end
                       && wanted.length <= range.end - wanted.offset;
               });
    }

    ir::Model &m_model;
    const FetchedParts &m_parts;
};

/// Maps all files of a model now. Otherwise they would be mapped at the first read, when they may be gone.
Result<void> mapFiles(ir::Model &model)
{
    for (ir::DataFile &file : model.files) {
        if (file.mapping)
            continue;
        CUTAWAY_TRY(auto mapped, MappedFile::open(file.path));
        file.mapping = std::make_shared<const MappedFile>(std::move(mapped));
    }
    return {};
}

} // namespace

FetchedParts fetchedParts(const std::filesystem::path &file, std::string url, const nb::dict &ranges)
{
    FetchedParts parts{file, std::move(url), {}};
    for (const auto [path, pairs] : ranges) {
        auto &list = parts.ranges[nb::cast<std::filesystem::path>(path).lexically_normal()];
        for (const nb::handle pair : nb::iter(pairs))
            list.push_back({nb::cast<std::uint64_t>(pair[0]), nb::cast<std::uint64_t>(pair[1])});
    }
    return parts;
}

Result<ir::Model> openParts(const FetchedParts &parts, const Task &task)
{
    auto model = plugin::open(parts.file, task);
    if (!model)
        return model;
    CUTAWAY_RETURN_IF_ERROR(mapFiles(*model));
    Parts(*model, parts).dropWhatIsNotHere();
    model->path = parts.url;
    return model;
}

} // namespace cutaway::python
