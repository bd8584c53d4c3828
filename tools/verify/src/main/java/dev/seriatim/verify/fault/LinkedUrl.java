// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

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
import java.util.stream.Collectors;

/**
 * A store URL that names one server, whose connections can be led through a {@link TcpLink}. Immutable.
 *
 * @param before the URL up to the server's address; may contain secrets
 * @param host without brackets
 * @param after the URL after that address; may contain secrets
 */
public record LinkedUrl(String before, String host, int port, String after, WireProtocol protocol) {

    private static final Pattern AUTHORITY = Pattern.compile("(?s)((?:[^/?;]*@)?)([^/?;@]*)(.*)");
    private static final Pattern ADDRESS =
            Pattern.compile("(?:\\[([0-9A-Fa-f:.]+(?:%[\\w.-]+)?)]|([\\w.-]+))?(?::(\\d{1,5}))?");

    private static final int PORT_OF_EMULATOR = 9010;
    private static final int HIGHEST_PORT = 65_535;

    private static final String EMULATOR = "SPANNER_EMULATOR_HOST";

    /** The beginnings of other URLs, and why they are refused. */
    private static final List<String[]> UNSUPPORTED = List.of(
            new String[] {"(?:jdbc:)?sqlite", "SQLite is a file, without a server"},
            new String[] {"memory", "its counters are in the memory of one process"},
            new String[] {"couchbases?", "its client connects to the addresses of its nodes, past a link"},
            new String[] {"jdbc:h2:ssl", "H2 over TLS is not supported; use jdbc:h2:tcp:"},
            new String[] {"jdbc:h2", "the database has no server; a server's URL begins with jdbc:h2:tcp:"},
            new String[] {"jdbc:cloudspanner", "its driver is not supported; use spanner: with the option emulator"},
            new String[] {
                "",
                "this is supported for jdbc:postgresql:, mysql, mariadb and h2:tcp, and for spanner: with an emulator"
            });

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
        for (Family family : Family.values()) {
            Matcher parts = family.pattern.matcher(url);
            if (parts.matches()) {
                LinkedUrl found = family.parse(url, parts);
                checkOptions(url, family);
                return found;
            }
        }
        throw refused(url, reason(url));
    }

    /** The databases whose URLs begin with the server's address. */
    private enum Family {
        POSTGRESQL("postgresql", 5432, WireProtocol.POSTGRESQL),
        MYSQL("(?:mysql|mariadb)(?::[a-z-]+)?", 3306, WireProtocol.MYSQL),
        H2("h2:tcp", 9092, WireProtocol.OTHER);

        private final Pattern pattern;
        private final int defaultPort;
        private final WireProtocol protocol;

        Family(String scheme, int defaultPort, WireProtocol protocol) {
            pattern = Pattern.compile("(?is)(jdbc:" + scheme + ":)(//)?(.*)");
            this.defaultPort = defaultPort;
            this.protocol = protocol;
        }

        LinkedUrl parse(String url, Matcher parts) {
            String scheme = parts.group(1);
            String rest = parts.group(3);
            if (parts.group(2) == null) {
                if (this != POSTGRESQL) {
                    throw refused(
                            url, "it has no // before the server's address; write " + scheme + "//HOST:PORT/DATABASE");
                }
                // Only a database, of the local server.
                return new LinkedUrl(
                        scheme + "//", "localhost", defaultPort, rest.startsWith("/") ? rest : "/" + rest, protocol);
            }
            Matcher authority = AUTHORITY.matcher(rest);
            if (rest.contains("(") || !authority.matches()) {
                throw refused(url, "its server's address has brackets; write it as HOST:PORT");
            }
            String account = authority.group(1);
            if (!account.isEmpty() && protocol != WireProtocol.MYSQL) {
                throw refused(
                        url,
                        "its driver does not read the account before the server's address; write user and password as options");
            }
            return at(scheme + "//" + account, authority.group(2), defaultPort, authority.group(3), protocol, url);
        }
    }

    private static LinkedUrl at(
            String before, String address, int defaultPort, String after, WireProtocol protocol, String url) {
        if (address.contains(",")) {
            throw refused(url, "it names several servers, and a link leads to one; name one of them");
        }
        Matcher parts = ADDRESS.matcher(address);
        if (!parts.matches()) {
            throw refused(url, "its server's address is not of the form HOST:PORT; write an IPv6 address in brackets");
        }
        String host = parts.group(1) != null ? parts.group(1) : parts.group(2) != null ? parts.group(2) : "localhost";
        int port = parts.group(3) == null ? defaultPort : Integer.parseInt(parts.group(3));
        if (port < 1 || port > HIGHEST_PORT) {
            throw refused(url, "port " + port + " is not between 1 and " + HIGHEST_PORT);
        }
        return new LinkedUrl(before, host, port, after, protocol);
    }

    private static LinkedUrl emulator(String url, Map<String, String> environment) {
        StoreUrl parsed = StoreUrl.parse(url);
        String address = parsed.option("emulator").orElse(environment.getOrDefault(EMULATOR, ""));
        if (address.isEmpty()) {
            throw refused(
                    url,
                    "its client reaches Google's servers over TLS by name; name an emulator with emulator=HOST:PORT");
        }
        String others = parsed.options().entrySet().stream()
                .filter(option -> !option.getKey().equals("emulator"))
                .map(option -> "&" + option.getKey() + "=" + option.getValue())
                .collect(Collectors.joining());
        return at(
                parsed.scheme() + ":" + parsed.place() + "?emulator=",
                address.replaceFirst("^https?://", ""),
                PORT_OF_EMULATOR,
                others,
                WireProtocol.OTHER,
                url);
    }

    /** Refuses options that lead past a link, or check the server's name. */
    private static void checkOptions(String url, Family family) {
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
            boolean verifies =
                    name.equals("sslmode") && (value.equals("verify-full") || value.equals("verify-identity"));
            boolean asVerifyFull = family == Family.POSTGRESQL
                    && name.equals("ssl")
                    && (value.isEmpty() || value.equals("true"))
                    && options.stream()
                            .noneMatch(each -> each.toLowerCase(Locale.ROOT).startsWith("sslmode="));
            if (verifies || asVerifyFull) {
                throw refused(
                        url,
                        "its driver checks the server's name, which is another through a link; write "
                                + (family == Family.POSTGRESQL ? "sslmode" : "sslMode")
                                + "=verify-ca, which still checks the certificate");
            }
        }
    }

    private static Misconfigured refused(String url, String why) {
        return new Misconfigured("links of store URL '" + StoreUrl.redacted(url) + "' cannot be cut: " + why);
    }

    private static String reason(String url) {
        return UNSUPPORTED.stream()
                .filter(each -> url.matches("(?is)" + each[0] + ".*"))
                .findFirst()
                .orElseThrow()[1];
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
