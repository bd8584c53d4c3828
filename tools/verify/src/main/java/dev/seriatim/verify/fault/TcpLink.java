// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.Unavailable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A TCP proxy on 127.0.0.1 in this process, which injects faults of a network. Initially it passes on everything. One thread moves
 * all bytes and runs all commands, so each method takes effect before it returns. Thread-safe.
 */
public final class TcpLink implements AutoCloseable {

    private static final int BUFFER = 64 * 1024;
    private static final int BACKLOG = 1024;
    private static final long LONGEST_CLOSE_MILLIS = TimeUnit.SECONDS.toMillis(10);
    private static final long PAUSE_WITHOUT_SOCKETS_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Selector selector;
    private final ServerSocketChannel listener;
    private final int port;
    private final WireProtocol protocol;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    private volatile boolean closed;

    // Used by the thread.
    private final Set<LinkedConnection> connections = new LinkedHashSet<>();
    private List<InetSocketAddress> target;
    private boolean refuses;
    boolean holds;
    boolean swallows;

    @Nullable
    AnswerLoss loss;

    long cut;
    long refused;
    private long answersLost;
    private long commitAnswersLost;

    /**
     * The events on a link.
     *
     * @param open connections that are open now
     * @param refused connections that the link accepted while the target could not be reached, and reset
     * @param cut connections that the link reset on purpose
     * @param answersLost answers of the server that the client did not get
     * @param commitAnswersLost lost answers that reported a successful commit; 0 if the link cannot recognize commits
     */
    public record Tally(int open, long refused, long cut, long answersLost, long commitAnswersLost) {}

    private TcpLink(List<InetSocketAddress> target, WireProtocol protocol) throws IOException {
        this.target = target;
        this.protocol = protocol;
        selector = Selector.open();
        listener = ServerSocketChannel.open();
        listener.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 0), BACKLOG);
        listener.configureBlocking(false);
        listener.register(selector, SelectionKey.OP_ACCEPT);
        port = ((InetSocketAddress) listener.getLocalAddress()).getPort();
        thread = new Thread(this::run, "seriatim-link-" + port);
        thread.setDaemon(true);
    }

    /**
     * Opens a link to a server, which need not run yet.
     *
     * @throws Misconfigured if the host is unknown
     * @throws Unavailable if no port is free
     */
    public static TcpLink to(String host, int port, WireProtocol protocol) {
        try {
            TcpLink link = new TcpLink(resolve(host, port), protocol);
            link.thread.start();
            return link;
        } catch (IOException e) {
            throw new Unavailable(
                    "cannot listen on a port of 127.0.0.1 (" + e.getMessage()
                            + "); end what uses them, or leave links out of the faults",
                    e);
        }
    }

    private static List<InetSocketAddress> resolve(String host, int port) {
        try {
            return Arrays.stream(InetAddress.getAllByName(host))
                    .map(address -> new InetSocketAddress(address, port))
                    .toList();
        } catch (UnknownHostException e) {
            throw new Misconfigured("the server's host '" + host + "' is unknown here; correct it in the store URL");
        }
    }

    /** Returns the port that it listens on, on 127.0.0.1. */
    public int port() {
        return port;
    }

    /** Leads new connections to another server, as a failover does; {@link #cut} ends the others. */
    public void leadTo(String host, int port) {
        List<InetSocketAddress> newTarget = resolve(host, port);
        run(() -> target = newTarget);
    }

    /** Resets all connections at both ends, and returns their number; new ones are accepted. */
    public int cut() {
        return call(() -> {
            int ended = endAll(connection -> true);
            cut += ended;
            return ended;
        });
    }

    /** Resets new connections at once, until {@link #restore}. The link keeps its port. */
    public void refuse() {
        run(() -> refuses = true);
    }

    /** Delays all bytes and new connections, until {@link #restore}; nothing is lost. */
    public void hold() {
        run(() -> holds = true);
    }

    /** Delivers requests and drops all answers, until {@link #restore}, which cuts the connections that missed bytes. */
    public void swallow() {
        run(() -> swallows = true);
    }

    boolean recognizesCommits() {
        return protocol != WireProtocol.OTHER;
    }

    /**
     * Loses answers to commits of transactions that have written, also of single statements that commit by themselves: the server
     * commits and answers, but the answer is dropped and the client's connection is reset. Replaces an earlier loss.
     *
     * @param count the number of answers to lose; answers that report a failed commit do not count
     * @param every 1 to lose each, 10 to lose one in 10
     */
    public AnswerLoss loseCommitAnswers(long count, int every) {
        return lose(new AnswerLoss(true, count, every));
    }

    /** Loses answers to requests of any kind. Otherwise like {@link #loseCommitAnswers}. */
    public AnswerLoss loseAnswers(long count, int every) {
        return lose(new AnswerLoss(false, count, every));
    }

    AnswerLoss lose(AnswerLoss newLoss) {
        run(() -> replaceLoss(newLoss));
        return newLoss;
    }

    /** Passes on everything again, also what was held. Cuts the connections that missed an answer. */
    public void restore() {
        run(() -> {
            swallows = false;
            refuses = false;
            holds = false;
            replaceLoss(null);
        });
    }

    /** Returns the events so far. */
    public Tally tally() {
        return call(() -> new Tally(connections.size(), refused, cut, answersLost, commitAnswersLost));
    }

    /** Cuts everything, and returns when the thread has ended and the sockets are closed. */
    @Override
    public void close() {
        closed = true;
        selector.wakeup();
        boolean interrupted = Thread.interrupted();
        try {
            thread.join(LONGEST_CLOSE_MILLIS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run(Runnable task) {
        call(() -> {
            task.run();
            updateListener();
            return true;
        });
    }

    private <T> T call(Supplier<T> task) {
        return CompletableFuture.supplyAsync(task, this::execute).join();
    }

    private void execute(Runnable task) {
        tasks.add(task);
        selector.wakeup();
        if (closed && tasks.remove(task)) { // otherwise the thread runs it before it ends
            throw new IllegalStateException("the link is closed");
        }
    }

    // ---- the thread

    private void run() {
        try {
            while (!closed) {
                selector.select(this::ready);
                runTasks();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the link cannot wait for connections any more", e);
        } finally {
            closed = true;
            closeAll();
            runTasks();
        }
    }

    private void runTasks() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    private void ready(SelectionKey key) {
        if (key.isValid() && key.attachment() instanceof LinkedConnection connection) {
            connection.ready(key, buffer);
        } else if (key.isValid()) {
            accept();
        }
    }

    private void accept() {
        SocketChannel client = null;
        try {
            client = listener.accept();
            if (refuses) {
                refuse(client);
            } else if (client != null) {
                LinkedConnection connection = new LinkedConnection(this, selector, client, target, protocol.wire());
                connections.add(connection);
                connection.update();
            }
        } catch (IOException | RuntimeException e) {
            refuse(client);
            // This process may have no sockets left. Without a pause, it would try again at once, forever.
            LockSupport.parkNanos(PAUSE_WITHOUT_SOCKETS_NANOS);
        }
    }

    private void refuse(@Nullable SocketChannel client) {
        if (client != null) {
            refused++;
            close(client, true);
        }
    }

    static void close(SocketChannel channel, boolean reset) {
        try (channel) {
            if (reset) {
                channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            }
        } catch (IOException e) {
            // it is closed already
        }
    }

    private void closeAll() {
        endAll(connection -> true);
        try (selector) {
            listener.close();
        } catch (IOException e) {
            // they are closed
        }
    }

    private int endAll(Predicate<LinkedConnection> which) {
        List<LinkedConnection> chosen = connections.stream().filter(which).toList();
        chosen.forEach(connection -> connection.end(true));
        return chosen.size();
    }

    void ended(LinkedConnection connection) {
        connections.remove(connection);
    }

    void countLost(long answers, long commits) {
        answersLost += answers;
        commitAnswersLost += commits;
    }

    /** Connections that are not accepted wait in the system's queue, as before a server that hangs. */
    private void updateListener() {
        SelectionKey key = listener.keyFor(selector);
        if (key != null) {
            key.interestOps(holds && !refuses ? 0 : SelectionKey.OP_ACCEPT);
        }
        connections.forEach(LinkedConnection::update);
    }

    private void replaceLoss(@Nullable AnswerLoss newLoss) {
        connections.forEach(LinkedConnection::spare);
        loss = newLoss;
        if (!swallows) {
            cut += endAll(connection -> connection.lostBytes); // the client cannot interpret what follows
        }
    }
}
