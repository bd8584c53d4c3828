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
    private final Iterator<InetSocketAddress> addresses;
    private final Side client;
    private Side server;
    private Wire<?> wire;

    private boolean connected;
    private boolean isOver;

    /** The loss for which the current answer is dropped. */
    private @Nullable AnswerLoss answerLoss;

    private long completeBefore;

    /** Whether the client has missed bytes. */
    boolean lostBytes;

    /** The socket to the client or the target, and the bytes that it does not take yet. */
    private static final class Side {
        private final SocketChannel channel;
        private final SelectionKey key;
        private ByteBuffer unsent = NOTHING;
        private boolean ended;

        Side(SocketChannel channel, Selector selector, int operations, LinkedConnection connection) throws IOException {
            this.channel = channel;
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            key = channel.register(selector, operations, connection);
        }

        void send(ByteBuffer bytes) throws IOException {
            channel.write(bytes);
            unsent = bytes.hasRemaining()
                    ? ByteBuffer.allocate(bytes.remaining()).put(bytes).flip()
                    : NOTHING;
        }

        /** Selects the operations that can come next. */
        void update(boolean held, Side other) {
            int read = ended || other.unsent.hasRemaining() ? 0 : SelectionKey.OP_READ;
            int write = unsent.hasRemaining() ? SelectionKey.OP_WRITE : 0;
            int operations = held ? 0 : read | write;
            if (key.interestOps() != operations) {
                key.interestOps(operations);
            }
        }
    }

    LinkedConnection(
            TcpLink link, Selector selector, SocketChannel channel, List<InetSocketAddress> addresses, Wire<?> wire)
            throws IOException {
        this.link = link;
        this.selector = selector;
        this.addresses = addresses.iterator();
        this.wire = wire;
        client = new Side(channel, selector, 0, this);
        server = connect();
    }

    private Side connect() throws IOException {
        SocketChannel channel = SocketChannel.open();
        try {
            Side side = new Side(channel, selector, SelectionKey.OP_CONNECT, this);
            channel.connect(addresses.next());
            return side;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    void ready(SelectionKey key, ByteBuffer buffer) {
        try {
            Side side = key == client.key ? client : server;
            if (!connected) {
                finishConnect();
            } else {
                if (key.isWritable()) {
                    side.channel.write(side.unsent);
                }
                if (key.isReadable()) {
                    relay(side, side == client ? server : client, buffer.clear());
                }
            }
            if (client.ended && server.ended && !client.unsent.hasRemaining() && !server.unsent.hasRemaining()) {
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
            connected = server.channel.finishConnect();
        } catch (IOException e) {
            server.key.cancel();
            server.channel.close();
            if (!addresses.hasNext()) {
                link.refused++;
                throw e;
            }
            server = connect();
        }
    }

    private void relay(Side from, Side to, ByteBuffer buffer) throws IOException {
        if (from.channel.read(buffer) < 0) {
            from.ended = true;
            to.channel.shutdownOutput();
            return;
        }
        buffer.flip();
        if (from == client) {
            aim(buffer.duplicate());
            to.send(buffer);
        } else if (!drops(buffer.duplicate())) {
            to.send(buffer);
        }
    }

    private void aim(ByteBuffer request) {
        follow(request, true);
        AnswerLoss loss = link.loss;
        if (loss != null && answerLoss == null && loss.aimsAt(wire)) {
            answerLoss = loss;
            completeBefore = wire.complete(loss.ofCommits);
        }
    }

    /** Returns whether these bytes of an answer are lost. */
    private boolean drops(ByteBuffer answer) {
        long commits = wire.commits;
        long answers = wire.answers;
        follow(answer, false);
        lostBytes |= answerLoss != null || link.swallows;
        if (lostBytes) {
            link.countLost(wire.answers - answers, wire.commits - commits);
            if (answerLoss != null && !wire.awaits(answerLoss.ofCommits)) {
                link.cut++;
                end(true);
            }
        }
        return lostBytes;
    }

    private void follow(ByteBuffer bytes, boolean isRequest) {
        try {
            if (isRequest) {
                wire.asked(bytes);
            } else {
                wire.answered(bytes);
            }
        } catch (RuntimeException e) {
            wire.readable = false; // this part of the protocol is unknown here; the bytes still pass
        }
        if (!wire.readable) {
            wire = new Wire.Opaque();
        }
    }

    void update() {
        if (!isOver && connected) {
            client.update(link.holds, server);
            server.update(link.holds, client);
        }
    }

    /** Stops losing the current answer; lost bytes stay lost. */
    void spare() {
        if (answerLoss != null) {
            answerLoss.ended(lostBytes && wire.complete(answerLoss.ofCommits) > completeBefore);
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
        TcpLink.close(client.channel, reset);
        TcpLink.close(server.channel, reset);
        link.ended(this);
    }
}
