// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.jdbc.sql.DriverUrl;
import dev.seriatim.store.StoreUrl;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A store URL that names one server, whose connections can be led through a {@link TcpLink}. Immutable.
 *
 * @param before the URL up to the server's address; may contain secrets
 * @param host an IPv6 address in brackets
 * @param after the URL after that address; may contain secrets
 */
public record LinkedUrl(String before, String host, int port, String after, WireProtocol protocol) {

    private static final int HIGHEST_PORT = 65_535;
    private static final String EMULATOR = "SPANNER_EMULATOR_HOST";
    private static final String TLS = "its client reaches Google's servers over TLS by name; name an emulator with ";
    private static final String PLAIN = "(?is).*[?;](?:usePlainText|autoConfigEmulator)=true(?:;.*)?";
    private static final String WITHOUT_SERVER = "(?is)\\s*(?:(?:jdbc:)?sqlite:|memory:|jdbc:h2:(?!tcp:|ssl:)).*";

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

    /** The URLs that name a server. */
    private enum Form {
        POSTGRESQL("jdbc:postgresql:", "//", 5432, WireProtocol.POSTGRESQL),
        MYSQL("jdbc:(?:mysql|mariadb):(?:[a-z-]+:)?", "//(?:[^/?;]*@)?", 3306, WireProtocol.MYSQL),
        H2("jdbc:h2:tcp:", "//", 9092, WireProtocol.OTHER),
        SPANNER_JDBC("jdbc:cloudspanner:", "//", 0, WireProtocol.OTHER),
        SPANNER("spanner:", ".*?[?&]emulator=(?:https?://)?", 9010, WireProtocol.OTHER);

        private final Pattern scheme;
        private final Pattern whole;
        private final int defaultPort;
        private final WireProtocol protocol;

        Form(String scheme, String beforeAddress, int defaultPort, WireProtocol protocol) {
            this.scheme = Pattern.compile("(?is)" + scheme + ".*");
            this.whole = Pattern.compile("(?is)(" + scheme + beforeAddress
                    + ")(\\[[0-9A-F:.]+(?:%[\\w.-]+)?]|[\\w.-]*)(?::(\\d{1,5}))?((?:[/?;&].*)?)");
            this.defaultPort = defaultPort;
            this.protocol = protocol;
        }
    }

    /** Returns whether a store has a server, according to its URL. */
    public static boolean hasServer(String storeUrl) {
        return !storeUrl.matches(WITHOUT_SERVER);
    }

    /** Finds the server in a store URL; {@link Misconfigured} says why connections cannot be led through a link. */
    public static LinkedUrl parse(String storeUrl) {
        return parse(storeUrl, System.getenv());
    }

    static LinkedUrl parse(String storeUrl, Map<String, String> environment) {
        String url = storeUrl.strip();
        for (Form form : Form.values()) {
            if (form.scheme.matcher(url).matches()) {
                checkOptions(url, form);
                return parse(url, form, withAddress(url, form, environment));
            }
        }
        throw refused(
                url,
                !hasServer(url)
                        ? "this store has no server"
                        : url.startsWith("couchbase")
                                ? "its client connects to the addresses of its nodes, past a link"
                                : "only jdbc:postgresql:, mysql, mariadb and h2:tcp can be linked, and Spanner's emulator");
    }

    /** Adds the address that a URL may leave out. */
    private static String withAddress(String url, Form form, Map<String, String> environment) {
        if (form == Form.SPANNER_JDBC && !url.matches(PLAIN)) {
            throw refused(url, TLS + "usePlainText=true, and //HOST:PORT");
        }
        if (form == Form.SPANNER && StoreUrl.parse(url).option("emulator").isEmpty()) {
            String emulator = environment.get(EMULATOR);
            if (emulator == null) {
                throw refused(url, TLS + "emulator=HOST:PORT");
            }
            return url + (url.contains("?") ? "&" : "?") + "emulator=" + emulator;
        }
        // Only a database, of the local server.
        return form == Form.POSTGRESQL ? url.replaceFirst("(?i)^(jdbc:postgresql:)(?!//)/?", "$1//localhost/") : url;
    }

    private static LinkedUrl parse(String url, Form form, String whole) {
        Matcher parts = form.whole.matcher(whole);
        boolean matches = parts.matches();
        int port = matches && parts.group(3) != null ? Integer.parseInt(parts.group(3)) : form.defaultPort;
        if (!matches || port < 1 || port > HIGHEST_PORT) {
            throw refused(
                    url,
                    "its server's address must be one HOST:PORT after //, an IPv6 address in brackets; write user and password as options");
        }
        String host = parts.group(2).isEmpty() ? "localhost" : parts.group(2);
        return new LinkedUrl(parts.group(1), host, port, parts.group(4), form.protocol);
    }

    /** Refuses options that lead past a link, or check the server's name. */
    private static void checkOptions(String url, Form form) {
        List<String> options = new DriverUrl(url)
                .options().stream()
                        .map(option -> option.toLowerCase(Locale.ROOT))
                        .toList();
        boolean hasMode = options.stream().anyMatch(option -> option.startsWith("sslmode="));
        for (String option : options) {
            String name = option.replaceFirst("(?s)=.*", "").strip();
            if (ELSEWHERE.contains(name)) {
                throw refused(
                        url,
                        "its option " + name + " leads the driver past the address in the URL; remove it for this");
            }
            boolean asVerifyFull = form == Form.POSTGRESQL && !hasMode && option.matches("ssl(?:=(?:true)?)?");
            if (asVerifyFull || option.matches("sslmode=\\s*verify[-_](?:full|identity)\\s*")) {
                throw refused(
                        url,
                        "its driver checks the server's name, which is another through a link; write "
                                + (form == Form.POSTGRESQL ? "sslmode" : "sslMode")
                                + "=verify-ca, which still checks the certificate");
            }
        }
    }

    private static Misconfigured refused(String url, String why) {
        return new Misconfigured("links of store URL '" + StoreUrl.redacted(url) + "' cannot be cut: " + why);
    }

    /** Returns the store URL that leads through a link on 127.0.0.1; may contain secrets. */
    public String through(int linkPort) {
        return before + "127.0.0.1:" + linkPort + after;
    }

    public TcpLink open() {
        return TcpLink.to(host, port, protocol);
    }

    /** Returns the server's address, so that a logged URL shows no secret. */
    @Override
    public String toString() {
        return host + ":" + port;
    }
}
