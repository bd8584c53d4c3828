// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.option;

import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.store.ColumnName;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The option {@code --column}, which names a column of the user's. Not thread-safe. */
public final class ColumnOption {

    private static final Pattern PART = Pattern.compile("\"[^\"`]+\"|`[^\"`]+`|[\\p{L}_][\\p{L}\\p{M}\\p{N}_$]*");
    static final Pattern NAME = Pattern.compile("(?:%1$s)(?:\\.(?:%1$s)){0,3}".formatted(PART));

    private static final String FORM = "[SCHEMA.]TABLE.COLUMN";
    private static final String EXAMPLE = "'\"My Table\".id'";

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec command;

    @Option(names = "--column", paramLabel = "COLUMN", required = true, description = """
                    The column with the numbers: [SCHEMA.]TABLE.COLUMN. On MariaDB and MySQL, SCHEMA is the database.
                    Case matters if it does in the database. Quote a name with other characters: '"My Table".id'.""")
    private String column = "";

    /** Returns the column; throws {@link ParameterException} if the option does not name one. */
    public ColumnName name() {
        return named(column).orElseThrow(() -> wrong("--column", column, FORM, EXAMPLE));
    }

    /** Reads another option with a column. */
    public static final class Named implements ITypeConverter<ColumnName> {
        @Override
        public ColumnName convert(String typed) {
            return named(typed)
                    .orElseThrow(() -> new TypeConversionException(
                            notOfTheForm("", typed, FORM, EXAMPLE).strip()));
        }
    }

    private static Optional<ColumnName> named(String typed) {
        List<String> parts = parts(typed);
        return parts.size() < 2 || parts.size() > 3 ? Optional.empty() : Optional.of(column(parts));
    }

    /** Returns another column of the same table; throws {@link ParameterException} if {@code option} does not name one. */
    public ColumnName beside(String option, String typed) {
        List<String> parts = parts(typed);
        if (parts.size() != 1) {
            throw wrong(option, typed, "COLUMN, a column of the same table", "'\"Created at\"'");
        }
        return name().beside(parts.get(0));
    }

    private ParameterException wrong(String option, String typed, String form, String example) {
        return new ParameterException(command.commandLine(), notOfTheForm(option, typed, form, example));
    }

    static String notOfTheForm(String option, String typed, String form, String example) {
        return """
                %s %s is not of the form %s; put a name that is not a plain identifier in double quotes, such as \
                %s""".formatted(option, OneLine.quoted(typed), form, example);
    }

    /** Returns the parts of a name such as {@code public."My Table".id}, without their quotes; empty if the text is no such name. */
    static List<String> parts(String text) {
        return NAME.matcher(text).matches()
                ? PART.matcher(text)
                        .results()
                        .map(part -> part.group().replaceAll("[\"`]", ""))
                        .toList()
                : List.of();
    }

    /** Returns the column of two or three parts. */
    static ColumnName column(List<String> parts) {
        return parts.size() == 2
                ? ColumnName.of(parts.get(0), parts.get(1))
                : ColumnName.of(parts.get(0), parts.get(1), parts.get(2));
    }
}
