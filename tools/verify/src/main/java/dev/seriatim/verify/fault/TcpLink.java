// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.Unavailable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A TCP proxy on 127.0.0.1 in this process, which can do to connections what networks do. Initially it passes on everything.
 * One thread moves all bytes. Each method takes effect before it returns. Thread-safe.
 */
public final class TcpLink implements AutoCloseable {

    private static final long LONGEST_GOODBYE_MILLIS = TimeUnit.SECONDS.toMillis(10);

    private final LinkThread link;
    private final Thread thread;

    private TcpLink(LinkThread link) {
        this.link = link;
        thread = new Thread(link, "seriatim-link-" + link.port());
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Opens a link to a server, which need not run yet.
     *
     * @throws Misconfigured if the host is unknown
     * @throws Unavailable if no port can be had
     */
    public static TcpLink to(String host, int port, WireProtocol protocol) {
        List<InetSocketAddress> target = resolve(host, port);
        try {
            return new TcpLink(LinkThread.before(target, protocol));
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
        return link.port();
    }

    /** From now on, leads new connections elsewhere, as a failover does; {@link #cut} ends the others. */
    public void leadTo(String host, int port) {
        List<InetSocketAddress> target = resolve(host, port);
        tell(() -> link.leadTo(target));
    }

    /** Resets all connections, at both ends, and returns how many; new ones are accepted. */
    public int cut() {
        return link.call(link::cutAll);
    }

    /** Resets new connections at once, until {@link #restore}. It keeps its port, which would else be free for others. */
    public void refuse() {
        tell(() -> link.refuse(true));
    }

    /** Holds everything, new connections, too, until {@link #restore}; nothing is lost. */
    public void hold() {
        tell(() -> link.hold(true));
    }

    /** Delivers what clients send and drops what the server answers, on all connections, until {@link #restore}, which cuts those that missed something. */
    public void swallow() {
        tell(() -> link.swallow(true));
    }

    /**
     * From now on, loses answers to commits of transactions that have written, also of single statements that commit by themselves:
     * the server commits and answers, the client does not hear it, and its connection is reset. Replaces an earlier loss.
     *
     * @param count how many; answers that say that a commit has failed do not count
     * @param every 1 to lose each, 10 to lose one in 10
     */
    public AnswerLoss loseCommitAnswers(long count, int every) {
        return lose(new AnswerLoss(true, count, every));
    }

    /** From now on, loses answers to requests of any kind. Otherwise like {@link #loseCommitAnswers}. */
    public AnswerLoss loseAnswers(long count, int every) {
        return lose(new AnswerLoss(false, count, every));
    }

    private AnswerLoss lose(AnswerLoss loss) {
        tell(() -> link.lose(loss));
        return loss;
    }

    /**
     * Passes on everything again: accepts connections, goes on with what was held, cuts those connections that missed an answer, loses no
     * more answers.
     */
    public void restore() {
        tell(() -> {
            link.lose(null);
            link.swallow(false);
            link.refuse(false);
            link.hold(false);
        });
    }

    /** Returns what has happened so far. */
    public LinkTally tally() {
        return link.call(link::tally);
    }

    private void tell(Runnable task) {
        link.call(() -> {
            task.run();
            return true;
        });
    }

    /** Cuts everything, and returns when the link's thread has ended and its sockets are closed. */
    @Override
    public void close() {
        link.stop();
        boolean interrupted = Thread.interrupted();
        try {
            thread.join(LONGEST_GOODBYE_MILLIS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
