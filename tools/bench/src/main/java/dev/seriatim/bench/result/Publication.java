// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import dev.seriatim.report.Link;
import java.util.Arrays;
import java.util.Optional;

/** A publication with the figures of a system. Immutable. */
public enum Publication {
    SPANNER(
            "Spanner",
            "Sequence generation in Spanner",
            "https://cloud.google.com/solutions/sequence-generation-in-cloud-spanner"),
    DSQL(
            "Aurora DSQL",
            "How DSQL makes sure sequences scale",
            "https://blog.benjscho.dev/technical/2026/02/13/dsql-sequences.html"),
    MARIADB(
            "MariaDB",
            "Performance of Emulated Sequences",
            "https://mariadb.com/resources/blog/performance-of-emulated-sequences/"),
    COUCHBASE(
            "Couchbase",
            "Generating Sequentials IDs with Couchbase",
            "http://codehardblog.azurewebsites.net/generating-sequentials-ids-with-couchbase/");

    private final String system;
    private final String title;
    private final String address;

    Publication(String system, String title, String address) {
        this.system = system;
        this.title = title;
        this.address = address;
    }

    /** Returns a link to it. */
    Link link() {
        return new Link(title, address, title);
    }

    /** Returns the publication that a run quotes. */
    public static Optional<Publication> of(Figures run) {
        Published published = run.published();
        return published == null
                ? Optional.empty()
                : Arrays.stream(values())
                        .filter(known -> known.system.equals(published.system()))
                        .findFirst();
    }
}
