// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.h2;

import dev.seriatim.jdbc.dialect.ConnectionFault;
import dev.seriatim.jdbc.dialect.ConnectionFault.Reason;
import dev.seriatim.jdbc.dialect.DriverError;
import java.util.Optional;

/** Classifies the errors of H2's driver when it cannot connect. */
final class H2ConnectionFaults {

    private H2ConnectionFaults() {}

    static Optional<ConnectionFault> of(String database, String why, DriverError e) {
        return Optional.ofNullable(
                switch (e.state()) {
                    case "90146", "90149" -> new ConnectionFault(Reason.DATABASE);
                    case "90113" -> new ConnectionFault(Reason.OPTIONS);
                    // A file name that is relative without a base, or malformed
                    case "90011", "90046" -> new ConnectionFault(Reason.URL);
                    case "90020" ->
                        new ConnectionFault(
                                Reason.FILE,
                                database + " is open in another process (" + why
                                        + "); add ;AUTO_SERVER=TRUE to the URL in every process, or use H2's server");
                    // A file that cannot be created, opened, read or written
                    case "90024", "90025", "90028", "90029", "90031", "90034", "90062" ->
                        new ConnectionFault(
                                Reason.FILE,
                                database + " cannot open its file (" + why
                                        + "); name one in an existing folder to which this user can write");
                    case "90067" -> new ConnectionFault(Reason.NETWORK);
                    default -> null;
                });
    }
}
