// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab;

import dev.seriatim.cli.CommandProvider;
import dev.seriatim.lab.advise.AdviseCommand;
import dev.seriatim.lab.bench.BenchCommand;
import dev.seriatim.lab.doctor.DoctorCommand;
import java.util.List;

/** The commands of the laboratory. Stateless. */
public final class LaboratoryCommands implements CommandProvider {

    /** For the service loader. */
    public LaboratoryCommands() {}

    @Override
    public List<String> names() {
        return List.of("advise", "bench", "doctor");
    }

    @Override
    public Object command(String name) {
        return switch (name) {
            case "advise" -> new AdviseCommand();
            case "bench" -> new BenchCommand();
            case "doctor" -> new DoctorCommand();
            default -> throw new IllegalArgumentException("no command " + name);
        };
    }
}
