// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.jdbc.sql.ClassifiedException;
import dev.seriatim.jdbc.sql.DriverUrl;
import dev.seriatim.jdbc.sql.Fault;
import dev.seriatim.jdbc.sql.LateLogin;
import dev.seriatim.jdbc.sql.SqlFailures;
import dev.seriatim.store.StoreUrl;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Explains why a connection to a database failed: the database without secrets, the driver's message and, for known
 * causes, the remedy. The engine is unknown before a connection exists, so the causes cover all drivers.
 * Immutable and thread-safe.
 */
final class NoConnection {

    private static final String NO_ACCESS = "42501";
    private static final Set<Integer> NO_ACCESS_CODES = Set.of(1044, 4060);
    private static final Set<Integer> REJECTED_USER_CODES = Set.of(1045, 1130, 1820, 1862, 3118, 4151, 18456);
    private static final Set<String> NO_DATABASE = Set.of("3D000", "90146", "90149");
    private static final int NO_DATABASE_CODE = 1049;
    /** Connections open, or opened per second, which only Aurora DSQL limits. */
    private static final Set<String> FULL = Set.of("53300", "53400");

    private static final Set<Integer> FULL_CODES = Set.of(1040, 1203, 1226);
    private static final int UNENCRYPTED_CODE = 3159;
    private static final Set<String> WRONG_URL = Set.of("08004", "22023", "42602", "42704", "90011", "90046", "90113");
    private static final String CLOSED_H2 = "90067";

    /** Anything else may be part of a malformed URL. */
    private static final Pattern HOST = Pattern.compile("[\\p{L}\\p{N}._-]+");

    private final String database;
    private final Optional<DriverUrl> url;
    private final SQLException e;
    private final SQLException drivers;
    private final String state;
    private final String message;
    private final List<Throwable> causes;

    /**
     * @param url empty for a data source, whose URL is unknown
     * @param e the exception of a driver, or of a pool that keeps the driver's exception as its cause
     */
    private NoConnection(String database, Optional<DriverUrl> url, SQLException e) {
        this.database = database;
        this.url = url;
        this.e = e;
        drivers =
                e instanceof SQLTransientConnectionException && e.getCause() instanceof SQLException cause ? cause : e;
        state = Optional.ofNullable(drivers.getSQLState()).orElse("");
        message = Optional.ofNullable(drivers.getMessage()).orElse("");
        causes = SqlFailures.causes(drivers).toList();
    }

    /** Explains an exception of a caller's data source. */
    static SequenceException to(SQLException e) {
        return to("the database of this data source", e);
    }

    static SequenceException to(String database, SQLException e) {
        return new NoConnection(database, Optional.empty(), e).explained();
    }

    /** Explains an exception that a driver threw for this URL. */
    static SequenceException to(DriverUrl url, SQLException e) {
        return new NoConnection(url.database(), Optional.of(url), e).explained();
    }

    /** Returns whether Spanner's driver says that there is no such database. */
    static boolean spannerHasNone(String message) {
        return message.matches("(?s)NOT_FOUND: .*(Database|Instance) not found.*");
    }

    private SequenceException explained() {
        if (e instanceof ClassifiedException own && own.fault() == Fault.NO_CONNECTION) {
            return new Overloaded(SqlFailures.exhaustedPool(database, e), e);
        }
        if (e instanceof LateLogin late && late.connected()) {
            return new Unavailable(database + " cannot be opened: " + late.getMessage() + "; " + LateLogin.REMEDY, e);
        }
        Optional<SequenceException> file = Dialects.fileFailure(database, why(), drivers);
        return file.orElseGet(() -> misconfigured()
                .<SequenceException>map(what -> new Misconfigured(what, e))
                .orElseGet(() -> new Unavailable(unavailable(), e)));
    }

    private Optional<String> misconfigured() {
        if (message.startsWith("No suitable driver")) {
            String given = url.isPresent() ? database : "the URL of this data source";
            return Optional.of("no JDBC driver on the class path accepts " + given + "; " + withoutDriver());
        }
        if (message.startsWith("URLDecoder: ")) { // which quotes a part of the password
            return Optional.of(database + ": the driver cannot decode this URL; write a % in an option as %25");
        }
        boolean iam = url.filter(DriverUrl::isDsqlConnectors).isPresent();
        boolean noAccess = state.equals(NO_ACCESS) || NO_ACCESS_CODES.contains(drivers.getErrorCode());
        if (iam && (noAccess || rejectsUser() || message.startsWith("Token generation failed"))) {
            return rejected(
                    "check the AWS credentials (AWS_PROFILE, or profile=NAME in the URL), and allow dsql:DbConnect");
        }
        if (noAccess) {
            return rejected("check the database's name, and grant this user access to it");
        }
        if (rejectsUser()) {
            boolean plain = state.equals("28000")
                    && url.flatMap(given -> given.option("sslmode")).equals(Optional.of("disable"));
            return rejected(plain ? """
                    leave sslmode=disable out of the URL, or name another user""" : """
                    check the user and the password (user=…&password=… in the URL, where PostgreSQL's and MySQL's drivers \
                    require %25 for a % and %26 for an &), and grant access to the database""");
        }
        if (message.matches("(?s)(UNAUTHENTICATED|PERMISSION_DENIED|INVALID_ARGUMENT: Invalid credentials).*")) {
            return rejected(
                    "run 'gcloud auth application-default login', or name a key file in the URL (credentials=FILE)");
        }
        if (NO_DATABASE.contains(state) || drivers.getErrorCode() == NO_DATABASE_CODE || spannerHasNone(message)) {
            return Optional.of(
                    "there is no such database: " + database + " (" + why() + "); create it, or correct its name");
        }
        if (isFull()) {
            return Optional.empty();
        }
        boolean wrongName = says("hostnameverifier"); // a class of PostgreSQL's driver, in every language
        if (drivers.getErrorCode() == UNENCRYPTED_CODE
                || wrongName
                || (says("ssl") && !quotesOption())
                || says("rsa public key")
                || below("javax.net.ssl.", "java.security.cert.")) {
            boolean untrusted = below("java.io.FileNotFoundException", "java.security.cert.", "sun.security.");
            String remedy = wrongName ? """
                    write a host name that is in the server's certificate, or sslmode=verify-ca, which does not check \
                    it""" : untrusted && isPostgres() ? """
                    name the certificate of the authority that signed the server's: sslrootcert=FILE""" : """
                    check the SSL options of the URL, the host name in the server's certificate, and the server's \
                    settings""";
            return Optional.of("""
                    %s: the driver and the server do not agree on encryption (%s); %s""".formatted(database, why(), remedy));
        }
        return rejectsUrl()
                ? Optional.of(database + ": the URL is rejected (" + why() + "); correct its options")
                : Optional.empty();
    }

    private Optional<String> rejected(String remedy) {
        String why = why().replaceFirst(" in the chain .*", ""); // of all providers of AWS credentials
        return Optional.of(database + " rejects this user (" + why + "); " + remedy);
    }

    private String withoutDriver() {
        String given = url.map(DriverUrl::text).orElse("");
        Optional<String> product = url.flatMap(DriverUrl::product);
        if (url.isEmpty()
                || (product.isPresent() && product.flatMap(DriverUrl::named).isEmpty())) {
            return "add the driver's jar, and those it needs, to the class path (for the command: SERIATIM_CLASSPATH=FILE.jar)";
        }
        return given.contains("%") ? "write a % in it as %25" : """
                write jdbc:postgresql://HOST:PORT/DATABASE (PORT up to 65535), jdbc:mariadb:, jdbc:mysql:, jdbc:sqlite:FILE, \
                jdbc:h2:FILE or jdbc:cloudspanner:""";
    }

    private String unavailable() {
        if (isFull()) {
            return """
                    %s has no free connection (%s); close some, use smaller pools, or \
                    raise the server's limit""".formatted(database, why());
        }
        Optional<String> host = unknownHost();
        if (host.isPresent()) {
            return """
                    %s cannot be reached: the host '%s' is unknown; check its spelling \
                    and this machine's DNS""".formatted(database, host.get());
        }
        if (timedOut()) {
            return """
                    %s did not answer in time (%s); check the host and the port, whether the server listens there, \
                    and whether a firewall blocks it""".formatted(database, why());
        }
        boolean network = state.startsWith("08")
                || state.startsWith("57P")
                || state.equals(CLOSED_H2)
                || drivers instanceof ClassifiedException
                || isInputOrOutput();
        return (network ? """
                %s cannot be reached (%s); check the host and the port, and whether the server is running""" : """
                %s cannot be opened (%s); correct the URL, or check the server's log""").formatted(database, why());
    }

    private boolean rejectsUser() {
        return state.startsWith("28")
                || (state.equals("08004") && (says("password") || (isPostgres() && !says("ssl"))))
                || REJECTED_USER_CODES.contains(drivers.getErrorCode());
    }

    private boolean isPostgres() {
        return url.filter(DriverUrl::isPostgres).isPresent();
    }

    private boolean isFull() {
        return FULL.contains(state) || FULL_CODES.contains(drivers.getErrorCode());
    }

    private boolean rejectsUrl() {
        // An initial statement also fails when the connection breaks beneath it.
        boolean initial = message.contains("Initialization command fail")
                && !below("java.net.SocketException", "java.io.EOFException");
        return WRONG_URL.contains(state)
                || says("error parsing url")
                || message.startsWith("INVALID_ARGUMENT: ")
                || initial
                || (!timedOut() && quotesOption());
    }

    /** Returns whether the driver's message names an option of the URL together with its value. */
    private boolean quotesOption() {
        return url.stream()
                .flatMap(known -> known.options().stream())
                .map(option -> option.toLowerCase(Locale.ROOT).split("=", 2))
                .anyMatch(option -> option.length == 2 && !option[0].isEmpty() && says(option[0]) && says(option[1]));
    }

    private boolean says(String words) {
        return message.toLowerCase(Locale.ROOT).contains(words);
    }

    private Optional<String> unknownHost() {
        // Some systems append the reason to the name.
        return causes.stream()
                .filter(cause -> cause.toString().startsWith(UnknownHostException.class.getName()))
                .findFirst()
                .map(cause -> String.valueOf(cause.getMessage()).replaceFirst(":.*", ""))
                .filter(host -> HOST.matcher(host).matches());
    }

    private boolean timedOut() {
        return drivers instanceof SQLTimeoutException
                || says("timed out") // PostgreSQL's loginTimeout leaves no cause
                || below(SocketTimeoutException.class.getName());
    }

    private boolean isInputOrOutput() {
        return causes.stream().anyMatch(IOException.class::isInstance) || below("java.net.", "java.io.", "java.nio.");
    }

    /** Classes are matched by name, which {@code Scrubbing} preserves. */
    private boolean below(String... classes) {
        return causes.stream().anyMatch(cause -> Stream.of(classes).anyMatch(cause.toString()::startsWith));
    }

    /**
     * Returns the driver's message on one line, with that of the last cause if the URL is known: causes may quote a
     * URL, whose secrets are recognized only if it is known.
     */
    private String why() {
        if (url.isEmpty()) {
            return SqlFailures.oneLine(e);
        }
        String first = SqlFailures.oneLine(drivers);
        Throwable root = causes.get(causes.size() - 1);
        String last = root.getMessage() == null
                ? ""
                : StoreUrl.redact(root.getMessage()).replaceAll("(?<!\\s)\\s*[\\r\\n]+\\s*", " ");
        boolean adds = (root instanceof SQLException || isInputOrOutput())
                && !first.toLowerCase(Locale.ROOT).contains(last.toLowerCase(Locale.ROOT));
        return adds ? first.replaceFirst("\\.$", "") + ": " + last : first;
    }
}
