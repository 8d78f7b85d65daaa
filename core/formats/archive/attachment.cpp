// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/archive/attachment.h"

#include "core/base/text.h"

namespace cutaway::formats::archive {

namespace {

constexpr std::uint64_t maxTextLength = 64 << 10;

}

ir::Attachment attachmentOf(const Zip &zip, const Member &member, ir::FileId file, std::string name)
{
    ir::Attachment attachment{std::move(name), {}, {}};
    if (const auto extent = zip.storedExtent(member.name))
        attachment.range = ir::FileRange{file, extent->offset, extent->length};
    const auto content = member.size <= maxTextLength ? zip.read(member) : unreadable("");
    if (content && isUtf8(content->text()) && !content->text().contains('\0'))
        attachment.text = std::string(content->text());
    return attachment;
}

} // namespace cutaway::formats::archive
