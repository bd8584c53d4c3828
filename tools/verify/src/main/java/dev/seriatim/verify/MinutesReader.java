// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a number of minutes. */
final class MinutesReader implements ITypeConverter<Double> {

    @Override
    public Double convert(String text) {
        try {
            return Double.valueOf(text);
        } catch (NumberFormatException e) {
            throw new TypeConversionException("'" + text + "' is no number of minutes; write it as 10 or 0.5");
        }
    }
}
