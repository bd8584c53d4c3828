// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.rule;

import dev.seriatim.cli.option.ShownCommand;
import dev.seriatim.doctor.inventory.ColumnPath;
import dev.seriatim.doctor.inventory.InspectionFinding.Fault;
import dev.seriatim.doctor.inventory.NumberSource;
import dev.seriatim.doctor.inventory.Remedies;
import dev.seriatim.doctor.inventory.Remedy;
import dev.seriatim.store.StoreUrl;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Commands that mend sequences of this library, as a shell takes them. Immutable.
 *
 * @param store the words that name the store; none if the environment names it
 */
public record CounterCommands(List<String> store) implements Remedies {

    private static final Pattern PLAIN_NAME = Pattern.compile("[\\p{L}_][\\p{L}\\p{M}\\p{N}_$]*");

    /**
     * Returns commands for the store of a URL, without its secrets.
     *
     * @param given whether a command line names it, not the environment, to which a URL with secrets is left
     */
    public static CounterCommands on(String url, boolean given) {
        String shown = StoreUrl.withOptions(url);
        return new CounterCommands(given || shown.equals(url) ? List.of("--store", shown) : List.of());
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
        List<String> words = new ArrayList<>(List.of("seriatim", what));
        words.addAll(List.of(options));
        words.addAll(store);
        if (name.startsWith("-")) {
            words.add("--");
        }
        words.add(name);
        String line = words.stream().map(ShownCommand::quoted).collect(Collectors.joining(" "));
        return new Remedy(line, Remedy.Kind.COMMAND);
    }
}
