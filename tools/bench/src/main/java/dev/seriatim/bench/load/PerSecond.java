// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.load;

import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a rate such as {@code 4000/s}. Thread-safe. */
public final class PerSecond implements ITypeConverter<BigDecimal> {

    private static final Pattern RATE = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)(?:/s)?");

    @Override
    public BigDecimal convert(String text) {
        Matcher parts = RATE.matcher(text);
        BigDecimal rate = parts.matches() ? new BigDecimal(parts.group(1)) : BigDecimal.ZERO;
        if (rate.signum() == 0) {
            throw new TypeConversionException(
                    "'" + text + "' is not a rate above 0 and below 1e9/s; write it as 4000/s");
        }
        return rate;
    }
}
