// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

/// Limits of the work that a log can cause. Every step and every record takes bytes of its file, so most work is
/// bounded by the file; these limits restrict the size of single reads, and repeated work.
namespace cutaway::sequence::limits {

/// The length of a record's JSON object, which is on one line. The sizes of all nodes of a large graph take a megabyte;
/// parsed, they take ten times as much memory.
inline constexpr std::size_t maxEnvelope = 16u << 20;
/// The length of a JSON payload that is parsed as a whole: the provenance of a large graph takes some megabytes.
inline constexpr std::size_t maxJsonPayload = 16u << 20;
/// The length of the text of one graph, which is copied when it is opened.
inline constexpr std::size_t maxGraphText = 256u << 20;
/// The number of files of a folder that are looked at, and the number of levels of folders in it.
inline constexpr std::size_t maxFilesInFolder = 20'000;
inline constexpr int maxFolderDepth = 8;
/// The number of pairs of steps that are compared to align two sequences.
inline constexpr std::size_t maxStepPairs = 4u << 20;
/// The limit of nodes up to which a graph is computed to find the origins of its nodes even if names show most of them.
inline constexpr std::int64_t maxNodesMappedWithinStage = 1'000;
/// The number of lines of kernels that are followed; those of a kernel count once for each call.
inline constexpr std::size_t maxKernelLines = 1'000'000;
/// The number of operands, nodes and readers that are visited to find the nodes of the lines of kernels: each statement
/// of a kernel is compared with each node of the kernel. All kernels of a large model take a hundredth of this number.
inline constexpr std::size_t maxKernelSteps = 16u << 20;
/// The number of diagnostics of one kind in one file; further ones are only counted.
inline constexpr std::size_t maxDiagnosticsPerKind = 20;
/// The number of lines at the start of a file that may show its kind; terminals and launchers write some before a log.
inline constexpr std::size_t maxLinesToRecognize = 2'000;

} // namespace cutaway::sequence::limits
