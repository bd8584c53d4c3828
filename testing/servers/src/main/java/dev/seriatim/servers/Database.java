// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.lang.reflect.Proxy;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/**
 * A database, and an account with all rights in it. Immutable.
 *
 * @param server everything in its JDBC URL before the name, for example {@code jdbc:mariadb://127.0.0.1:3306/}
 * @param user the account's name; empty if the engine has none
 */
public record Database(String server, String name, Map<String, String> options, String user, String password) {
    private static final Pattern URL = Pattern.compile("(jdbc:[a-z]+://[^/]+/)([^?]*)(?:\\?(.*))?");

    public Database {
        options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
    }

    static Database parse(String url) {
        if (url.startsWith("jdbc:sqlserver:")) {
            String server = url.replaceFirst("(?i);databaseName=[^;]*", "") + ";databaseName=";
            return new Database(server, "master", Map.of(), "", ""); // with its options, which come before the name
        }
        Matcher parts = URL.matcher(url);
        if (!parts.matches()) {
            throw new IllegalArgumentException(
                    "not of the form jdbc:engine://host:port/database?name=value&name=value: "
                            + url.replaceAll("\\?.*", "?…"));
        }
        Map<String, String> options = new LinkedHashMap<>();
        for (String pair : Objects.requireNonNullElse(parts.group(3), "").split("&", -1)) {
            int equals = (pair + "=").indexOf('=');
            String value = pair.substring(Math.min(equals + 1, pair.length()));
            options.put(pair.substring(0, equals), URLDecoder.decode(value, StandardCharsets.UTF_8));
        }
        options.remove("");
        String user = Objects.requireNonNullElse(options.remove("user"), "");
        String password = Objects.requireNonNullElse(options.remove("password"), "");
        return new Database(parts.group(1), parts.group(2), options, user, password);
    }

    /** Returns the JDBC URL including the account, which is all that another process needs. */
    public String url() {
        return user.isEmpty()
                ? location()
                : option("user", user).option("password", password).location();
    }

    /** Returns the JDBC URL without the account. */
    public String location() {
        boolean h2 = server.startsWith("jdbc:h2:") || server.startsWith("jdbc:sqlserver:"); // options after semicolons
        String all = options.entrySet().stream()
                .map(option -> option.getKey() + "="
                        + (h2 ? option.getValue() : URLEncoder.encode(option.getValue(), StandardCharsets.UTF_8)))
                .collect(Collectors.joining(h2 ? ";" : "&"));
        return server + name + (all.isEmpty() ? "" : h2 ? ";" : "?") + all;
    }

    public String hostAndPort() {
        return server.substring(server.indexOf("//") + 2, server.length() - 1);
    }

    Database named(String other) {
        return new Database(server, other, options, user, password);
    }

    public Database as(String otherUser, String otherPassword) {
        return new Database(server, name, options, otherUser, otherPassword);
    }

    /** Returns the same database at another address, {@code host:port}. */
    public Database at(String hostAndPort) {
        String other = server.substring(0, server.indexOf("//") + 2) + hostAndPort + "/";
        return new Database(other, name, options, user, password);
    }

    /** Returns the same database with another property of the driver. */
    public Database option(String option, String value) {
        Map<String, String> more = new LinkedHashMap<>(options);
        more.put(option, value);
        return new Database(server, name, more, user, password);
    }

    public Connection connect() throws SQLException {
        return DriverManager.getConnection(url());
    }

    /** Returns a data source that opens a new connection for each request, without a pool; it has no settings. */
    public DataSource dataSource() {
        return (DataSource) Proxy.newProxyInstance(
                Database.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (self, method, arguments) -> switch (method.getName()) {
                    case "getConnection" ->
                        (arguments == null ? this : as((String) arguments[0], (String) arguments[1])).connect();
                    case "getLogWriter" -> null;
                    case "getLoginTimeout" -> 0;
                    case "isWrapperFor" -> false;
                    case "equals" -> self == arguments[0];
                    case "hashCode" -> System.identityHashCode(self);
                    case "toString" -> "connections to " + this;
                    default -> throw new SQLFeatureNotSupportedException(method.getName());
                });
    }

    /** Runs each statement and commits it. */
    public void execute(String... statements) throws SQLException {
        try (var connection = connect();
                var statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** Returns the number in the first column of the first row of the result. */
    public long number(String query) throws SQLException {
        try (var connection = connect();
                var statement = connection.createStatement();
                var answer = statement.executeQuery(query)) {
            if (!answer.next()) {
                throw new SQLException("no row: " + query);
            }
            return answer.getLong(1);
        }
    }

    @Override
    public String toString() {
        return location().replaceAll("(?i)password=[^;]*", "password=…");
    }
}
