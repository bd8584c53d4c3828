// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.failure;

import dev.seriatim.store.StoreUrl;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The causes beneath a driver's exception. Classes are matched by name, which {@code Scrubbing} preserves.
 *
 * <p>Immutable and thread-safe.
 *
 * @param all the exception and its causes
 */
public record Causes(List<Throwable> all) {

    private static final int DEEPEST = 20;

    /** Anything else may be part of a malformed URL. */
    private static final Pattern HOST = Pattern.compile("[\\p{L}\\p{N}._-]+");

    public static Causes of(SQLException e) {
        List<Throwable> all = new ArrayList<>();
        for (Throwable cause = e; cause != null && all.size() < DEEPEST; cause = cause.getCause()) {
            all.add(cause);
        }
        return new Causes(all);
    }

    /** Returns the host whose address could not be resolved. */
    public Optional<String> unknownHost() {
        // Some systems append the reason to the name.
        return below(UnknownHostException.class.getName())
                .findFirst()
                .map(e -> String.valueOf(e.getMessage()).replaceFirst(":.*", ""))
                .filter(host -> HOST.matcher(host).matches());
    }

    /** Returns whether an answer did not arrive in time. */
    public boolean timedOut() {
        return all.get(0) instanceof SQLTimeoutException
                || oneLine(all.get(0)).contains("timed out") // PostgreSQL's loginTimeout leaves no cause
                || below(SocketTimeoutException.class.getName()).findAny().isPresent();
    }

    /** Returns whether an encrypted connection could not be established. */
    public boolean encryption() {
        return below("javax.net.ssl.", "java.security.cert.").findAny().isPresent();
    }

    /** Returns whether there was a network or file error. */
    public boolean inputOrOutput() {
        return all.stream().anyMatch(IOException.class::isInstance)
                || below("java.net.", "java.io.", "java.nio.").findAny().isPresent();
    }

    /** Returns whether an open connection broke. */
    public boolean connectionLost() {
        return below("java.net.SocketException", "java.io.EOFException")
                .findAny()
                .isPresent();
    }

    /** Returns the first exception's message on one line, with what the last cause adds to it. */
    public String words() {
        String first = oneLine(all.get(0));
        Throwable root = all.get(all.size() - 1);
        if (!(root instanceof SQLException || inputOrOutput()) || root.getMessage() == null) {
            return first;
        }
        String last = oneLine(root);
        String known = first.toLowerCase(Locale.ROOT);
        boolean adds =
                Stream.of(last.toLowerCase(Locale.ROOT).split("\\s+", -1)).anyMatch(word -> !known.contains(word));
        return adds ? first.replaceFirst("\\.$", "") + ": " + last : first;
    }

    private static String oneLine(Throwable e) {
        return e instanceof SQLException sql
                ? SqlFailures.oneLine(sql)
                : StoreUrl.redact(String.valueOf(e.getMessage())).replaceAll("(?<!\\s)\\s*[\\r\\n]+\\s*", " ");
    }

    private Stream<Throwable> below(String... names) {
        return all.stream().filter(e -> Stream.of(names).anyMatch(e.toString()::startsWith));
    }
}
