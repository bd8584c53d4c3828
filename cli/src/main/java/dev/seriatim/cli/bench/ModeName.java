// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.bench;

import java.util.Arrays;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the name of a mode, in any case, with {@code -} or {@code _}. */
final class ModeName implements ITypeConverter<BenchMode> {

    @Override
    public BenchMode convert(String text) {
        String name = text.strip().toUpperCase(Locale.ROOT).replace('-', '_');
        return Arrays.stream(BenchMode.values())
                .filter(mode -> mode.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException(
                        "'" + text + "' is not one of " + Arrays.toString(BenchMode.values())));
    }
}
