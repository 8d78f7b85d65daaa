// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/passes/options_form.h"

#include "core/base/overloaded.h"
#include "views/parts/step_text.h"
#include "views/parts/text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleValidator>
#include <QFontDatabase>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSpinBox>
#include <QVBoxLayout>
#include <limits>

namespace cutaway::views {

namespace {

/// A text of several lines that takes effect when it loses the focus, since half a graph would be an error.
class TextField : public QPlainTextEdit {
public:
    TextField(const QString &text, std::function<void(const QString &)> left, QWidget *parent)
        : QPlainTextEdit(text, parent),
          m_left(std::move(left))
    {
        setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
        setLineWrapMode(NoWrap);
        setTabChangesFocus(true);
        setMinimumHeight(6 * fontMetrics().lineSpacing());
    }

protected:
    void focusOutEvent(QFocusEvent *event) override
    {
        QPlainTextEdit::focusOutEvent(event);
        m_left(toPlainText());
    }

private:
    std::function<void(const QString &)> m_left;
};

} // namespace

OptionsForm::OptionsForm(std::function<void(const passes::Settings &)> changed, QWidget *parent)
    : QWidget(parent),
      m_changed(std::move(changed))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(12, 6, 12, 8);
    hide();
}

void OptionsForm::show(const passes::Entry *entry)
{
    // The fields stay if the user has just edited this pass, since the cursor is in one of them.
    if (entry && entry->pass == m_pass && entry->settings == m_settings)
        return;
    delete m_page;
    m_page = nullptr;
    m_pass = entry ? entry->pass : nullptr;
    setVisible(entry != nullptr);
    if (!entry)
        return;
    m_settings = entry->settings;
    m_page = new QWidget(this);
    m_form = new QFormLayout(m_page);
    m_form->setContentsMargins(0, 0, 0, 0);
    m_form->setHorizontalSpacing(12);
    m_form->setVerticalSpacing(6);
    auto *description = new QLabel(passText(*m_pass), m_page);
    description->setWordWrap(true);
    description->setTextFormat(Qt::PlainText);
    description->setForegroundRole(QPalette::PlaceholderText);
    m_form->addRow(description);
    for (const passes::Option &option : m_pass->options)
        addField(option);
    layout()->addWidget(m_page);
}

void OptionsForm::set(std::string_view option, passes::OptionValue value)
{
    if (m_settings.at(option) == value)
        return;
    m_settings.set(option, std::move(value));
    m_changed(m_settings);
}

void OptionsForm::addField(const passes::Option &option)
{
    QWidget *made = field(option);
    made->setToolTip(toolTipText(shown(option.description)));
    auto *label = new QLabel(shown(option.name), m_page);
    label->setToolTip(made->toolTip());
    label->setBuddy(made);
    m_form->addRow(label, made);
}

QWidget *OptionsForm::textField(std::string_view name, const std::string &text)
{
    return new TextField(
        QString::fromStdString(text), [this, name](const QString &edited) { set(name, edited.toStdString()); }, m_page);
}

QWidget *OptionsForm::field(const passes::Option &option)
{
    const std::string_view name = option.name;
    return std::visit(Overloaded{[&](bool on) -> QWidget * {
                                     auto *box = new QCheckBox(m_page);
                                     box->setChecked(on);
                                     connect(box, &QCheckBox::toggled, this,
                                             [this, name](bool value) { set(name, value); });
                                     return box;
                                 },
                                 [&](std::int64_t count) -> QWidget * {
                                     auto *box = new QSpinBox(m_page);
                                     box->setRange(0, std::numeric_limits<int>::max());
                                     box->setValue(static_cast<int>(std::min<std::int64_t>(count, box->maximum())));
                                     connect(box, &QSpinBox::editingFinished, this,
                                             [this, name, box] { set(name, std::int64_t{box->value()}); });
                                     return box;
                                 },
                                 [&](double number) -> QWidget * {
                                     auto *line = new QLineEdit(QString::number(number), m_page);
                                     line->setValidator(new QDoubleValidator(line));
                                     connect(line, &QLineEdit::editingFinished, this,
                                             [this, name, line] { set(name, line->text().toDouble()); });
                                     return line;
                                 },
                                 [&](const std::string &word) -> QWidget * {
                                     if (option.isText)
                                         return textField(name, word);
                                     if (option.choices.empty()) {
                                         auto *line = new QLineEdit(shown(word), m_page);
                                         connect(line, &QLineEdit::editingFinished, this,
                                                 [this, name, line] { set(name, line->text().toStdString()); });
                                         return line;
                                     }
                                     auto *list = new QComboBox(m_page);
                                     for (const std::string_view choice : option.choices)
                                         list->addItem(shown(choice));
                                     list->setCurrentText(shown(word));
                                     connect(list, &QComboBox::currentTextChanged, this,
                                             [this, name](const QString &text) { set(name, text.toStdString()); });
                                     return list;
                                 }},
                      m_settings.at(name));
}

} // namespace cutaway::views
