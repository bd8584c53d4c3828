// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.mysql;

import dev.seriatim.jdbc.dialect.ConnectionFault;
import dev.seriatim.jdbc.dialect.ConnectionFault.Reason;
import dev.seriatim.jdbc.dialect.DriverError;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Classifies the errors of MariaDB's and MySQL's drivers when they cannot connect. */
final class MySqlConnectionFaults {

    private MySqlConnectionFaults() {}

    static Optional<ConnectionFault> of(DriverError e) {
        return Optional.ofNullable(
                switch (e.code()) {
                    case 1045 ->
                        new ConnectionFault(Reason.PASSWORD, ", and the hosts from which the account may connect");
                    case 1130 ->
                        new ConnectionFault(
                                Reason.ACCOUNT, "create the account for this host: CREATE USER 'NAME'@'HOST'");
                    case 3118, 4151 ->
                        new ConnectionFault(Reason.ACCOUNT, "unlock the account: ALTER USER … ACCOUNT UNLOCK");
                    case 1820, 1862 ->
                        new ConnectionFault(Reason.ACCOUNT, "set a new password: ALTER USER … IDENTIFIED BY …");
                    case 1049 -> new ConnectionFault(Reason.DATABASE);
                    case 1044 ->
                        new ConnectionFault(
                                Reason.PRIVILEGE,
                                "check the database's name, or grant the privilege (GRANT … ON DATABASE.* TO …)");
                    // The limits of the server and of a user
                    case 1040, 1203, 1226 -> new ConnectionFault(Reason.FULL);
                    case 3159 -> new ConnectionFault(Reason.UNENCRYPTED, "add sslMode=verify-full to the URL");
                    default -> drivers(e);
                });
    }

    /** The drivers' own errors have no codes that tell them apart. */
    private static @Nullable ConnectionFault drivers(DriverError e) {
        if (e.says("rsa public key")) { // MariaDB's driver with MySQL 8
            return new ConnectionFault(
                    Reason.ACCOUNT,
                    "add sslMode=verify-full to the URL or, on a trusted network, set allowPublicKeyRetrieval to true");
        }
        if (e.says("ssl") && (e.says("not enabled") || e.says("not provided"))) {
            return new ConnectionFault(Reason.NO_ENCRYPTION, "sslMode");
        }
        // The second is an initial statement of the URL: sessionVariables or initSql.
        return e.says("error parsing url") || e.message().contains("Initialization command fail")
                ? new ConnectionFault(Reason.URL)
                : null;
    }
}
