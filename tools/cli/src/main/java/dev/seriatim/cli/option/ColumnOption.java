// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.option;

import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.store.ColumnName;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options {@code --column} and {@code --table}, which name a column of the user's. Not thread-safe. */
public final class ColumnOption {

    private static final String FORM = "[SCHEMA.]TABLE.COLUMN";

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec command;

    @Option(
            names = "--column",
            paramLabel = "COLUMN",
            description = {
                "The column with the numbers: [SCHEMA.]TABLE.COLUMN. On MariaDB and MySQL, SCHEMA is the database.",
                "Case matters if it does in the database. Quote a name with other characters: '\"My Table\".id'."
            })
    private @Nullable String column;

    @Option(
            names = "--table",
            paramLabel = "TABLE",
            description = "The table, [SCHEMA.]TABLE, if --column names only the column.")
    private @Nullable String table;

    /** Takes a column that another option names. */
    public void column(String typed) {
        column = typed;
    }

    /**
     * Returns the column.
     *
     * @throws ParameterException if the options do not name one
     */
    public ColumnName name() {
        if (column == null) {
            throw wrong("the column is missing; name it with --column " + FORM + ", or with --table and --column");
        }
        List<String> parts = new ArrayList<>();
        if (table != null) {
            parts.addAll(parts("--table", table, "[SCHEMA.]TABLE", 2, "'\"My Table\"'"));
        }
        List<String> typed = parts("--column", column, table == null ? FORM : "COLUMN", 3, "'\"My Table\".id'");
        if (table != null && typed.size() > 1) {
            throw wrong("--column " + OneLine.quoted(column) + " names the table already; leave --table out");
        }
        parts.addAll(typed);
        return switch (parts.size()) {
            case 1 -> throw wrong("--column " + OneLine.quoted(column) + " names no table; write it as " + FORM);
            case 2 -> ColumnName.of(parts.get(0), parts.get(1));
            default -> ColumnName.of(parts.get(0), parts.get(1), parts.get(2));
        };
    }

    /**
     * Returns another column of the same table.
     *
     * @param option the option that names it
     * @throws ParameterException if it does not
     */
    public ColumnName beside(String option, String typed) {
        return name().beside(parts(
                        option,
                        typed,
                        "COLUMN, a column of the same table without the table's name",
                        1,
                        "'\"Created at\"'")
                .get(0));
    }

    private List<String> parts(String option, String typed, String form, int atMost, String example) {
        List<String> parts = DottedName.parts(typed);
        if (parts.isEmpty() || parts.size() > atMost) {
            throw wrong(option + " " + OneLine.quoted(typed) + " is not of the form " + form
                    + "; put a name that is not a plain identifier in double quotes, such as " + example
                    + ", and rename one that contains quotes or backslashes");
        }
        return parts;
    }

    private ParameterException wrong(String what) {
        return new ParameterException(command.commandLine(), what);
    }
}
