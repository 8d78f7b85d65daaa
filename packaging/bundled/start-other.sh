#!/bin/sh
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
# Starts a program that Cutaway uses, with the libraries that lie beside it.
own=$(dirname "$(readlink -f "$0")")/../..
exec "$own/@LOADER@" --library-path "$own" "$own/cutaway/bin/${0##*/}" "$@"
