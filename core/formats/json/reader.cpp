// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/json/reader.h"

#include "core/formats/archive/probe.h"
#include "core/ir/json/json.h"
#include "core/ir/verify.h"

#include <algorithm>

namespace cutaway::formats::json {

namespace {

std::string_view textOf(const archive::Probe &file)
{
    return {reinterpret_cast<const char *>(file.bytes().data()), file.bytes().size()};
}

} // namespace

bool sniff(const archive::Probe &file)
{
    const std::string_view head = textOf(file).substr(0, 200);
    const auto start = head.find_first_not_of(" \t\r\n");
    return start != head.npos && head[start] == '{' && head.contains("\"cutaway.ir/");
}

Result<ir::Model> read(const archive::Probe &file, const Task &)
{
    auto model = ir::parseJson(textOf(file));
    if (!model)
        return model;
    if (const auto faults = ir::verify(*model); !faults.empty())
        return unreadable(faults.front());
    for (ir::DataFile &data : model->files)
        data.path = file.path().parent_path() / data.path; // an absolute path stays as it is
    return model;
}

} // namespace cutaway::formats::json
