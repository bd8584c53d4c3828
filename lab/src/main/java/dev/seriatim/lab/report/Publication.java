// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.report;

import java.util.Arrays;
import java.util.Optional;

/** Where the figures of a system were published. Immutable. */
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

    /** The publication that some runs of a experiment quote; empty where none does, or it is not known. */
    static Optional<Publication> of(Experiment experiment) {
        return experiment.runs().stream().flatMap(run -> of(run).stream()).findFirst();
    }

    /** The publication that a run quotes. */
    public static Optional<Publication> of(Figures run) {
        Published published = run.published();
        return published == null
                ? Optional.empty()
                : Arrays.stream(values())
                        .filter(one -> one.system.equals(published.system()))
                        .findFirst();
    }

    /** What it was measured on, as in {@link Published#system}. */
    public String system() {
        return system;
    }

    /** Its title. */
    public String title() {
        return title;
    }

    /** Its address on the web. */
    public String address() {
        return address;
    }
}
