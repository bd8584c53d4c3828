// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench;

import dev.seriatim.bench.advise.AdviseCommand;
import dev.seriatim.cli.CommandProvider;
import java.util.List;

/** The commands that measure, advise and simulate. Stateless. */
public final class BenchCommands implements CommandProvider {

    /** Creates the provider for the service loader. */
    public BenchCommands() {}

    @Override
    public List<String> names() {
        return List.of("advise", "bench");
    }

    @Override
    public Object command(String name) {
        return name.equals("advise") ? new AdviseCommand() : new BenchCommand();
    }
}
