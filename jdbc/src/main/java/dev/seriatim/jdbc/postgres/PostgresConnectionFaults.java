// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.postgres;

import dev.seriatim.jdbc.dialect.ConnectionFault;
import dev.seriatim.jdbc.dialect.ConnectionFault.Reason;
import dev.seriatim.jdbc.dialect.DriverError;
import java.util.Optional;
import java.util.regex.Pattern;

/** Classifies the errors of PostgreSQL's driver when it cannot connect. */
final class PostgresConnectionFaults {

    /** Messages of a server begin with their severity. */
    private static final Pattern SERVERS_WORDS = Pattern.compile("\\p{Lu}+: ");

    private PostgresConnectionFaults() {}

    static Optional<ConnectionFault> of(DriverError e) {
        if (e.code() != 0) { // the driver has no codes
            return Optional.empty();
        }
        return Optional.ofNullable(
                switch (e.state()) {
                    // Before the server checks the password
                    case "28000" ->
                        new ConnectionFault(Reason.LOGIN, "check the user, and the lines of the server's pg_hba.conf");
                    case "42501" ->
                        new ConnectionFault(
                                Reason.PRIVILEGE,
                                "name another user, or grant the privilege (to connect: GRANT CONNECT ON DATABASE … TO …)");
                    case "55000" ->
                        new ConnectionFault(
                                Reason.CLOSED,
                                "name another database, or allow connections: ALTER DATABASE … ALLOW_CONNECTIONS true");
                    case "53300" -> new ConnectionFault(Reason.FULL);
                    case "57P01", "57P02", "57P03" -> new ConnectionFault(Reason.NOT_YET);
                    case "08P01" ->
                        SERVERS_WORDS.matcher(e.message()).lookingAt()
                                ? new ConnectionFault(Reason.OPTIONS)
                                : new ConnectionFault(Reason.OTHER_SERVER, "PostgreSQL");
                    case "08004" -> e.says("ssl") ? new ConnectionFault(Reason.NO_ENCRYPTION, "sslmode") : null;
                    // An unknown option, or an invalid option value. The server was reached.
                    case "42602", "42704", "22023" -> new ConnectionFault(Reason.OPTIONS);
                    default -> null;
                });
    }
}
