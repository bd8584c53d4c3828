// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.SequenceException.Misconfigured;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Explains why no driver opens a URL: a module is missing, or it is not a store URL. */
final class NoStore {

    /** The URL prefixes of this project's modules, each of which may be missing from the class path. */
    private static final Map<String, String> ARTEFACTS = new TreeMap<>(Map.of(
            "sqlite:", "seriatim-jdbc",
            "jdbc:", "seriatim-jdbc",
            "spanner:", "seriatim-spanner",
            "couchbase:", "seriatim-couchbase",
            "couchbases:", "seriatim-couchbase"));

    /** The names that other tools use for these databases, and how to write their store URLs. */
    private static final Map<String, String> DATABASES = Map.of(
            "postgres", "jdbc:postgresql://HOST:PORT/DATABASE",
            "postgresql", "jdbc:postgresql://HOST:PORT/DATABASE",
            "mariadb", "jdbc:mariadb://HOST:PORT/DATABASE",
            "mysql", "jdbc:mariadb://HOST:PORT/DATABASE",
            "h2", "jdbc:h2:FILE",
            "cloudspanner", "spanner:projects/PROJECT/instances/INSTANCE/databases/DATABASE");

    private NoStore() {}

    /**
     * Returns the failure for a URL that no driver on the class path opens.
     *
     * @param prefixes the prefixes that the drivers open
     */
    static Misconfigured opens(String url, Set<String> prefixes) {
        String shown = StoreUrl.redacted(url);
        for (Map.Entry<String, String> module : ARTEFACTS.entrySet()) {
            if (url.startsWith(module.getKey())) {
                return new Misconfigured("no store for '" + shown + "': the module that opens " + module.getKey()
                        + " URLs is missing; add dev.seriatim:" + module.getValue() + " to the class path");
            }
        }
        TreeSet<String> known = new TreeSet<>(ARTEFACTS.keySet());
        known.addAll(prefixes);
        return new Misconfigured("no store for '" + shown + "': it must begin with one of " + String.join(", ", known)
                + "; " + remedy(url));
    }

    private static String remedy(String url) {
        int colon = url.indexOf(':');
        String scheme = colon < 0 ? "" : url.substring(0, colon).strip().toLowerCase(Locale.ROOT);
        String written = DATABASES.get(scheme);
        return written == null
                ? "write sqlite:FILE for a file, or for a database a URL such as jdbc:postgresql://HOST:PORT/DATABASE"
                : "write " + written;
    }
}
