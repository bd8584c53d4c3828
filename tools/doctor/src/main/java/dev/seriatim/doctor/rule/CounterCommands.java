// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.rule;

import dev.seriatim.cli.option.ShownCommand;
import dev.seriatim.cli.option.StoreOption;
import dev.seriatim.doctor.inventory.ColumnPath;
import dev.seriatim.doctor.inventory.InspectionFinding.Fault;
import dev.seriatim.doctor.inventory.NumberSource;
import dev.seriatim.doctor.inventory.Remedies;
import dev.seriatim.doctor.inventory.Remedy;
import dev.seriatim.store.StoreUrl;
import java.math.BigInteger;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Commands that mend sequences of this library in a {@code store}, as a shell takes them. Immutable. */
public record CounterCommands(String store) implements Remedies {

    private static final Pattern PLAIN_NAME = Pattern.compile("[\\p{L}_][\\p{L}\\p{M}\\p{N}_$]*");

    /** Returns commands for the store of a URL. One that holds a secret is left to the environment, and not repeated. */
    public static CounterCommands on(String url) {
        boolean shown = StoreUrl.withOptions(url).equals(url);
        return new CounterCommands(shown ? ShownCommand.quoted(url) : "\"$" + StoreOption.VARIABLE + "\"");
    }

    @Override
    public Remedy raise(NumberSource source, BigInteger held) {
        ColumnPath column = source.columns().get(0).name();
        String path = Stream.of(column.table().schema(), column.table().name(), column.column())
                .filter(part -> !part.isEmpty())
                .map(part -> PLAIN_NAME.matcher(part).matches() ? part : '"' + part + '"')
                .collect(Collectors.joining("."));
        return command("sync", source.name().name(), "--column", path);
    }

    @Override
    public Remedy redefine(NumberSource source, Fault fault) {
        return command("alter", source.name().name(), "--no-cycle");
    }

    @Override
    public Remedy extend(NumberSource source) {
        long widest = source.ascending() ? Long.MAX_VALUE : Long.MIN_VALUE;
        if (source.last().equals(BigInteger.valueOf(widest))) {
            return Remedy.advice("begin another sequence: 64 bits hold no further number");
        }
        return source.ascending()
                ? command("alter", source.name().name(), "--max-value", String.valueOf(widest))
                : command("alter", source.name().name(), "--min-value=" + widest);
    }

    private Remedy command(String what, String name, String... options) {
        String line = Stream.concat(Stream.of("seriatim", what), Stream.of(options))
                .map(ShownCommand::quoted)
                .collect(Collectors.joining(" "));
        String dashes = name.startsWith("-") ? "-- " : "";
        return new Remedy(line + " --store " + store + " " + dashes + ShownCommand.quoted(name), Remedy.Kind.COMMAND);
    }
}
