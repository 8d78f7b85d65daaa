// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/linked.h"
#include "core/trace/links/alignment.h"
#include "core/trace/units.h"

#include <span>

namespace cutaway::trace {

/// The prefix of operators that TorchScript's fuser makes, named after those in them: "fused_batch_norm_relu".
inline constexpr std::string_view fusedPrefix = "fused_";
/// Whether the list of names in a fused operator's name continues with this name.
bool continues(std::string_view names, std::string_view name);

enum class Shapes : std::uint8_t { Equal, Differ, Unknown };
/// Compares the shapes of a call's inputs with those of a unit's operands.
Shapes shapesOf(const Trace &trace, const Event &call, const Unit &unit);

/// Returns how well the units from one on fit a call, by operator, shapes and module; fused operators stand for several
/// units.
Fit fitOf(const Trace &trace, const Event &call, std::span<const Unit> from);

/// Finds how well units fit the calls of an iteration; each fit is computed when it is first asked for. Calls with the
/// same operator, shapes and module share their answers. Precondition: there are units.
class CallFits {
public:
    CallFits(const Trace &trace, std::span<const Unit> units, const std::vector<Row *> &calls,
             const std::vector<std::uint32_t> &kinds);

    Fit of(std::size_t call, std::size_t unit);

private:
    Fit computed(std::size_t call, std::size_t unit) const;

    const Trace &m_trace;
    std::span<const Unit> m_units;
    const std::vector<Row *> &m_calls;
    std::vector<std::size_t> m_kinds;        ///< by call
    std::vector<std::optional<Fit>> m_known; ///< by kind and unit; empty if there are too many to keep
};

} // namespace cutaway::trace
