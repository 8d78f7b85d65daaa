# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What surveys have written, to be compared."""
import contextlib
import sqlite3

VARYING = {"id", "model", "seconds", "memory"}  # the times of a run, and numbers in the order of arrival


def rows(database, sql):
    with contextlib.closing(sqlite3.connect(database)) as connection:
        return connection.execute(sql).fetchall()


def content(database, without=()):
    """All rows of all tables with the model's path in place of its number, sorted: (table, path, column, …). Tables and
    columns of the names in `without` are left out."""
    found = []
    with contextlib.closing(sqlite3.connect(database)) as connection:
        names = [name for name, in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        for table in set(names) - set(without):
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            of_model = "model" in columns
            kept = [each for each in columns if each not in VARYING and each not in without]
            listed = ", ".join(f"{table}.{each}" for each in kept)
            source = f"{table} JOIN models ON models.id = {table}.model" if of_model else table
            path = "models.path" if of_model and "path" not in without else "''"
            found += [repr((table, *row)) for row in connection.execute(f"SELECT {path}, {listed} FROM {source}")]
    return sorted(found)
