// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/keeping/saved_subject.h"
#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace cutaway::desktop {

/// The state that a user has given to the window on a model: which boxes are open, where the window looks, sizes,
/// passes, device, times, bookmarks. It refers to no model in memory.
struct SavedSession {
    struct View {
        double x = 0, y = 0; ///< the point of the diagram in the middle
        double zoom = 1;
        bool operator==(const View &) const = default;
    };
    struct Times {
        std::string profile; ///< JSON of schema "cutaway.profile/1"
        std::string how;
        std::vector<std::string> given;
        bool operator==(const Times &) const = default;
    };
    /// Statistics of all values in a run.
    struct Values {
        std::string run;    ///< JSON of schema "cutaway.run/1"
        std::string errors; ///< against a compared run: a table in CSV, or ""
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

    std::string file;             ///< the model's file or address; if it is relative, from the folder of the session
    std::vector<std::string> row; ///< files in a row that are read in place of `file`, which names them all
    std::string function;
    std::vector<SavedSubject> open;  ///< boxes
    std::vector<std::string> hidden; ///< kinds of operators
    std::optional<SavedSubject> selected;
    std::optional<View> view;
    std::string colouring;                     ///< "flops", "data.latency", "category", or "": nothing is said of it
    std::string data;                          ///< the file of the node data, as `file`, or ""
    std::string compared;                      ///< the file that it is compared with, as `file`, or ""
    std::string trace;                         ///< the file of the opened trace, or ""
    std::string against;                       ///< the file of the trace that `trace` is compared with, or ""
    std::vector<std::string> bindings, inputs; ///< as GivenTexts
    std::string device;                        ///< its id, or ""
    std::string pipeline;                      ///< JSON of schema "cutaway.pipeline/1", or ""
    std::optional<std::uint64_t> step;         ///< the steps after which the model is shown, if passes have run
    std::optional<Times> times;
    std::optional<Values> values;
    std::vector<Mark> bookmarks;
    std::vector<SavedSession> beside; ///< sessions to the right; they have none beside them
    bool inStep = false;              ///< with what is beside
    bool operator==(const SavedSession &) const = default;
};

/// Returns a session that names a file, or files in a row, and says nothing else.
SavedSession sessionOfFile(std::string file, std::vector<std::string> row = {});

/// JSON of schema "cutaway.session/1".
std::string printSession(const SavedSession &session);

/// Errors (Unreadable): the text is not JSON, has another schema, or has something unexpected; the error says what, and
/// where it is.
Result<SavedSession> parseSession(std::string_view json);

/// Reads a session from a file. Errors: those of parseSession(), or the file cannot be read.
Result<SavedSession> readSession(const std::filesystem::path &path);

/// The end of the names of saved sessions: "model.pt2.cutaway.json".
inline constexpr std::string_view sessionSuffix = ".cutaway.json";

} // namespace cutaway::desktop
