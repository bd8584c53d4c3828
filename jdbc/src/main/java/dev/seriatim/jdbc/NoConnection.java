// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.jdbc.dialect.ClassifiedException;
import dev.seriatim.jdbc.dialect.ConnectionFault;
import dev.seriatim.jdbc.dialect.ConnectionFault.Reason;
import dev.seriatim.jdbc.dialect.Fault;
import dev.seriatim.jdbc.failure.Causes;
import dev.seriatim.jdbc.failure.DriverUrl;
import dev.seriatim.jdbc.failure.SqlFailures;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Explains why a connection to a database failed and what to do, for every engine.
 *
 * <p>Immutable and thread-safe.
 *
 * @param database the database, for display
 * @param url empty for a data source, whose URL is unknown
 * @param e the exception of a driver, or of a pool that keeps the driver's exception as its cause
 */
record NoConnection(String database, Optional<DriverUrl> url, SQLException e) {

    /** MySQL's and MariaDB's connection limits: of the server and of a user. */
    private static final Set<Integer> TOO_MANY = Set.of(1040, 1203, 1226);

    /** MySQL and MariaDB: the account may not connect from this host, is locked, or its password has expired. */
    private static final Set<Integer> HOST_REFUSED = Set.of(1130);

    private static final Set<Integer> LOCKED = Set.of(3118, 4151);
    private static final Set<Integer> EXPIRED = Set.of(1820, 1862);

    /**
     * PostgreSQL and H2: a rejected connection, an unknown option, or an invalid option value. The server was
     * reached.
     */
    private static final Set<String> REFUSED = Set.of("08004", "08P01", "42602", "42704", "22023", "90113");

    /** Messages of a PostgreSQL server begin with their severity. */
    private static final Pattern SERVERS_WORDS = Pattern.compile("\\p{Lu}+: ");

    /** PostgreSQL, while it starts, stops or recovers. */
    private static final Set<String> NOT_YET = Set.of("57P01", "57P02", "57P03");

    /** H2: the file name in the URL is relative without a base, or malformed. */
    private static final Set<String> NO_FILE_NAME = Set.of("90011", "90046");

    /** H2: a file cannot be created, opened, read or written. */
    private static final Set<String> NO_FILE = Set.of("90024", "90025", "90028", "90029", "90031", "90034", "90062");

    /** Explains a data source's exception. */
    static SequenceException to(String database, SQLException e) {
        return new NoConnection(database, Optional.empty(), e).told();
    }

    /** Explains an exception that a driver threw for this URL. */
    static SequenceException to(DriverUrl url, SQLException e) {
        return new NoConnection(url.database(), Optional.of(url), e).told();
    }

    private SequenceException told() {
        return Stream.<Supplier<Optional<SequenceException>>>of(
                        this::pool,
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
                        database + " cannot be opened (" + why() + "); correct the URL, or look into the server's log",
                        e));
    }

    private Optional<SequenceException> pool() {
        return e instanceof ClassifiedException told && told.fault() == Fault.NO_CONNECTION
                ? Optional.of(new Overloaded(SqlFailures.exhaustedPool(database, e), e))
                : Optional.empty();
    }

    private Optional<SequenceException> driver() {
        Optional<String> percent = url.flatMap(DriverUrl::strayPercent);
        if (percent.isPresent() && message().startsWith("URLDecoder: ")) {
            return misconfigured(percent.get());
        }
        if (!message().startsWith("No suitable driver")) {
            return Optional.empty();
        }
        return url.isPresent()
                ? Optional.of(NoDriver.takes(url.get(), e))
                : misconfigured(
                        "no JDBC driver on the class path takes the URL of this data source; check its spelling,"
                                + " or add the driver's jar");
    }

    private Optional<SequenceException> account() {
        String notIn = database + " does not let this user in (" + why() + ")";
        boolean rejected = state().equals("08004") && code() == 0 && !says("ssl");
        if ((refusesUser() || rejected) && namesNoPassword()) {
            return misconfigured(notIn + "; the URL has no password: add user=…&password=…");
        }
        Optional<ConnectionFault> account = fault(Reason.ACCOUNT);
        if (account.isPresent()) {
            return misconfigured(notIn + "; " + account.get().words());
        }
        if (says("rsa public key")) { // MariaDB's driver with MySQL 8
            return misconfigured(
                    notIn
                            + "; add sslMode=verify-full to the URL, or, on a network you trust, allowPublicKeyRetrieval with the value true");
        }
        if (HOST_REFUSED.contains(code())) {
            return misconfigured(notIn + "; create the account for this host: CREATE USER 'NAME'@'HOST'");
        }
        if (LOCKED.contains(code())) {
            return misconfigured(notIn + "; unlock the account: ALTER USER … ACCOUNT UNLOCK");
        }
        if (EXPIRED.contains(code())) {
            return misconfigured(notIn + "; set a new password: ALTER USER … IDENTIFIED BY …");
        }
        if (state().equals("28000") && code() == 0) { // PostgreSQL, before it checks the password
            return misconfigured(notIn + "; check the user, and the lines of the server's pg_hba.conf");
        }
        return refusesUser() ? misconfigured(notIn + "; check the user and the password" + hints()) : Optional.empty();
    }

    private Optional<SequenceException> place() {
        if (state().equals("3D000")
                || code() == 1049
                || state().equals("90149")
                || state().equals("90146")
                || fault(Reason.DATABASE).isPresent()) {
            return misconfigured(
                    "there is no such database: " + database + " (" + why() + "); create it, or name another");
        }
        String mayNot = "this user may not use " + database + " (" + why() + ")";
        if (state().equals("42501")) {
            return misconfigured(
                    mayNot + "; name another user, or grant the right (to connect: GRANT CONNECT ON DATABASE … TO …)");
        }
        if (code() == 1044) {
            return misconfigured(
                    mayNot + "; check the database's name, or grant the right (GRANT … ON DATABASE.* TO …)");
        }
        if (state().equals("55000")) {
            return misconfigured(database + " takes no connections (" + why()
                    + "); name another database, or let it: ALTER DATABASE … ALLOW_CONNECTIONS true");
        }
        return Optional.empty();
    }

    private Optional<SequenceException> capacity() {
        if (state().equals("53300") || TOO_MANY.contains(code())) {
            return unavailable(database + " has no connection to spare (" + why()
                    + "); close some, use smaller pools, or raise the server's limit");
        }
        if (NOT_YET.contains(state())) {
            return unavailable(database + " takes no connections at the moment (" + why()
                    + "); try again when the server has started");
        }
        return Optional.empty();
    }

    private Optional<SequenceException> encryption() {
        if (code() == 3159) {
            return misconfigured(
                    database + " wants an encrypted connection (" + why() + "); add sslMode=verify-full to the URL");
        }
        if (state().equals("08P01") && !SERVERS_WORDS.matcher(message()).lookingAt()) {
            return misconfigured(
                    "what answers at " + database + " is no PostgreSQL server (" + why() + "); check the port");
        }
        if (says("ssl") && (state().equals("08004") || says("not enabled") || says("not provided"))) {
            String option = url.map(DriverUrl::text)
                            .filter(text -> text.contains("sslmode="))
                            .isPresent()
                    ? "sslmode"
                    : "sslMode";
            return misconfigured(database + " offers no encrypted connection (" + why()
                    + "); switch SSL on in the server, or, on a network you trust, take " + option + " out of the URL");
        }
        if (causes().encryption()) {
            return misconfigured(database + ": no encrypted connection could be made (" + why()
                    + "); name the server as its certificate does, and the certificate in the URL (PostgreSQL:"
                    + " sslrootcert=FILE, MariaDB: serverSslCert=FILE)");
        }
        return Optional.empty();
    }

    private Optional<SequenceException> option() {
        String taken = database + ": the driver does not take this URL (" + why() + ")";
        Optional<String> wrong = causes().timedOut() ? Optional.empty() : wrongOption();
        if (wrong.isPresent()) {
            return misconfigured(taken + "; correct the option " + wrong.get());
        }
        if (REFUSED.contains(state())) {
            return misconfigured(database + " refuses this connection (" + why() + "); check the URL's options");
        }
        boolean initial = message().contains("Initialization command fail"); // MariaDB: sessionVariables, initSql
        return NO_FILE_NAME.contains(state()) || fault(Reason.URL).isPresent() || says("error parsing url") || initial
                ? misconfigured(taken + "; correct it")
                : Optional.empty();
    }

    private Optional<SequenceException> file() {
        Optional<ConnectionFault> forNow = fault(Reason.FILE_FOR_NOW);
        if (forNow.isPresent()) {
            return unavailable(forNow.get().words());
        }
        Optional<ConnectionFault> file = fault(Reason.FILE);
        if (file.isPresent()) {
            return misconfigured(file.get().words());
        }
        if (state().equals("90020")) {
            return misconfigured(database + " is open in another process (" + why()
                    + "); add ;AUTO_SERVER=TRUE to the URL in all of them, or use H2's server");
        }
        return NO_FILE.contains(state())
                ? misconfigured(database + " cannot open its file (" + why()
                        + "); name one in a folder that exists, and that this user may write to")
                : Optional.empty();
    }

    private Optional<SequenceException> network() {
        Optional<String> host = causes().unknownHost();
        if (host.isPresent()) {
            return unavailable(database + " cannot be reached: the host '" + host.get()
                    + "' is not known; check its spelling, and this machine's name service");
        }
        if (causes().timedOut()) {
            return unavailable(
                    database + " did not answer in time (" + why()
                            + "); check the host and the port, that such a server listens there, and that no firewall is in between");
        }
        boolean network = state().startsWith("08") || state().equals("90067") || causes().inputOrOutput();
        return network || drivers() instanceof ClassifiedException
                ? unavailable(database + " cannot be reached (" + why()
                        + "); check the host, the port, and that the server runs")
                : Optional.empty();
    }

    private boolean refusesUser() {
        return state().startsWith("28") || code() == 1045;
    }

    private boolean namesNoPassword() {
        return url.isPresent()
                && url.get().options().stream()
                        .map(option -> option.toLowerCase(Locale.ROOT))
                        .noneMatch(option -> option.startsWith("password=") && !option.equals("password="));
    }

    private String hints() {
        String hosts = code() == 1045 ? ", and the hosts that the account is for" : "";
        return hosts + url.map(NoConnection::encoding).orElse("");
    }

    /** Explains what is often wrong with a password in a URL. */
    private static String encoding(DriverUrl url) {
        boolean percent = url.option("password")
                .filter(password -> password.contains("%"))
                .isPresent();
        boolean ampersand = url.options().stream().anyMatch(option -> !option.contains("="));
        if (url.isDecoded()) {
            return percent ? "; a % in it is written %25" : ampersand ? "; an & in it is written %26" : "";
        }
        if (!url.isMariaDbs()) {
            return "";
        }
        return ampersand
                ? "; MariaDB's driver ends a password at an &, and decodes no %26: choose another password"
                : percent ? "; MariaDB's driver takes a % as it stands, and decodes nothing" : "";
    }

    /** Returns the URL option whose name or value the driver rejects. */
    private Optional<String> wrongOption() {
        return url.stream()
                .flatMap(known -> known.options().stream())
                .filter(option -> option.indexOf('=') > 0)
                .map(option -> option.substring(0, option.indexOf('=')))
                .filter(name -> says(name.toLowerCase(Locale.ROOT))
                        && url.flatMap(u -> u.option(name))
                                .filter(value -> says(value.toLowerCase(Locale.ROOT)))
                                .isPresent())
                .findFirst();
    }

    private Optional<SequenceException> misconfigured(String what) {
        return Optional.of(new Misconfigured(what, e));
    }

    private Optional<SequenceException> unavailable(String what) {
        return Optional.of(new Unavailable(what, e));
    }

    private Optional<ConnectionFault> fault(Reason reason) {
        return Dialects.connectionFault(database, why(), drivers()).filter(fault -> fault.reason() == reason);
    }

    private Causes causes() {
        return Causes.of(drivers());
    }

    private SQLException drivers() {
        return e instanceof SQLTransientConnectionException && e.getCause() instanceof SQLException cause ? cause : e;
    }

    /**
     * Returns the driver's message, with its causes' only if the URL is known: causes may quote a URL, and the
     * secrets of an unknown one cannot be told from other words.
     */
    private String why() {
        return url.isPresent() ? causes().words() : SqlFailures.oneLine(e);
    }

    private boolean says(String words) {
        return message().toLowerCase(Locale.ROOT).contains(words);
    }

    private String message() {
        return String.valueOf(drivers().getMessage());
    }

    private String state() {
        return Optional.ofNullable(drivers().getSQLState()).orElse("");
    }

    private int code() {
        return drivers().getErrorCode();
    }
}
