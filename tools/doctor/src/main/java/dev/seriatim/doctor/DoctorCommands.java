// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor;

import dev.seriatim.cli.CommandProvider;
import java.util.List;

/** The command that inspects a database. Stateless. */
public final class DoctorCommands implements CommandProvider {

    /** For the service loader. */
    public DoctorCommands() {}

    @Override
    public List<String> names() {
        return List.of("doctor");
    }

    @Override
    public Object command(String name) {
        return new DoctorCommand();
    }
}
