// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/model.h"

#include <QObject>
#include <QString>
#include <memory>
#include <optional>
#include <thread>

namespace cutaway::desktop {

/// Reads model files on a thread of its own, one at a time; a second one stops the first.
class Opening : public QObject {
    Q_OBJECT

public:
    explicit Opening(QObject *parent = nullptr) : QObject(parent) { }

    void start(const QString &path);
    void cancel();
    bool isBusy() const { return m_busy; }

signals:
    void busyChanged();
    /// `total` 0: unknown.
    void progress(const QString &what, quint64 done, quint64 total);
    void opened(const QString &path, const std::shared_ptr<const cutaway::ir::Model> &model);
    void failed(const QString &path, const cutaway::Error &error);

private:
    void finish(const QString &path, Result<std::shared_ptr<const ir::Model>> result);

    std::optional<QString> m_next;
    bool m_busy = false;
    std::jthread m_thread; ///< last, so that it ends before what it uses
};

/// "ONNX (*.onnx)": what can be opened, for dialogs and pages.
struct FormatText {
    QString description;
    QString suffixes;
};
std::vector<FormatText> formatTexts();

} // namespace cutaway::desktop
