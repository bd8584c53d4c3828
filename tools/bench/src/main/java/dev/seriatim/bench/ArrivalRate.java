// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses arrivals per second, such as {@code 4000/s}. */
final class ArrivalRate implements ITypeConverter<Double> {

    private static final Pattern RATE = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,6})?)(?:/s)?");

    @Override
    public Double convert(String text) {
        Matcher parts = RATE.matcher(text);
        if (parts.matches()) {
            double perSecond = Double.parseDouble(parts.group(1));
            if (perSecond > 0) {
                return perSecond;
            }
        }
        throw new TypeConversionException("'" + text + "' is not a rate above 0; write it as 4000/s");
    }
}
