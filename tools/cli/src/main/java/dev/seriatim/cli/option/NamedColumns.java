// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.option;

import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.store.ColumnName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The repeatable option {@code --column}, which names the column with the numbers of a sequence. Not thread-safe. */
public final class NamedColumns {

    private static final String FORM = "NAME=[SCHEMA.]TABLE.COLUMN";

    /** The column begins behind the last equals sign, unless that is in the column's quoted name. */
    private static final Pattern PAIR = Pattern.compile("(?s)(.+)=(" + ColumnOption.NAME + ")");

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec command;

    @Option(names = "--column", paramLabel = FORM, description = """
                    The column with the numbers of the sequence NAME; not needed for names such as orders.id, orders_id or orders_id_seq. Repeatable.
                    Quote a table or column that is not a plain identifier:
                    'NAME="My Table".id'""")
    private List<String> typed = new ArrayList<>();

    /** Returns the columns by their sequences; throws {@link ParameterException} if a sequence has two. */
    public Map<String, ColumnName> columns() {
        Map<String, ColumnName> columns = new LinkedHashMap<>();
        for (String text : typed) {
            Matcher pair = PAIR.matcher(text);
            List<String> parts = pair.matches() ? ColumnOption.parts(pair.group(2)) : List.of();
            if (parts.size() < 2 || parts.size() > 3) {
                throw wrong(ColumnOption.notOfTheForm("--column", text, FORM, "'NAME=\"My Table\".id'"));
            }
            if (columns.put(pair.group(1), ColumnOption.column(parts)) != null) {
                throw wrong("--column names two columns for " + OneLine.quoted(pair.group(1)) + "; leave one out");
            }
        }
        return columns;
    }

    private ParameterException wrong(String what) {
        return new ParameterException(command.commandLine(), what);
    }
}
