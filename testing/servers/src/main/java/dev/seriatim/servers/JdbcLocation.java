// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The parts of a JDBC URL, without an account. Immutable.
 *
 * @param server everything before the database's name, for example {@code jdbc:mariadb://127.0.0.1:3306/}
 * @param database the database's name, or its file
 * @param options further properties of the driver
 */
public record JdbcLocation(String server, String database, Map<String, String> options) {
    private static final Pattern URL = Pattern.compile("(jdbc:[a-z]+://[^/]+/)([^?]*)(?:\\?(.*))?");

    /** Copies the options. */
    public JdbcLocation {
        options = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(options));
    }

    /** Parses a URL of the form {@code jdbc:engine://host:port/database?name=value&name=value}. */
    static JdbcLocation parse(String url) {
        Matcher parts = URL.matcher(url);
        if (!parts.matches()) {
            throw new IllegalArgumentException(
                    "not of the form jdbc:engine://host:port/database?name=value&name=value: "
                            + url.replaceAll("\\?.*", "?…"));
        }
        return new JdbcLocation(parts.group(1), parts.group(2), options(parts.group(3)));
    }

    JdbcLocation database(String name) {
        return new JdbcLocation(server, name, options);
    }

    public String hostAndPort() {
        return server.substring(server.indexOf("//") + 2, server.length() - 1);
    }

    JdbcLocation at(String hostAndPort) {
        return new JdbcLocation(server.substring(0, server.indexOf("//") + 2) + hostAndPort + "/", database, options);
    }

    JdbcLocation option(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(options);
        more.put(name, value);
        return new JdbcLocation(server, database, more);
    }

    JdbcLocation without(String name) {
        Map<String, String> fewer = new LinkedHashMap<>(options);
        fewer.remove(name);
        return new JdbcLocation(server, database, fewer);
    }

    String with(String user, String password) {
        return user.isEmpty()
                ? toString()
                : option("user", user).option("password", password).toString();
    }

    private static Map<String, String> options(String query) {
        Map<String, String> options = new LinkedHashMap<>();
        for (String pair : query == null ? new String[0] : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            options.put(
                    equals < 0 ? pair : pair.substring(0, equals),
                    equals < 0 ? "" : URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
        }
        return options;
    }

    @Override
    public String toString() {
        boolean h2 = server.startsWith("jdbc:h2:");
        StringBuilder url = new StringBuilder(server).append(database);
        String separator = h2 ? ";" : "?";
        for (Map.Entry<String, String> option : options.entrySet()) {
            String value = h2 ? option.getValue() : URLEncoder.encode(option.getValue(), StandardCharsets.UTF_8);
            url.append(separator).append(option.getKey()).append('=').append(value);
            separator = h2 ? ";" : "&";
        }
        return url.toString();
    }
}
