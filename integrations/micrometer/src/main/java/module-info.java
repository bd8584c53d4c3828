// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** Meters for sequences. */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"}) // Micrometer has no module descriptor
@NullMarked
module dev.seriatim.micrometer {
    requires transitive dev.seriatim;
    requires transitive micrometer.core;
    requires static dev.seriatim.feed;
    requires static org.jspecify;

    exports dev.seriatim.micrometer;
}
