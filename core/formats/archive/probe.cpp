// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/archive/probe.h"

#include "core/base/mapped_file.h"

namespace cutaway::formats::archive {

Probe::Probe(std::shared_ptr<const MappedFile> file) : m_bytes(file->bytes()), m_file{file->path(), file} { }

Probe::Probe(std::span<const std::byte> bytes, ir::DataFile file) : m_bytes(bytes), m_file(std::move(file)) { }

Result<const Zip *> Probe::zip() const
{
    if (!m_zip)
        m_zip.emplace(Zip::open(m_bytes));
    return m_zip->transform([](const Zip &zip) { return &zip; });
}

bool Probe::isZip() const { return looksLikeZip(m_bytes) && zip(); }

Result<const TorchSave *> Probe::torchSave() const
{
    CUTAWAY_TRY(const Zip *directory, zip());
    if (!m_torchSave)
        m_torchSave.emplace(TorchSave::of(*directory));
    return m_torchSave->transform([](const TorchSave &file) { return &file; });
}

} // namespace cutaway::formats::archive
