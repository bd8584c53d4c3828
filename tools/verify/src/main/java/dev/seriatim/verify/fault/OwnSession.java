// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs processes in a session of their own, which a terminal's Ctrl-C does not reach, where the system has that. Stateless. */
public final class OwnSession {

    private static final List<String> PROGRAMS = List.of("/usr/bin/setsid", "/bin/setsid");

    private OwnSession() {}

    /** Returns the command that runs another one so; its process has the same number. */
    public static List<String> of(List<String> command) {
        List<String> apart = new ArrayList<>();
        for (String program : PROGRAMS) {
            if (apart.isEmpty() && Files.isExecutable(Path.of(program))) {
                apart.add(program);
            }
        }
        apart.addAll(command);
        return apart;
    }

    /** Kills what is left in the session of a process that has ended, such as a child that nobody saw; nothing without sessions. */
    static void kill(Process leader) {
        if (of(List.of()).isEmpty()) {
            return;
        }
        try {
            new ProcessBuilder("/bin/sh", "-c", "kill -s KILL -- \"-$1\"", "sh", Long.toString(leader.pid()))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .onExit()
                    .join();
        } catch (IOException e) {
            // there is no shell, so nothing was started by one
        }
    }
}
