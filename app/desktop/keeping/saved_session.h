// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/keeping/saved_subject.h"
#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace cutaway::desktop {

/// The state that a user has given to the window of a model: open boxes, the visible area, sizes, passes, device,
/// times, bookmarks. It does not refer to a model in memory.
struct SavedSession {
    struct View {
        double x = 0, y = 0; ///< the point of the diagram in the middle of the window
        double zoom = 1;
        bool operator==(const View &) const = default;
    };
    struct Times {
        std::string profile; ///< JSON of schema "cutaway.profile/1"
        std::string how;
        std::vector<std::string> given;
        bool operator==(const Times &) const = default;
    };
    /// The statistics of all values in the last run.
    struct Values {
        std::string run;    ///< JSON of schema "cutaway.run/1"
        std::string errors; ///< the differences from a compared run as a table in CSV, or ""
        std::string how;
        std::vector<std::string> given;
        bool operator==(const Values &) const = default;
    };
    struct Mark {
        std::string function;
        SavedSubject subject;
        std::string note;
        bool operator==(const Mark &) const = default;
    };

    std::string file;             ///< the model's file or address; a relative path starts at the folder of the session
    std::vector<std::string> row; ///< files in a row, read in place of `file`, which is their common name
    std::string function;
    std::vector<SavedSubject> open;  ///< the open boxes
    std::vector<std::string> hidden; ///< the hidden categories of operators
    std::optional<SavedSubject> selected;
    std::optional<View> view;
    std::string colouring; ///< "flops", "data.latency", "category"; "" if the session has no colouring
    std::string data;      ///< the file of the node data, with a path like that of `file`, or ""
    std::string compared;  ///< the file of the compared model, with a path like that of `file`, or ""
    std::string trace;     ///< the file of the opened trace, or ""
    std::string against;   ///< the file of the trace that `trace` is compared with, or ""
    std::vector<std::string> bindings, inputs; ///< the texts of views::GivenTexts
    std::string device;                        ///< the device's id, or ""
    std::string pipeline;                      ///< JSON of schema "cutaway.pipeline/1", or ""
    std::optional<std::uint64_t> step; ///< after how many steps the model is shown; nothing if passes have not run
    std::optional<Times> times;
    std::optional<Values> values;
    std::vector<Mark> bookmarks;
    std::vector<SavedSession> beside; ///< the sessions of the pages to the right; their own `beside` is empty
    bool inStep = false;              ///< whether this page and those beside it show the same place, zoom and selection
    bool operator==(const SavedSession &) const = default;
};

/// Returns a session that only names a file, or files in a row.
SavedSession sessionOfFile(std::string file, std::vector<std::string> row = {});

/// Returns the session as JSON of schema "cutaway.session/1".
std::string printSession(const SavedSession &session);

/// Parses JSON of schema "cutaway.session/1". Errors (Unreadable), with the place: the text is not JSON, has another
/// schema, or has an unexpected member or value.
Result<SavedSession> parseSession(std::string_view json);

/// Reads a session from a file. Errors: those of parseSession(), or the file cannot be read.
Result<SavedSession> readSession(const std::filesystem::path &path);

/// The suffix of saved sessions, which follows the model's name: "model.pt2.cutaway.json".
inline constexpr std::string_view sessionSuffix = ".cutaway.json";

} // namespace cutaway::desktop
