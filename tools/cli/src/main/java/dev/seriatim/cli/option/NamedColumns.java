// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.option;

import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.store.ColumnName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The repeatable option {@code --column}, which says which column holds the numbers of a sequence. Not thread-safe. */
public final class NamedColumns {

    private static final String FORM = "NAME=[SCHEMA.]TABLE.COLUMN";

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec command;

    @Option(names = "--column", paramLabel = FORM, description = """
                    The column that holds the numbers of the sequence NAME, unless its name says so, such as orders.id, orders_id or orders_id_seq. Repeatable.
                    Quote a table or column that is not a plain identifier:
                    'NAME="My Table".id'""")
    private List<String> typed = new ArrayList<>();

    /** Called by the command that it is mixed into. */
    public NamedColumns() {}

    /**
     * Returns the columns by their sequences.
     *
     * @throws ParameterException if one is not of that form, or a sequence has two
     */
    public Map<String, ColumnName> columns() {
        Map<String, ColumnName> columns = new LinkedHashMap<>();
        for (String pair : typed) {
            int equals = equals(pair);
            String name = pair.substring(0, equals);
            if (columns.put(name, column(DottedName.parts(pair.substring(equals + 1)))) != null) {
                throw new ParameterException(
                        command.commandLine(),
                        "--column names two columns for " + OneLine.quoted(name) + "; leave one out");
            }
        }
        return columns;
    }

    /** Returns where the column begins: behind the last equals sign, unless that is in the column's quoted name. */
    private int equals(String pair) {
        for (int at = pair.lastIndexOf('='); at > 0; at = pair.lastIndexOf('=', at - 1)) {
            int parts = DottedName.parts(pair.substring(at + 1)).size();
            if (parts == 2 || parts == 3) {
                return at;
            }
        }
        throw new ParameterException(
                command.commandLine(),
                "--column " + OneLine.quoted(pair) + " is not of the form " + FORM
                        + "; put a name that is not a plain identifier in double quotes, such as 'NAME=\"My Table\".id'");
    }

    private static ColumnName column(List<String> parts) {
        return parts.size() == 2
                ? ColumnName.of(parts.get(0), parts.get(1))
                : ColumnName.of(parts.get(0), parts.get(1), parts.get(2));
    }
}
