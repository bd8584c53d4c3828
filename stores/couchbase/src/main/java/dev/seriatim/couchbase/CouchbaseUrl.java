// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.store.StoreUrl;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A parsed store URL: {@code couchbase://HOST[,HOST…]/BUCKET[/SCOPE/COLLECTION]} and options. Immutable and
 * thread-safe.
 *
 * @param connection the scheme and the hosts, in the client's format
 */
record CouchbaseUrl(
        String connection,
        String bucket,
        String scope,
        String collection,
        String user,
        String password,
        CouchbaseOptions options,
        boolean isNative) {

    static final String USER = "SERIATIM_COUCHBASE_USER";
    static final String PASSWORD = "SERIATIM_COUCHBASE_PASSWORD";

    private static final Set<String> KNOWN =
            Set.of("user", "password", "durability", "timeout", "kind", "prefix", "path", "sequences");
    private static final Set<String> FOR_DOCUMENTS = Set.of("durability", "kind", "path", "prefix");
    private static final String DEFAULT = "_default";
    private static final String HOST = "(?:[\\w.-]+|\\[[0-9a-fA-F:.%]+])(?::\\d{1,5}(?:=\\w+)?)?";
    private static final Pattern HOSTS = Pattern.compile(HOST + "(?:," + HOST + ")*");

    /**
     * Parses a URL. Throws {@link Misconfigured} if it is invalid, or neither it nor the environment has the user and
     * the password.
     */
    static CouchbaseUrl parse(StoreUrl url, Map<String, String> environment) {
        url.allowOnly(KNOWN);
        List<String> path = path(url);
        return new CouchbaseUrl(
                url.scheme() + "://" + path.get(0),
                path.get(1),
                path.size() == 4 ? path.get(2) : DEFAULT,
                path.size() == 4 ? path.get(3) : DEFAULT,
                secret(url, "user", environment.get(USER), USER),
                secret(url, "password", environment.get(PASSWORD), PASSWORD),
                options(url),
                url.isNative(FOR_DOCUMENTS));
    }

    String place() {
        String scoped = "bucket " + bucket + ", scope " + scope;
        return (isNative ? scoped : CouchbaseStore.place(bucket, scope, collection)) + " at " + hosts();
    }

    String hosts() {
        return connection.substring(connection.indexOf("//") + 2);
    }

    /** Returns the URL without the password. */
    @Override
    public String toString() {
        return connection + "/" + bucket + "/" + scope + "/" + collection + " as " + user + ", " + options;
    }

    /** Returns the hosts, the bucket and, if given, scope and collection. */
    private static List<String> path(StoreUrl url) {
        List<String> path = List.of(url.place().replaceFirst("^//", "").split("/", -1));
        boolean complete = url.place().startsWith("//")
                && (path.size() == 2 || path.size() == 4)
                && path.stream().noneMatch(part -> part.isEmpty() || part.contains("`"));
        if (!complete) {
            throw url.refused(
                    "write it as %1$s://HOST/BUCKET or %1$s://HOST/BUCKET/SCOPE/COLLECTION".formatted(url.scheme()));
        }
        if (!HOSTS.matcher(path.get(0)).matches()) {
            throw url.refused("""
                    its hosts must be names or addresses, each optionally with a port number, as in HOST:11210; for \
                    user and password, write ?user=…&password=…, or set %s and %s""".formatted(USER, PASSWORD));
        }
        return path;
    }

    private static String secret(StoreUrl url, String option, @Nullable String otherwise, String variable) {
        String given = decoded(url, option).orElse(otherwise);
        if (given == null || given.isEmpty()) {
            throw url.refused("the " + option + " is missing; write " + option + "=…, or set " + variable);
        }
        return given;
    }

    private static CouchbaseOptions options(StoreUrl url) {
        String kind = url.option("kind").orElse("sequence");
        CouchbaseOptions base = switch (kind) {
            case "sequence" -> CouchbaseOptions.sequences();
            case "counter" -> CouchbaseOptions.counters();
            default ->
                throw url.refused(
                        "kind must be sequence (a document with the definition) or counter, not '" + kind + "'");
        };
        return base.withPrefix(decoded(url, "prefix").orElse(base.prefix()))
                .withPath(decoded(url, "path").orElse(""))
                .withDurability(url.option("durability").orElse("majority"))
                .withTimeout(url.duration("timeout").orElse(base.timeout()));
    }

    private static Optional<String> decoded(StoreUrl url, String option) {
        try {
            return url.option(option)
                    .map(value -> URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            throw url.refused(option + " has a % without a character code; write %25 for it");
        }
    }
}
