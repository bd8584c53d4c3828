// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.Unavailable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A TCP proxy on 127.0.0.1 in this process, which injects faults of a network. Initially it passes on everything. One thread accepts
 * connections, and two threads pass on the bytes of each. Thread-safe.
 */
public final class TcpLink implements AutoCloseable {

    private static final int BACKLOG = 1024;
    private static final long LONGEST_CLOSE_MILLIS = TimeUnit.SECONDS.toMillis(10);
    private static final long PAUSE_WITHOUT_SOCKETS_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final ServerSocket listener;
    private final WireProtocol protocol;
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

    // Guarded by this, as is the state of the connections. No thread holds it while it reads or writes.
    final Set<LinkedConnection> connections = new LinkedHashSet<>();
    private List<InetSocketAddress> target;
    private boolean refuses;
    private boolean holds;
    private boolean closed;
    boolean swallows;

    @Nullable
    AnswerLoss loss;

    long cut;
    long refused;
    long answersLost;
    long commitAnswersLost;

    /**
     * The events on a link.
     *
     * @param refused connections that the link accepted while the target could not be reached, and reset
     * @param answersLost answers of the server that the client did not get
     * @param commitAnswersLost lost answers that reported a successful commit; 0 if the link cannot recognize commits
     */
    public record Tally(int open, long refused, long cut, long answersLost, long commitAnswersLost) {}

    private TcpLink(List<InetSocketAddress> target, WireProtocol protocol) throws IOException {
        this.target = target;
        this.protocol = protocol;
        listener = new ServerSocket(0, BACKLOG, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
    }

    /** Opens a link to a server, which need not run yet; {@link Misconfigured} if the host is unknown. */
    public static TcpLink to(String host, int port, WireProtocol protocol) {
        try {
            TcpLink link = new TcpLink(resolve(host, port), protocol);
            link.start(link::accept);
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

    public int port() {
        return listener.getLocalPort();
    }

    /** Leads new connections to another server, as a failover does; {@link #cut} ends the others. */
    public void leadTo(String host, int port) {
        List<InetSocketAddress> newTarget = resolve(host, port);
        synchronized (this) {
            target = newTarget;
        }
    }

    /** Resets all connections at both ends, and returns their number; new ones are accepted. */
    public synchronized int cut() {
        if (closed) {
            throw new IllegalStateException("the link is closed");
        }
        int ended = endAll(connection -> true);
        cut += ended;
        return ended;
    }

    /** Resets new connections at once, until {@link #restore}. The link keeps its port. */
    public synchronized void refuse() {
        refuses = true;
        notifyAll();
    }

    /** Delays all bytes and new connections, until {@link #restore}; nothing is lost. */
    public synchronized void hold() {
        holds = true;
    }

    /** Delivers requests and drops all answers, until {@link #restore}, which cuts the connections that missed bytes. */
    public synchronized void swallow() {
        swallows = true;
    }

    boolean recognizesCommits() {
        return protocol != WireProtocol.OTHER;
    }

    /**
     * Loses answers to commits of transactions that have written, also of single statements that commit by themselves: the server
     * commits and answers, but the answer is dropped and the client's connection is reset. Of a long answer, only the end is dropped.
     * Replaces an earlier loss.
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

    synchronized AnswerLoss lose(AnswerLoss newLoss) {
        loss = newLoss;
        return newLoss;
    }

    /** Passes on everything again, also what was held. Cuts the connections that missed an answer. */
    public synchronized void restore() {
        swallows = false;
        refuses = false;
        holds = false;
        loss = null;
        cut += endAll(connection -> connection.lostBytes); // the client cannot interpret what follows
        notifyAll();
    }

    public synchronized Tally tally() {
        return new Tally(connections.size(), refused, cut, answersLost, commitAnswersLost);
    }

    /** Cuts everything, and returns when all threads have ended and the sockets are closed. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            endAll(connection -> true);
            notifyAll();
        }
        try {
            listener.close();
            for (Thread thread : threads) {
                thread.join(LONGEST_CLOSE_MILLIS);
            }
        } catch (IOException e) {
            // it is closed
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    // ---- the threads

    void start(Runnable task) {
        Thread thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } finally {
                        threads.remove(Thread.currentThread());
                    }
                },
                "seriatim-link-" + port());
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                admit(listener.accept());
            } catch (IOException e) {
                // This process may have no sockets left. Without a pause, it would try again at once, forever.
                LockSupport.parkNanos(PAUSE_WITHOUT_SOCKETS_NANOS);
            }
        }
    }

    private synchronized void admit(Socket client) {
        awaitPassing(true);
        if (refuses || closed) {
            refused++;
            close(client, true);
        } else {
            LinkedConnection connection = new LinkedConnection(this, client, target, protocol.wire());
            connections.add(connection);
            start(connection::connectAndRelay);
        }
    }

    /** Waits while bytes are held, or new connections, which are refused even then. */
    synchronized void awaitPassing(boolean isNew) {
        while (holds && !closed && !(isNew && refuses)) {
            try {
                wait();
            } catch (InterruptedException e) {
                // no code interrupts these threads
            }
        }
    }

    static void close(Socket socket, boolean reset) {
        try (socket) {
            if (reset) {
                socket.setSoLinger(true, 0);
            }
        } catch (IOException e) {
            // it is closed already
        }
    }

    private int endAll(Predicate<LinkedConnection> which) {
        List<LinkedConnection> chosen = connections.stream().filter(which).toList();
        chosen.forEach(connection -> connection.end(true));
        return chosen.size();
    }
}
