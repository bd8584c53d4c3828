// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.jdbc.dialect.ClassifiedException;
import dev.seriatim.jdbc.dialect.ConnectionFault;
import dev.seriatim.jdbc.dialect.ConnectionFault.Reason;
import dev.seriatim.jdbc.dialect.DriverError;
import dev.seriatim.jdbc.dialect.Fault;
import dev.seriatim.jdbc.failure.Causes;
import dev.seriatim.jdbc.failure.DriverUrl;
import dev.seriatim.jdbc.failure.LateLogin;
import dev.seriatim.jdbc.failure.SqlFailures;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Explains why a connection to a database failed and what to do, for every engine. The engine is not known before a
 * connection exists: each {@link dev.seriatim.jdbc.dialect.EngineFamily} recognizes the errors of its own drivers.
 *
 * <p>Immutable and thread-safe.
 */
final class NoConnection {

    /** SQL's states for a rejected connection and a missing database. */
    private static final String REJECTED = "08004";

    private static final String NO_DATABASE = "3D000";

    private final String database;
    private final Optional<DriverUrl> url;
    private final SQLException e;
    private final SQLException drivers;
    private final DriverError error;
    private final Causes causes;
    private final Optional<ConnectionFault> fault;

    /**
     * @param database the database, for display
     * @param url empty for a data source, whose URL is unknown
     * @param e the exception of a driver, or of a pool that keeps the driver's exception as its cause
     */
    private NoConnection(String database, Optional<DriverUrl> url, SQLException e) {
        this.database = database;
        this.url = url;
        this.e = e;
        drivers =
                e instanceof SQLTransientConnectionException && e.getCause() instanceof SQLException cause ? cause : e;
        error = DriverError.of(drivers);
        causes = Causes.of(drivers);
        fault = Dialects.connectionFault(database, why(), drivers);
    }

    /** Explains a data source's exception. */
    static SequenceException to(String database, SQLException e) {
        return new NoConnection(database, Optional.empty(), e).explained();
    }

    /** Explains an exception that a driver threw for this URL. */
    static SequenceException to(DriverUrl url, SQLException e) {
        return new NoConnection(url.database(), Optional.of(url), e).explained();
    }

    private SequenceException explained() {
        return Stream.<Supplier<Optional<SequenceException>>>of(
                        this::pool,
                        this::silence,
                        this::driver,
                        this::account,
                        this::place,
                        this::capacity,
                        this::encryption,
                        this::option,
                        this::file,
                        this::network)
                .flatMap(reason -> reason.get().stream())
                .findFirst()
                .orElseGet(() -> new Unavailable(
                        database + " cannot be opened (" + why() + "); correct the URL, or check the server's log", e));
    }

    private Optional<SequenceException> pool() {
        return e instanceof ClassifiedException own && own.fault() == Fault.NO_CONNECTION
                ? Optional.of(new Overloaded(SqlFailures.exhaustedPool(database, e), e))
                : Optional.empty();
    }

    private Optional<SequenceException> silence() {
        return e instanceof LateLogin late && late.connected()
                ? unavailable(database + " cannot be opened: " + late.getMessage() + "; " + LateLogin.REMEDY)
                : Optional.empty();
    }

    private Optional<SequenceException> driver() {
        Optional<String> percent = url.flatMap(DriverUrl::strayPercent);
        if (percent.isPresent() && error.message().startsWith("URLDecoder: ")) {
            return misconfigured(percent.get());
        }
        if (!error.message().startsWith("No suitable driver")) {
            return Optional.empty();
        }
        return url.isPresent()
                ? Optional.of(NoDriver.takes(url.get(), e))
                : misconfigured(
                        "no JDBC driver on the class path accepts the URL of this data source; check its spelling,"
                                + " or add the driver's jar");
    }

    private Optional<SequenceException> account() {
        String notIn = database + " rejects this user (" + why() + ")";
        Optional<ConnectionFault> password = fault(Reason.PASSWORD);
        boolean refused = error.state().startsWith("28") || password.isPresent();
        boolean rejected = error.state().equals(REJECTED) && error.code() == 0 && !error.says("ssl");
        if ((refused || rejected) && namesNoPassword()) {
            return misconfigured(notIn + "; the URL has no password: add user=…&password=…");
        }
        Optional<ConnectionFault> account = fault(Reason.ACCOUNT).or(() -> fault(Reason.LOGIN));
        if (account.isPresent()) {
            return misconfigured(notIn + "; " + account.get().words());
        }
        return refused
                ? misconfigured(notIn + "; check the user and the password"
                        + password.map(ConnectionFault::words).orElse("")
                        + url.map(NoConnection::encoding).orElse(""))
                : Optional.empty();
    }

    private Optional<SequenceException> place() {
        if (error.state().equals(NO_DATABASE) || fault(Reason.DATABASE).isPresent()) {
            return misconfigured(
                    "there is no such database: " + database + " (" + why() + "); create it, or correct its name");
        }
        return misconfigured(Reason.PRIVILEGE, "this user has no access to " + database)
                .or(() -> misconfigured(Reason.CLOSED, database + " accepts no connections"));
    }

    private Optional<SequenceException> capacity() {
        if (fault(Reason.FULL).isPresent()) {
            return unavailable(database + " has no free connection (" + why()
                    + "); close some, use smaller pools, or raise the server's limit");
        }
        return fault(Reason.NOT_YET).isPresent()
                ? unavailable(
                        database + " accepts no connections now (" + why() + "); try again once the server has started")
                : Optional.empty();
    }

    private Optional<SequenceException> encryption() {
        Optional<SequenceException> required =
                misconfigured(Reason.UNENCRYPTED, database + " requires an encrypted connection");
        if (required.isPresent()) {
            return required;
        }
        Optional<ConnectionFault> other = fault(Reason.OTHER_SERVER);
        if (other.isPresent()) {
            return misconfigured("what answers at " + database + " is no "
                    + other.get().words() + " server (" + why() + "); check the port");
        }
        Optional<ConnectionFault> none = fault(Reason.NO_ENCRYPTION);
        if (none.isPresent()) {
            return misconfigured(database + " does not support encrypted connections (" + why()
                    + "); enable SSL on the server or, on a trusted network, remove "
                    + none.get().words() + " from the URL");
        }
        return causes.encryption()
                ? misconfigured(database + ": the encrypted connection failed (" + why()
                        + "); use the host name in the server's certificate, and name the certificate in the URL ("
                        + Dialects.CERTIFICATE_OPTIONS + ")")
                : Optional.empty();
    }

    private Optional<SequenceException> option() {
        String taken = database + ": the driver rejects this URL (" + why() + ")";
        Optional<String> wrong = causes.timedOut() ? Optional.empty() : wrongOption();
        if (wrong.isPresent()) {
            return misconfigured(taken + "; correct the option " + wrong.get());
        }
        if (error.state().equals(REJECTED) || fault(Reason.OPTIONS).isPresent()) {
            return misconfigured(database + " rejects this connection (" + why() + "); check the URL's options");
        }
        // An initial statement also fails when the connection breaks beneath it, which is no fault of the URL.
        return fault(Reason.URL).isPresent() && !causes.connectionLost()
                ? misconfigured(taken + "; correct it")
                : Optional.empty();
    }

    private Optional<SequenceException> file() {
        return fault(Reason.FILE_FOR_NOW)
                .flatMap(file -> unavailable(file.words()))
                .or(() -> fault(Reason.FILE).flatMap(file -> misconfigured(file.words())));
    }

    private Optional<SequenceException> network() {
        Optional<String> host = causes.unknownHost();
        if (host.isPresent()) {
            return unavailable(database + " cannot be reached: the host '" + host.get()
                    + "' is unknown; check its spelling and this machine's DNS");
        }
        if (causes.timedOut()) {
            return unavailable(
                    database + " did not answer in time (" + why()
                            + "); check the host and the port, whether the server listens there, and whether a firewall blocks it");
        }
        boolean network =
                error.state().startsWith("08") || fault(Reason.NETWORK).isPresent() || causes.inputOrOutput();
        return network || drivers instanceof ClassifiedException
                ? unavailable(database + " cannot be reached (" + why()
                        + "); check the host and the port, and whether the server is running")
                : Optional.empty();
    }

    private boolean namesNoPassword() {
        return url.isPresent()
                && url.get().options().stream()
                        .map(option -> option.toLowerCase(Locale.ROOT))
                        .noneMatch(option -> option.startsWith("password=") && !option.equals("password="));
    }

    /** Explains what is often wrong with a password in a URL. */
    private static String encoding(DriverUrl url) {
        boolean percent = url.option("password")
                .filter(password -> password.contains("%"))
                .isPresent();
        boolean ampersand = url.options().stream().anyMatch(option -> !option.contains("="));
        if (url.isDecoded()) {
            return percent ? "; write a % in it as %25" : ampersand ? "; write an & in it as %26" : "";
        }
        if (!url.isMariaDbs()) {
            return "";
        }
        return ampersand
                ? "; MariaDB's driver ends a password at an & and does not decode %26: choose another password"
                : percent ? "; MariaDB's driver decodes nothing and reads a % literally" : "";
    }

    /** Returns the URL option whose name or value the driver rejects. */
    private Optional<String> wrongOption() {
        return url.stream()
                .flatMap(known -> known.options().stream())
                .filter(option -> option.indexOf('=') > 0)
                .map(option -> option.substring(0, option.indexOf('=')))
                .filter(name -> error.says(name.toLowerCase(Locale.ROOT))
                        && url.flatMap(u -> u.option(name))
                                .filter(value -> error.says(value.toLowerCase(Locale.ROOT)))
                                .isPresent())
                .findFirst();
    }

    private Optional<SequenceException> misconfigured(String what) {
        return Optional.of(new Misconfigured(what, e));
    }

    private Optional<SequenceException> misconfigured(Reason reason, String what) {
        return fault(reason).flatMap(fault -> misconfigured(what + " (" + why() + "); " + fault.words()));
    }

    private Optional<SequenceException> unavailable(String what) {
        return Optional.of(new Unavailable(what, e));
    }

    private Optional<ConnectionFault> fault(Reason reason) {
        return fault.filter(found -> found.reason() == reason);
    }

    /**
     * Returns the driver's message, with its causes' only if the URL is known: causes may quote a URL, and the
     * secrets of an unknown one cannot be told from other words.
     */
    private String why() {
        return url.isPresent() ? causes.words() : SqlFailures.oneLine(e);
    }
}
