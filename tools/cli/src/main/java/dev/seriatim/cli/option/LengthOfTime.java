// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.option;

import dev.seriatim.store.StoreUrl;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a duration of up to an hour, such as {@code 10ms}. */
public final class LengthOfTime implements ITypeConverter<Duration> {

    private static final Duration LONGEST = Duration.ofHours(1);

    @Override
    public Duration convert(String text) {
        return StoreUrl.parseDuration(text)
                .filter(duration -> duration.compareTo(LONGEST) <= 0)
                .orElseThrow(() -> new TypeConversionException(
                        "'" + text + "' is not a duration of up to 1h; write it as 10ms or 2s"));
    }
}
