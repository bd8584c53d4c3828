// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import dev.seriatim.verify.fault.FaultKind;
import java.util.Arrays;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a kind of faults. */
final class FaultReader implements ITypeConverter<FaultKind> {

    @Override
    public FaultKind convert(String text) {
        return Arrays.stream(FaultKind.values())
                .filter(kind -> kind.word().equals(text))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException("'" + text + "' is no kind of fault; use "
                        + Arrays.stream(FaultKind.values()).map(FaultKind::word).collect(Collectors.joining(", "))
                        + ", or --no-faults"));
    }
}
