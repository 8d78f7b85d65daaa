// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/ir/context.h"
#include "core/ops/program/control_flow.h"
#include "core/passes/left_over.h"
#include "core/passes/pass.h"
#include "core/rewrite/rewriter.h"

#include <algorithm>
#include <charconv>

// Does what torch.export.passes.move_to_device_pass does: changes devices that are arguments of nodes, and devices that
// are recorded of values. A weight is written to lie on the device that is recorded of its value.

namespace cutaway::passes {

namespace {

struct NamedDevice {
    std::string kind;
    std::optional<int> index;
    bool operator==(const NamedDevice &) const = default;
};

/// Parses a device such as "cuda:0"; nothing if the text is no device.
std::optional<NamedDevice> deviceNamed(std::string_view text)
{
    const std::size_t colon = std::min(text.find(':'), text.size());
    NamedDevice device{std::string(text.substr(0, colon)), {}};
    const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
    if (device.kind.empty() || !std::ranges::all_of(device.kind, isLetter))
        return std::nullopt;
    if (colon == text.size())
        return device;
    int index = 0;
    const auto [end, error] = std::from_chars(text.data() + colon + 1, text.data() + text.size(), index);
    if (error != std::errc{} || end != text.data() + text.size() || index < 0)
        return std::nullopt;
    device.index = index;
    return device;
}

class Move {
public:
    Move(rewrite::Rewriter &rewriter, std::optional<NamedDevice> from, const NamedDevice &to)
        : m_rewriter(rewriter),
          m_from(std::move(from)),
          m_to{rewriter.text(to.kind), to.index}
    {
    }

    void run()
    {
        for (const ir::NodeRef node : m_rewriter.nodes())
            moveArguments(node);
        for (ir::ValueId id{0}; id.index < m_rewriter.graph().valueCount(); ++id.index)
            moveType(id);
        m_rewriter.remark(m_left.print("nodes that devices are given to are not changed"));
    }

private:
    bool isMoved(const ir::Device &device) const
    {
        return !m_from || NamedDevice{std::string(m_rewriter.context().text(device.kind)), device.index} == *m_from;
    }

    void moveArguments(const ir::NodeRef &node)
    {
        if (m_rewriter.kind(node) == ops::kind::wrapWithAutocast) {
            m_left.leave("what autocast does depends on the device that it is of");
            return;
        }
        std::vector<ir::Argument> arguments = node->arguments;
        for (ir::Argument &argument : arguments) {
            const bool isNamed = m_rewriter.context().text(argument.name) == "device";
            const auto *text = isNamed ? argument.value.as<ir::String>() : nullptr;
            const auto named = text ? deviceNamed(m_rewriter.context().text(text->text)) : std::nullopt;
            const auto *device = argument.value.as<ir::Device>();
            if ((device && isMoved(*device)) || (named && (!m_from || *named == *m_from)))
                argument.value = m_to;
        }
        if (arguments == node->arguments)
            return;
        m_left.done();
        m_rewriter.setArguments(node, std::move(arguments));
    }

    void moveType(ir::ValueId id)
    {
        const ir::TensorType *recorded = ir::ValueRef(m_rewriter.graph(), id).tensorType();
        if (!recorded || !recorded->device || !isMoved(*recorded->device))
            return;
        ir::TensorType type = *recorded;
        type.device = m_to;
        m_rewriter.setType(id, m_rewriter.context().type(type));
    }

    rewrite::Rewriter &m_rewriter;
    std::optional<NamedDevice> m_from; ///< the device to change; nothing: any device
    ir::Device m_to;
    LeftOver m_left;
};

Result<void> runMoveToDevice(rewrite::Rewriter &rewriter, const Settings &settings)
{
    const std::string &from = settings.word("from");
    const auto to = deviceNamed(settings.word("to")), source = deviceNamed(from);
    if (!to || (!from.empty() && !source))
        return usageError("'to' and 'from' are devices such as cpu or cuda:0");
    Move(rewriter, from.empty() ? std::nullopt : source, *to).run();
    return {};
}

} // namespace

extern const Pass moveToDevice;
const Pass moveToDevice{"move-to-device",
                        "Gives nodes and weights of PyTorch's programs another device in place of theirs.",
                        {{"to", "the device, such as cpu or cuda:0", std::string("cpu")},
                         {"from", "the device that is replaced; any, if it is empty", std::string()}},
                        runMoveToDevice,
                        false};

} // namespace cutaway::passes
