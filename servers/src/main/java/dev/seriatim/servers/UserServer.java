// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A server of the user's own, or the nodes of a cluster, given as URLs with a space between them. */
final class UserServer implements DatabaseSource {
    private final List<Database> nodes = new ArrayList<>();

    UserServer(String urls) {
        for (String url : urls.strip().split("\\s+", -1)) {
            nodes.add(node(JdbcLocation.parse(url)));
        }
    }

    private static Database node(JdbcLocation location) {
        String user = location.options().getOrDefault("user", "");
        String password = location.options().getOrDefault("password", "");
        return new Database(location.without("user").without("password"), user, password);
    }

    @Override
    public Optional<String> missing() {
        return Optional.empty();
    }

    @Override
    public List<Database> create(String name) {
        return Databases.create(name, nodes);
    }
}
