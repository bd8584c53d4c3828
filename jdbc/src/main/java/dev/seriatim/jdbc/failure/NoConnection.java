// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.failure;

import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.jdbc.dialect.ClassifiedException;
import dev.seriatim.jdbc.dialect.Fault;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;

/** Why a database could not be connected to, and what to do, whatever the engine. */
public final class NoConnection {

    /** MySQL's and MariaDB's limits: of the server, and of a user. */
    private static final Set<Integer> TOO_MANY = Set.of(1040, 1203, 1226);

    /** A rejected connection, and an option that is not known, or has a wrong value: PostgreSQL's and H2's. They have been reached. */
    private static final Set<String> REFUSED = Set.of("08004", "42602", "42704", "22023", "90113");

    private NoConnection() {}

    public static SequenceException to(String database, SQLException e) {
        if (e instanceof ClassifiedException told && told.fault() == Fault.NO_CONNECTION) {
            return new Overloaded(SqlFailures.exhaustedPool(database, e), e);
        }
        String state = Optional.ofNullable(e.getSQLState()).orElse("");
        String why = SqlFailures.oneLine(e);
        if (why.startsWith("No suitable driver")) {
            return new Misconfigured(
                    "no JDBC driver on the class path takes " + database
                            + "; check the URL's spelling (a % in a value is written %25), or add the driver's jar (for the command:"
                            + " SERIATIM_CLASSPATH=FILE.jar)",
                    e);
        }
        if (state.startsWith("28") || e.getErrorCode() == 1045) {
            return new Misconfigured(
                    database + " does not let this user in (" + why
                            + "); check the user, the password and the server's rules",
                    e);
        }
        if (state.equals("3D000")
                || e.getErrorCode() == 1049
                || state.equals("90149")
                || state.equals("90146")
                || SpannerWords.unknownDatabase(e)) {
            return new Misconfigured(
                    "there is no such database: " + database + " (" + why + "); create it, or name another", e);
        }
        if (SpannerWords.unknownUser(e)) {
            return new Misconfigured(
                    database + " does not let this user in (" + why
                            + "); run 'gcloud auth application-default login', or name a key file in the URL (credentials=FILE)",
                    e);
        }
        if (SpannerWords.wrongUrl(e)) {
            return new Misconfigured(database + ": the driver does not take this URL (" + why + "); correct it", e);
        }
        if (state.equals("90020")) {
            return new Misconfigured(
                    database + " is open in another process (" + why
                            + "); add ;AUTO_SERVER=TRUE to the URL in all of them, or use H2's server",
                    e);
        }
        if (state.equals("53300") || TOO_MANY.contains(e.getErrorCode())) {
            return new Unavailable(
                    database + " has no connection to spare (" + why
                            + "); close some, use smaller pools, or raise the server's limit",
                    e);
        }
        if (REFUSED.contains(state)) {
            return new Misconfigured(
                    database + " refuses this connection (" + why + "); check the URL's user, password and options", e);
        }
        return new Unavailable(
                database + " cannot be reached (" + why + "); check the host, the port, and that the server runs", e);
    }
}
