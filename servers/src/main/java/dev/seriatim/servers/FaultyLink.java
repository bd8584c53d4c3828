// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

/**
 * A way to a server through a proxy that can swallow its answers and cut its connections. It starts whole. Not
 * thread-safe.
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
     * A link to the server of a database.
     *
     * @throws org.opentest4j.TestAbortedException if Toxiproxy is not there, which skips the test
     * @throws AssertionError if it is not there although {@code SERIATIM_TEST_REQUIRE} names {@code toxiproxy}
     */
    public static FaultyLink to(Database target) {
        Availability.check(Toxiproxy.TITLE, Toxiproxy.missing());
        return new FaultyLink(target);
    }

    /** The database, seen through the link. */
    public Database database() {
        return target.at("127.0.0.1:" + port);
    }

    /** From now on what the client sends arrives, and what the server answers is lost; connections stay open. */
    public void cutAnswers() {
        PROXY.get().swallowAnswers(name);
    }

    /** Cuts all connections, and refuses new ones. */
    public void cut() {
        PROXY.get().enable(name, false);
    }

    /** Makes the link whole again, for new connections. */
    public void restore() {
        PROXY.get().deliverAnswers(name);
        PROXY.get().enable(name, true);
    }

    @Override
    public void close() {
        PROXY.get().delete(name);
    }
}
