// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

/**
 * A connection to a server through a proxy that can drop the server's answers and cut connections. Initially it does
 * neither. Not thread-safe.
 */
public final class FaultyLink implements AutoCloseable {
    private static final Once<Toxiproxy> PROXY = new Once<>(Toxiproxy::start);

    private final Database target;
    private final int port = Ports.free();
    private final String name = "link-" + port;

    private FaultyLink(Database target) {
        this.target = target;
        PROXY.get().create(name, port, target.location().hostAndPort());
    }

    /**
     * Returns a link to the server of a database.
     *
     * @throws org.opentest4j.TestAbortedException if Toxiproxy is not available, which skips the test
     * @throws AssertionError if it is not available although {@code SERIATIM_TEST_REQUIRE} names {@code toxiproxy}
     */
    public static FaultyLink to(Database target) {
        Availability.check(Toxiproxy.TITLE, Toxiproxy.missing());
        return new FaultyLink(target);
    }

    /** Returns the database as seen through the link. */
    public Database database() {
        return target.at("127.0.0.1:" + port);
    }

    /** From now on, delivers what the client sends and drops the server's answers; connections stay open. */
    public void cutAnswers() {
        PROXY.get().swallowAnswers(name);
    }

    /** Cuts all connections and rejects new ones. */
    public void cut() {
        PROXY.get().enable(name, false);
    }

    /** Restores the link, for new connections. */
    public void restore() {
        PROXY.get().deliverAnswers(name);
        PROXY.get().enable(name, true);
    }

    @Override
    public void close() {
        PROXY.get().delete(name);
    }
}
