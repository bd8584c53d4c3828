// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.verify.fault;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.jdbc.sql.DriverUrl;
import dev.seriatim.store.StoreUrl;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A store URL that names one server, whose connections can be led through a {@link TcpLink}. Immutable.
 *
 * @param before the URL up to the server's address; may contain secrets
 * @param host the server's name or address, without brackets
 * @param port the server's port
 * @param after the URL after that address; may contain secrets
 * @param protocol what is spoken there
 */
public record LinkedUrl(String before, String host, int port, String after, WireProtocol protocol) {

    private static final Pattern POSTGRESQL = Pattern.compile("(?is)(jdbc:postgresql:)(//)?(.*)");
    private static final Pattern MYSQL = Pattern.compile("(?is)(jdbc:mysql(?::[a-z]+)?:)(//)?(.*)");
    private static final Pattern MARIADB = Pattern.compile("(?is)(jdbc:mariadb(?::[a-z-]+)?:)(//)?(.*)");
    private static final Pattern H2 = Pattern.compile("(?is)(jdbc:h2:tcp:)(//)?(.*)");

    private static final Pattern AUTHORITY = Pattern.compile("(?s)((?:[^/?;]*@)?)([^/?;@]*)(.*)");
    private static final Pattern ADDRESS =
            Pattern.compile("(?:\\[([0-9A-Fa-f:.]+(?:%[\\w.-]+)?)]|([\\w.-]+))?(?::(\\d{1,5}))?");

    private static final int PORT_OF_POSTGRESQL = 5432;
    private static final int PORT_OF_MYSQL = 3306;
    private static final int PORT_OF_H2 = 9092;
    private static final int PORT_OF_EMULATOR = 9010;
    private static final int HIGHEST_PORT = 65_535;

    private static final String EMULATOR = "SPANNER_EMULATOR_HOST";

    /** Options that lead a driver past the URL's address. */
    private static final Set<String> ELSEWHERE = Set.of(
            "socketfactory",
            "pghost",
            "pgport",
            "service",
            "localsocket",
            "pipe",
            "namedpipepath",
            "dnssrv",
            "sockshost",
            "socksproxyhost");

    /** Checks the port. */
    public LinkedUrl {
        if (port < 1 || port > HIGHEST_PORT) {
            throw new IllegalArgumentException("port " + port + " is not between 1 and " + HIGHEST_PORT);
        }
    }

    /** Returns why connections of a store cannot be led through a link, in one line; empty if they can. */
    public static Optional<String> missingFrom(String storeUrl) {
        return missingFrom(storeUrl, System.getenv());
    }

    static Optional<String> missingFrom(String storeUrl, Map<String, String> environment) {
        try {
            parse(storeUrl, environment);
            return Optional.empty();
        } catch (Misconfigured e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /**
     * Finds the server in a store URL.
     *
     * @throws Misconfigured with the reason of {@link #missingFrom}
     */
    public static LinkedUrl parse(String storeUrl) {
        return parse(storeUrl, System.getenv());
    }

    static LinkedUrl parse(String storeUrl, Map<String, String> environment) {
        String url = storeUrl.strip();
        if (url.startsWith("spanner:")) {
            return emulator(url, environment);
        }
        LinkedUrl found = null;
        for (Family family : Family.values()) {
            Matcher parts = family.pattern.matcher(url);
            if (parts.matches()) {
                found = family.parse(url, parts);
            }
        }
        if (found == null) {
            throw refused(url, reason(url));
        }
        checkOptions(url);
        return found;
    }

    /** The databases whose URLs begin with the server's address. */
    private enum Family {
        OF_POSTGRESQL(POSTGRESQL, PORT_OF_POSTGRESQL, WireProtocol.POSTGRESQL),
        OF_MYSQL(MYSQL, PORT_OF_MYSQL, WireProtocol.MYSQL),
        OF_MARIADB(MARIADB, PORT_OF_MYSQL, WireProtocol.MYSQL),
        OF_H2(H2, PORT_OF_H2, WireProtocol.OTHER);

        private final Pattern pattern;
        private final int defaultPort;
        private final WireProtocol protocol;

        Family(Pattern pattern, int defaultPort, WireProtocol protocol) {
            this.pattern = pattern;
            this.defaultPort = defaultPort;
            this.protocol = protocol;
        }

        LinkedUrl parse(String url, Matcher parts) {
            String scheme = parts.group(1);
            String rest = parts.group(3);
            if (parts.group(2) == null) {
                if (this != OF_POSTGRESQL) {
                    throw refused(
                            url, "it has no // before the server's address; write " + scheme + "//HOST:PORT/DATABASE");
                }
                // Only a database: its server is the local one.
                return new LinkedUrl(
                        scheme + "//", "localhost", defaultPort, rest.startsWith("/") ? rest : "/" + rest, protocol);
            }
            if (rest.contains("(")) {
                throw refused(url, "its address is written with brackets; write it as HOST:PORT");
            }
            Matcher authority = AUTHORITY.matcher(rest);
            if (!authority.matches()) {
                throw refused(url, "its server's address cannot be read; write HOST:PORT");
            }
            String account = authority.group(1);
            if (!account.isEmpty() && protocol != WireProtocol.MYSQL) {
                throw refused(
                        url,
                        "it has an account before the server's address, which its driver does not read; write user and"
                                + " password as options");
            }
            Address address = Address.of(authority.group(2), defaultPort, url);
            return new LinkedUrl(scheme + "//" + account, address.host(), address.port(), authority.group(3), protocol);
        }
    }

    private record Address(String host, int port) {
        static Address of(String text, int defaultPort, String url) {
            if (text.contains(",")) {
                throw refused(url, "it names several servers, and a link leads to one; name one of them");
            }
            Matcher parts = ADDRESS.matcher(text);
            if (!parts.matches()) {
                throw refused(
                        url, "its server's address is not of the form HOST:PORT; write an IPv6 address in brackets");
            }
            String host = firstOf(parts.group(1), parts.group(2));
            int port = parts.group(3) == null ? defaultPort : Integer.parseInt(parts.group(3));
            if (port < 1 || port > HIGHEST_PORT) {
                throw refused(url, "port " + port + " is not between 1 and " + HIGHEST_PORT);
            }
            return new Address(host, port);
        }

        private static String firstOf(@Nullable String first, @Nullable String second) {
            return first != null ? first : second != null ? second : "localhost";
        }
    }

    private static LinkedUrl emulator(String url, Map<String, String> environment) {
        StoreUrl parsed = StoreUrl.parse(url);
        String address = parsed.option("emulator").orElse(environment.getOrDefault(EMULATOR, ""));
        if (address.isEmpty()) {
            throw refused(
                    url,
                    "it leads to Google's servers, which its client reaches over TLS by their names; only those of an emulator"
                            + " can be led through a link: add emulator=HOST:PORT");
        }
        Address found = Address.of(address.replaceFirst("^https?://", ""), PORT_OF_EMULATOR, url);
        StringBuilder others = new StringBuilder();
        parsed.options().forEach((name, value) -> {
            if (!name.equals("emulator")) {
                others.append('&').append(name).append('=').append(value);
            }
        });
        return new LinkedUrl(
                parsed.scheme() + ":" + parsed.place() + "?emulator=",
                found.host(),
                found.port(),
                others.toString(),
                WireProtocol.OTHER);
    }

    /** A certificate is for the server's name, and the link's is another. */
    private static void checkOptions(String url) {
        List<String> options = new DriverUrl(url).options();
        for (String option : options) {
            String[] parts = option.split("=", 2);
            String name = parts[0].strip().toLowerCase(Locale.ROOT);
            String value = parts.length == 1
                    ? ""
                    : parts[1].strip().toLowerCase(Locale.ROOT).replace('_', '-');
            if (ELSEWHERE.contains(name)) {
                throw refused(
                        url,
                        "its option " + name + " leads the driver past the address in the URL; remove it for this");
            }
            boolean verifies = value.equals("verify-full") || value.equals("verify-identity");
            if (name.equals("sslmode") && verifies) {
                throw refused(
                        url,
                        "its driver compares the server's name with its certificate, and through a link the server has"
                                + " another; write sslMode=verify-ca for this, which still checks the certificate");
            }
            if (name.equals("ssl")
                    && (value.isEmpty() || value.equals("true"))
                    && isPostgresql(url)
                    && !has(options, "sslmode")) {
                throw refused(
                        url,
                        "its driver compares the server's name with its certificate, as ssl=true means, and through a link the"
                                + " server has another; write sslmode=verify-ca for this, which still checks the certificate");
            }
        }
    }

    private static boolean isPostgresql(String url) {
        return POSTGRESQL.matcher(url).matches();
    }

    private static boolean has(List<String> options, String name) {
        return options.stream()
                .anyMatch(option -> option.toLowerCase(Locale.ROOT).startsWith(name + "="));
    }

    private static Misconfigured refused(String url, String why) {
        return new Misconfigured("links of store URL '" + StoreUrl.redacted(url) + "' cannot be cut: " + why);
    }

    private static String reason(String url) {
        String lower = url.toLowerCase(Locale.ROOT);
        if (lower.startsWith("sqlite:") || lower.startsWith("jdbc:sqlite:")) {
            return "SQLite is a file, without a server";
        }
        if (lower.startsWith("memory:")) {
            return "its counters are in the memory of one process";
        }
        if (lower.startsWith("couchbase")) {
            return "the cluster tells its client the addresses of its nodes, which leads it past a link";
        }
        if (lower.startsWith("jdbc:h2:ssl:")) {
            return "H2 over TLS is not supported here; a server that also listens for jdbc:h2:tcp: is";
        }
        if (lower.startsWith("jdbc:h2:")) {
            return "the database is in a file or in memory, without a server; a server's URL begins with jdbc:h2:tcp:";
        }
        if (lower.startsWith("jdbc:cloudspanner:")) {
            return "this is not supported for its driver; use a store URL that begins with spanner: and has the option emulator";
        }
        return "this is supported for jdbc:postgresql:, jdbc:mysql:, jdbc:mariadb:, jdbc:h2:tcp:, and for spanner: with an emulator";
    }

    /** Returns the store URL that leads through a link on 127.0.0.1; may contain secrets. */
    public String through(int linkPort) {
        return before + "127.0.0.1:" + linkPort + after;
    }

    /** Opens a link to the server. */
    public TcpLink open() {
        return TcpLink.to(host, port, protocol);
    }

    /** Returns the server's address, so that a logged URL shows no secret. */
    @Override
    public String toString() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
}
