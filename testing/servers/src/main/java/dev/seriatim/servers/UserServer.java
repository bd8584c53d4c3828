// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.util.Arrays;
import java.util.List;

/** A user's server, or the nodes of a cluster, given as URLs separated by spaces. */
final class UserServer implements Engine.Source {
    private final String urls;

    UserServer(String urls) {
        this.urls = urls;
    }

    @Override
    public List<Database> create(String name) {
        List<Database> nodes = Arrays.stream(urls.strip().split("\\s+", -1))
                .map(JdbcLocation::parse)
                .map(UserServer::node)
                .toList();
        List<Database> created = Databases.create(name, nodes);
        // Our own servers are deleted with their databases.
        AtExit.first(() -> Databases.drop(name, nodes.get(0)));
        return created;
    }

    private static Database node(JdbcLocation location) {
        String user = location.options().getOrDefault("user", "");
        String password = location.options().getOrDefault("password", "");
        return new Database(location.without("user").without("password"), user, password);
    }
}
