// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses the name of a mode or baseline, in any case, with {@code -} or {@code _}. */
public final class ContenderName implements ITypeConverter<Contender> {

    @Override
    public Contender convert(String text) {
        String name = text.strip().toUpperCase(Locale.ROOT).replace('-', '_');
        return all().filter(contender -> contender.name().equals(name))
                .findFirst()
                .orElseThrow(() ->
                        new TypeConversionException("'" + text + "' is not one of " + String.join(", ", names())));
    }

    static List<String> names() {
        return all().map(Contender::name).toList();
    }

    private static Stream<Contender> all() {
        return Stream.concat(ModeContender.all().stream(), Stream.of(Baseline.values()));
    }
}
