// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The one thread of a link, which moves all bytes and does whatever is done to the link. */
final class LinkThread implements Runnable {

    private static final int BUFFER = 64 * 1024;
    private static final int BACKLOG = 1024;
    private static final long PAUSE_WITHOUT_SOCKETS_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Selector selector;
    private final InetSocketAddress address;
    private final WireProtocol protocol;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Set<LinkedConnection> connections = new LinkedHashSet<>();

    private volatile boolean closed;

    private final ServerSocketChannel listener;
    private List<InetSocketAddress> target;
    private boolean refuses;
    private boolean holds;
    private boolean swallows;
    private @Nullable AnswerLoss loss;

    private long opened;
    private long refused;
    private long cut;
    private long answersLost;
    private long commitAnswersLost;

    private LinkThread(
            Selector selector, ServerSocketChannel listener, List<InetSocketAddress> target, WireProtocol protocol)
            throws IOException {
        this.selector = selector;
        this.listener = listener;
        this.address = (InetSocketAddress) listener.getLocalAddress();
        this.target = target;
        this.protocol = protocol;
        listener.configureBlocking(false);
        listener.register(selector, SelectionKey.OP_ACCEPT);
    }

    /** Listens on a free port; the caller runs it. */
    static LinkThread before(List<InetSocketAddress> target, WireProtocol protocol) throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open();
        try {
            listener.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 0), BACKLOG);
            Selector selector = Selector.open();
            try {
                return new LinkThread(selector, listener, target, protocol);
            } catch (IOException | RuntimeException e) {
                selector.close();
                throw e;
            }
        } catch (IOException | RuntimeException e) {
            listener.close();
            throw e;
        }
    }

    int port() {
        return address.getPort();
    }

    /** Runs a task on this thread and returns its result. */
    <T> T call(Supplier<T> task) {
        CompletableFuture<T> result = new CompletableFuture<>();
        tasks.add(() -> {
            try {
                result.complete(task.get());
            } catch (RuntimeException e) {
                result.completeExceptionally(e);
            }
        });
        selector.wakeup();
        if (closed) {
            // Nobody may run it any more; whoever comes first completes it.
            result.completeExceptionally(new IllegalStateException("the link is closed"));
        }
        try {
            return result.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }

    void stop() {
        closed = true;
        selector.wakeup();
    }

    @Override
    public void run() {
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
        if (!key.isValid()) {
            return;
        }
        if (key.attachment() instanceof LinkedConnection connection) {
            connection.ready(key, buffer);
        } else {
            accept();
        }
    }

    private void accept() {
        SocketChannel client = null;
        try {
            client = listener.accept();
            if (refuses) {
                reset(client);
            } else if (client != null) {
                LinkedConnection connection = new LinkedConnection(this, selector, client, target, protocol.wire());
                connections.add(connection);
                opened++;
                connection.update();
            }
        } catch (IOException | RuntimeException e) {
            reset(client);
            // Such as when this process has no sockets left: without a pause, it would try again at once, forever.
            LockSupport.parkNanos(PAUSE_WITHOUT_SOCKETS_NANOS);
        }
    }

    private void reset(@Nullable SocketChannel client) {
        if (client == null) {
            return;
        }
        refused++;
        try (client) {
            client.setOption(StandardSocketOptions.SO_LINGER, 0);
        } catch (IOException e) {
            // It is closed already.
        }
    }

    private void closeAll() {
        endAll(connection -> true);
        try (selector) {
            listener.close();
        } catch (IOException e) {
            // They are closed, which is what counts.
        }
    }

    private int endAll(Predicate<LinkedConnection> which) {
        List<LinkedConnection> chosen = connections.stream().filter(which).toList();
        chosen.forEach(connection -> connection.end(true));
        return chosen.size();
    }

    // What the connections ask and tell.

    boolean holds() {
        return holds;
    }

    boolean swallows() {
        return swallows;
    }

    @Nullable
    AnswerLoss loss() {
        return loss;
    }

    void ended(LinkedConnection connection) {
        connections.remove(connection);
    }

    void countRefused() {
        refused++;
    }

    void countCut() {
        cut++;
    }

    void countLost(long answers, long commits) {
        answersLost += answers;
        commitAnswersLost += commits;
    }

    // What is done to the link; on this thread.

    LinkTally tally() {
        return new LinkTally(opened, connections.size(), refused, cut, answersLost, commitAnswersLost);
    }

    void leadTo(List<InetSocketAddress> newTarget) {
        target = newTarget;
    }

    int cutAll() {
        int ended = endAll(connection -> true);
        cut += ended;
        return ended;
    }

    void refuse(boolean whether) {
        refuses = whether;
        updateListener();
    }

    void hold(boolean whether) {
        holds = whether;
        updateListener();
        connections.forEach(LinkedConnection::update);
    }

    /** What is not accepted waits in the system's queue, as behind a server that hangs. */
    private void updateListener() {
        SelectionKey key = listener.keyFor(selector);
        if (key != null) {
            key.interestOps(holds && !refuses ? 0 : SelectionKey.OP_ACCEPT);
        }
    }

    void swallow(boolean whether) {
        swallows = whether;
        cutBroken();
    }

    void lose(@Nullable AnswerLoss newLoss) {
        connections.forEach(LinkedConnection::spare);
        loss = newLoss;
        cutBroken();
    }

    /** Cuts the connections that missed a part of an answer, which nothing can go on with. */
    private void cutBroken() {
        if (!swallows) {
            cut += endAll(LinkedConnection::hasLostBytes);
        }
    }
}
