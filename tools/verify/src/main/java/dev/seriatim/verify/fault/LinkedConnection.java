// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A client's connection to the link, and the link's connection to the target. Used by the link's thread. */
final class LinkedConnection {

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final TcpLink link;
    private final Selector selector;
    private final SocketChannel client;
    private final SelectionKey clientKey;
    private final Iterator<InetSocketAddress> addresses;

    private SocketChannel server;
    private SelectionKey serverKey;
    private Wire<?> wire;

    private ByteBuffer toServer = NOTHING;
    private ByteBuffer toClient = NOTHING;
    private boolean connected;
    private boolean clientEnded;
    private boolean serverEnded;
    private boolean isOver;

    /** The loss for which the current answer is dropped. */
    private @Nullable AnswerLoss answerLoss;

    private long commitsBefore;
    private long answersBefore;
    private boolean lostBytes;

    LinkedConnection(
            TcpLink link, Selector selector, SocketChannel client, List<InetSocketAddress> addresses, Wire<?> wire)
            throws IOException {
        this.link = link;
        this.selector = selector;
        this.client = client;
        this.addresses = addresses.iterator();
        this.wire = wire;
        client.configureBlocking(false);
        client.setOption(StandardSocketOptions.TCP_NODELAY, true);
        clientKey = client.register(selector, 0, this);
        server = connect();
        serverKey = server.register(selector, SelectionKey.OP_CONNECT, this);
    }

    private SocketChannel connect() throws IOException {
        SocketChannel channel = SocketChannel.open();
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.connect(addresses.next());
            return channel;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    void ready(SelectionKey key, ByteBuffer buffer) {
        try {
            if (!connected) {
                finishConnect();
            } else if (key == clientKey) {
                if (key.isWritable()) {
                    client.write(toClient);
                }
                if (key.isReadable()) {
                    relayRequest(buffer);
                }
            } else {
                if (key.isWritable()) {
                    server.write(toServer);
                }
                if (key.isReadable()) {
                    relayAnswer(buffer);
                }
            }
            if (clientEnded && serverEnded && !toClient.hasRemaining() && !toServer.hasRemaining()) {
                end(false);
            }
        } catch (IOException e) {
            // One end is gone. The other end must not see an orderly end.
            end(true);
        }
        update();
    }

    private void finishConnect() throws IOException {
        try {
            connected = server.finishConnect();
        } catch (IOException e) {
            serverKey.cancel();
            server.close();
            if (!addresses.hasNext()) {
                link.refused++;
                throw e;
            }
            server = connect();
            serverKey = server.register(selector, SelectionKey.OP_CONNECT, this);
        }
    }

    private void relayRequest(ByteBuffer buffer) throws IOException {
        buffer.clear();
        if (client.read(buffer) < 0) {
            clientEnded = true;
            server.shutdownOutput();
            return;
        }
        buffer.flip();
        follow(buffer.duplicate(), true);
        AnswerLoss loss = link.loss;
        if (loss != null && answerLoss == null && loss.aimsAt(wire)) {
            answerLoss = loss;
            commitsBefore = wire.commits();
            answersBefore = wire.answers();
        }
        toServer = deliver(buffer, server);
    }

    private void relayAnswer(ByteBuffer buffer) throws IOException {
        buffer.clear();
        if (server.read(buffer) < 0) {
            serverEnded = true;
            client.shutdownOutput();
            return;
        }
        buffer.flip();
        long commits = wire.commits();
        long answers = wire.answers();
        follow(buffer.duplicate(), false);
        if (answerLoss == null && !link.swallows && !lostBytes) {
            toClient = deliver(buffer, client);
            return;
        }
        lostBytes = true;
        link.countLost(wire.answers() - answers, wire.commits() - commits);
        if (answerLoss != null && !isAwaited(answerLoss)) {
            link.cut++;
            end(true);
        }
    }

    /** Returns whether the answer to lose is not complete yet. */
    private boolean isAwaited(AnswerLoss loss) {
        return loss.isOfCommits() ? wire.awaitsCommit() : wire.awaitsAnswer();
    }

    private void follow(ByteBuffer bytes, boolean isRequest) {
        try {
            if (isRequest) {
                wire.asked(bytes);
            } else {
                wire.answered(bytes);
            }
        } catch (RuntimeException e) {
            // This part of the protocol is unknown here. The bytes still pass.
            wire = WireProtocol.OTHER.wire();
        }
        if (!wire.isReadable()) {
            wire = WireProtocol.OTHER.wire();
        }
    }

    /** Writes what can be written now, and returns a copy of the rest. */
    private static ByteBuffer deliver(ByteBuffer bytes, SocketChannel to) throws IOException {
        to.write(bytes);
        return bytes.hasRemaining()
                ? ByteBuffer.allocate(bytes.remaining()).put(bytes).flip()
                : NOTHING;
    }

    /** Selects the operations that can come next. */
    void update() {
        if (isOver) {
            return;
        }
        if (!connected) {
            interest(serverKey, SelectionKey.OP_CONNECT);
            return;
        }
        boolean held = link.holds;
        boolean hasRequest = toServer.hasRemaining();
        boolean hasAnswer = toClient.hasRemaining();
        interest(clientKey, held ? 0 : read(!clientEnded && !hasRequest) | (hasAnswer ? SelectionKey.OP_WRITE : 0));
        interest(serverKey, held ? 0 : read(!serverEnded && !hasAnswer) | (hasRequest ? SelectionKey.OP_WRITE : 0));
    }

    private static int read(boolean reads) {
        return reads ? SelectionKey.OP_READ : 0;
    }

    private static void interest(SelectionKey key, int operations) {
        if (key.interestOps() != operations) {
            key.interestOps(operations);
        }
    }

    /** Returns whether the client has missed bytes. */
    boolean hasLostBytes() {
        return lostBytes;
    }

    /** Stops losing the current answer; lost bytes stay lost. */
    void spare() {
        if (answerLoss != null) {
            answerLoss.ended(isLost());
            answerLoss = null;
        }
    }

    /**
     * Ends both connections.
     *
     * @param reset whether both ends see a reset, which also drops bytes in transit
     */
    void end(boolean reset) {
        if (isOver) {
            return;
        }
        isOver = true;
        spare();
        close(client, reset);
        close(server, reset);
        link.ended(this);
    }

    private boolean isLost() {
        AnswerLoss loss = answerLoss;
        return loss != null
                && lostBytes
                && (loss.isOfCommits() ? wire.commits() > commitsBefore : wire.answers() > answersBefore);
    }

    private static void close(SocketChannel channel, boolean reset) {
        try (channel) {
            if (reset) {
                channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            }
        } catch (IOException e) {
            // it is closed already
        }
    }
}
