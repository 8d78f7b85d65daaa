// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/passes/pipeline.h"

#include <QWidget>
#include <functional>

class QFormLayout;

namespace cutaway::views {

/// The description of a pass, and a field for each of its options.
class OptionsForm : public QWidget {
public:
    /// `changed` is called with the new settings after each edit.
    OptionsForm(std::function<void(const passes::Settings &)> changed, QWidget *parent);

    /// Shows the options of an entry; null: shows nothing.
    void show(const passes::Entry *entry);

private:
    void set(std::string_view option, passes::OptionValue value);
    void addField(const passes::Option &option);
    QWidget *field(const passes::Option &option);
    QWidget *textField(std::string_view name, const std::string &text);

    std::function<void(const passes::Settings &)> m_changed;
    const passes::Pass *m_pass = nullptr;
    passes::Settings m_settings;
    QWidget *m_page = nullptr;
    QFormLayout *m_form = nullptr;
};

} // namespace cutaway::views
