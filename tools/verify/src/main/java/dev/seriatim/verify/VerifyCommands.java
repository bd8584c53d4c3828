// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import dev.seriatim.cli.CommandProvider;
import java.util.List;

/** The command that tests a mode on a database. Stateless. */
public final class VerifyCommands implements CommandProvider {

    /** For the service loader. */
    public VerifyCommands() {}

    @Override
    public List<String> names() {
        return List.of("verify");
    }

    @Override
    public Object command(String name) {
        return new VerifyCommand();
    }
}
