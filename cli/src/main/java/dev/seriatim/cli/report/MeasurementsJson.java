// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.report;

import com.google.gson.FieldNamingPolicy;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;

/** {@link Measurements} as JSON, in which every figure has its key, with null where it does not apply. Thread-safe. */
public final class MeasurementsJson {

    private static final Gson GSON = new GsonBuilder()
            .setFieldNamingPolicy(FieldNamingPolicy.LOWER_CASE_WITH_UNDERSCORES)
            .serializeNulls()
            .setPrettyPrinting()
            .disableHtmlEscaping()
            .create();

    private MeasurementsJson() {}

    /** The whole as one object. */
    public static String write(Measurements measurements) {
        return GSON.toJson(measurements);
    }
}
