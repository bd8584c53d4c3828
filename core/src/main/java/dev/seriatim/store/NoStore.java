// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.SequenceException.Misconfigured;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Finds the driver of a URL without the service loader, or explains why there is none. */
final class NoStore {

    /** This project's drivers, which a fat jar may hide from the service loader: prefix, module and class. */
    private static final Map<String, String> DRIVERS = Map.of(
            "memory:", "memory.InMemoryDriver",
            "sqlite:", "jdbc.SqliteDriver",
            "jdbc:", "jdbc.JdbcDriver",
            "spanner:", "spanner.SpannerDriver",
            "couchbase:", "couchbase.CouchbaseDriver",
            "couchbases:", "couchbase.CouchbaseDriver$Secure");

    private NoStore() {}

    /**
     * Returns this project's driver for a URL that no driver of the service loader opens.
     *
     * @param prefixes the prefixes that those drivers open
     */
    static StoreDriver driver(String url, Set<String> prefixes) {
        String fault = "no store for '" + StoreUrl.redacted(url) + "': ";
        String prefix = url.substring(0, url.indexOf(':') + 1);
        String driver = DRIVERS.get(prefix);
        if (driver == null) {
            Set<String> known = new TreeSet<>(DRIVERS.keySet());
            known.addAll(prefixes);
            throw new Misconfigured(
                    fault + "it must begin with one of " + String.join(", ", known) + "; " + remedy(prefix));
        }
        try {
            var found = Class.forName("dev.seriatim." + driver).asSubclass(StoreDriver.class);
            return found.getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            String module = driver.replaceFirst("\\..*", "");
            throw new Misconfigured(
                    fault + "the module that opens " + prefix + " URLs is missing; add dev.seriatim:seriatim-" + module
                            + " to the class path",
                    e);
        }
    }

    /** Returns how to write a URL that begins as other tools, or a shell, write it. */
    private static String remedy(String prefix) {
        return switch (prefix.strip().toLowerCase(Locale.ROOT)) {
            case "postgres:", "postgresql:" -> "write jdbc:postgresql://HOST:PORT/DATABASE?user=…&password=…";
            case "mariadb:", "mysql:" -> "write jdbc:mariadb://HOST:PORT/DATABASE?user=…&password=…";
            case "h2:" -> "write jdbc:h2:FILE";
            case "cloudspanner:" -> "write spanner:projects/PROJECT/instances/INSTANCE/databases/DATABASE";
            case "'jdbc:", "\"jdbc:", "'sqlite:", "\"sqlite:" -> "remove the quotation marks around it";
            default ->
                "write sqlite:FILE for a file, or for a database a URL such as jdbc:postgresql://HOST:PORT/DATABASE";
        };
    }
}
