// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/raised.h"

#include "core/base/text.h"

namespace cutaway::python {

namespace {

constexpr const char *errorDoc =
    "Why something could not be done, in the sentence that the command line prints.\n\n"
    "kind: 'usage' (the request itself is wrong), 'unreadable' (a file is missing, damaged or of another format),\n"
    "'backend' (another program or the disk failed) or 'cancelled'. reproducer: JSON, where a pass failed; a file of\n"
    "it is read by 'cutaway-cli passes run'. Otherwise None.";

/// Returns the class cutaway.Error. It is never freed, since it may be raised while the interpreter ends.
PyObject *&errorType()
{
    static PyObject *type = nullptr;
    return type;
}

const char *kindText(ErrorKind kind)
{
    switch (kind) {
    case ErrorKind::Usage:
        return "usage";
    case ErrorKind::Unreadable:
        return "unreadable";
    case ErrorKind::Backend:
        return "backend";
    case ErrorKind::Cancelled:
        break;
    }
    return "cancelled";
}

} // namespace

void bindError(nb::module_ &module)
{
    nb::dict members;
    members["kind"] = nb::none();
    members["reproducer"] = nb::none();
    errorType() = PyErr_NewExceptionWithDoc("cutaway.Error", errorDoc, PyExc_Exception, members.ptr());
    if (!errorType())
        throw nb::python_error();
    module.attr("Error") = nb::handle(errorType());
}

void raise(const Error &error, const std::string &file, const std::string &reproducer)
{
    const std::string sentence = sanitized(file.empty() ? error.text() : file + ": " + error.text());
    const nb::object raised = nb::handle(errorType())(nb::str(sentence.data(), sentence.size()));
    raised.attr("kind") = kindText(error.kind);
    if (!reproducer.empty())
        raised.attr("reproducer") = nb::str(reproducer.data(), reproducer.size());
    PyErr_SetObject(errorType(), raised.ptr());
    throw nb::python_error();
}

} // namespace cutaway::python
