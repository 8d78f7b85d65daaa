// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/ids.h"
#include "core/run/inputs.h"
#include "views/session/running/backend_devices.h"
#include "views/session/running/run_settings.h"

#include <map>

namespace cutaway::ir {
class ValueRef;
}

namespace cutaway::views {

class Document;

/// The setup for running the shown model: the chosen backend among the available ones, its settings, and the inputs
/// from files.
class RunSetup : public QObject {
    Q_OBJECT

public:
    /// A tensor from a file, in place of random numbers.
    struct InputFile {
        QString path;
        protocol::Tensor tensor;
    };

    explicit RunSetup(Document &document);

    const RunChoices &choices() const { return m_choices; }
    /// Keeps the backend that the user has chosen if it can be used, and chooses the first usable one if not.
    void setChoices(RunChoices choices);
    const RunSettings &settings() const { return m_settings; }
    /// Sets the settings. If backend or target are others than before, the device is the processor again.
    void setSettings(RunSettings settings);
    /// Returns the devices of the chosen backend, once it was asked for them.
    const BackendDevices &devices() const { return m_devices; }
    void findDevices();
    /// Returns the chosen backend, or null.
    const run::Offer *offer() const;
    /// Returns why the chosen backend cannot do a run of this kind with the shown function, as a text to follow the
    /// backend's name; nothing if it may be tried.
    std::optional<std::string> obstacle(RunKind kind) const;
    /// Returns why a given backend cannot run the function, to follow its name; nothing if it may be tried.
    std::optional<std::string> obstacle(const run::Offer &offer) const;
    /// Returns what has to be installed to run the shown model or to time its nodes: sentences for the user.
    std::vector<std::string> missing() const;

    const std::map<ir::ValueId, InputFile> &inputFiles() const { return m_inputFiles; }
    /// Gives an input the elements and sizes of a tensor from a file. Errors: the file cannot be read, or does not
    /// match the type of the input.
    Result<void> readInput(ir::ValueId input, const QString &path);
    void setRandom(ir::ValueId input);
    /// Returns the tensors whose elements are given, by the names of inputs.
    run::GivenTensors tensors() const;
    /// Returns `inputs`, texts such as "x=float32[1,3]", without those for inputs whose type the model's file fixes.
    std::vector<std::string> withoutFixed(std::vector<std::string> inputs) const;

signals:
    void changed();

private:
    bool isHere(const run::Offer &offer) const;
    void chooseBackend();
    /// Returns an input as it is in the model's file.
    ir::ValueRef inFile(ir::ValueId input) const;

    Document &m_document;
    RunChoices m_choices;
    RunSettings m_settings;
    std::string m_chosen; ///< the backend that the user chose; "": none yet
    std::map<ir::ValueId, InputFile> m_inputFiles;
    BackendDevices m_devices;
};

} // namespace cutaway::views
