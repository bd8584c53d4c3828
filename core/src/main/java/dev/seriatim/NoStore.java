// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

import dev.seriatim.SequenceException.Misconfigured;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Says why no driver opens a URL: a module is missing, or it is no URL of a store. */
final class NoStore {

    /** What the modules of this project open; each may be missing. */
    private static final Map<String, String> ARTEFACTS = new TreeMap<>(Map.of(
            "sqlite:", "seriatim-jdbc",
            "jdbc:", "seriatim-jdbc",
            "spanner:", "seriatim-spanner",
            "couchbase:", "seriatim-couchbase",
            "couchbases:", "seriatim-couchbase"));

    /** What other tools call these databases, and what a store's URL of them begins with. */
    private static final Map<String, String> DATABASES = Map.of(
            "postgres", "jdbc:postgresql://HOST:PORT/DATABASE",
            "postgresql", "jdbc:postgresql://HOST:PORT/DATABASE",
            "mariadb", "jdbc:mariadb://HOST:PORT/DATABASE",
            "mysql", "jdbc:mariadb://HOST:PORT/DATABASE",
            "h2", "jdbc:h2:FILE",
            "cloudspanner", "spanner:projects/PROJECT/instances/INSTANCE/databases/DATABASE");

    private NoStore() {}

    /**
     * For a URL that none of the drivers on the class path opens.
     *
     * @param prefixes what they open
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
                ? "write sqlite:FILE for a file, or jdbc:postgresql://HOST:PORT/DATABASE, say, for a database"
                : "write " + written;
    }
}
