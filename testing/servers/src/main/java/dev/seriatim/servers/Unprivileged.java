// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs programs that refuse to run as root: as the system's unprivileged user or, if that is not permitted, in a user namespace. */
final class Unprivileged {
    private static final int NOBODY = 65534;
    private static final List<String> AS_NOBODY =
            List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups");
    private static final List<String> IN_NAMESPACE = List.of("unshare", "--user");

    private Unprivileged() {}

    /** Returns the prefix of a command; empty if the user is not root. */
    static List<String> prefix() {
        if (!isRoot()) {
            return List.of();
        }
        return works(AS_NOBODY) ? AS_NOBODY : IN_NAMESPACE;
    }

    static boolean isPossible() {
        return !isRoot() || works(AS_NOBODY) || works(IN_NAMESPACE);
    }

    /** Creates a folder that belongs to the user that commands run as. */
    static Path createFolder(Path folder) throws IOException {
        Files.createDirectory(folder);
        if (prefix().equals(AS_NOBODY)) {
            Files.setAttribute(folder, "unix:uid", NOBODY);
            Files.setAttribute(folder, "unix:gid", NOBODY);
        }
        return folder;
    }

    static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    private static boolean works(List<String> prefix) {
        List<String> command = new ArrayList<>(prefix);
        command.add("true");
        return Commands.succeeds(command);
    }
}
