// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;

/** A client's connection to the link, and the link's connection to the target. Its state is guarded by the link. */
final class LinkedConnection {

    private static final int BUFFER = 16 * 1024;

    private final TcpLink link;
    private final Socket client;
    private final List<InetSocketAddress> addresses;
    private Socket server = new Socket();
    private Wire wire;
    private int endedDirections;
    private boolean isOver;

    /** Whether the client has missed bytes. */
    boolean lostBytes;

    LinkedConnection(TcpLink link, Socket client, List<InetSocketAddress> addresses, Wire wire) {
        this.link = link;
        this.client = client;
        this.addresses = addresses;
        this.wire = wire;
    }

    /** Connects to the target, and passes on the bytes of the client; another thread passes on those of the target. */
    void connectAndRelay() {
        try {
            Socket connected = connected();
            link.start(() -> relay(connected, client));
            relay(client, connected);
        } catch (IOException e) {
            end(true);
        }
    }

    private Socket connected() throws IOException {
        IOException failure = new IOException("no address");
        for (InetSocketAddress address : addresses) {
            Socket socket = new Socket();
            synchronized (link) {
                server = socket;
                if (isOver) {
                    break;
                }
            }
            try {
                socket.connect(address);
                socket.setTcpNoDelay(true);
                client.setTcpNoDelay(true);
                return socket;
            } catch (IOException e) {
                failure = e;
            }
        }
        synchronized (link) {
            link.refused += isOver ? 0 : 1;
        }
        throw failure;
    }

    private void relay(Socket from, Socket to) {
        try {
            InputStream in = from.getInputStream();
            byte[] bytes = new byte[BUFFER];
            for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
                ByteBuffer buffer = ByteBuffer.wrap(bytes, 0, count);
                if (from == client ? delivers(buffer) : answers(buffer)) {
                    to.getOutputStream().write(bytes, 0, count);
                }
            }
            synchronized (link) {
                endedDirections++;
                if (lostBytes || endedDirections == 2) {
                    end(lostBytes);
                }
            }
            to.shutdownOutput();
        } catch (IOException e) {
            // One end is gone. The other end must not see an orderly end, nor must a client that has missed bytes.
            end(true);
        }
    }

    /** Returns whether to deliver a part of a request, once it is not held. */
    private boolean delivers(ByteBuffer request) {
        synchronized (link) {
            link.awaitPassing(false);
            follow(request, true);
            return !isOver;
        }
    }

    /**
     * Returns whether to deliver a part of an answer, once it is not held. What follows a part that is not delivered is not delivered
     * either: the client never gets the end of an answer that is lost.
     */
    private boolean answers(ByteBuffer answer) {
        synchronized (link) {
            link.awaitPassing(false);
            Wire followed = wire;
            long answersBefore = followed.answers;
            long commitsBefore = followed.commits;
            follow(answer, false);
            long answers = followed.answers - answersBefore;
            long commits = followed.commits - commitsBefore;
            boolean isLost = link.loss != null && !isOver && link.loss.takes(answers, commits);
            lostBytes |= isLost || link.swallows;
            if (lostBytes) {
                link.answersLost += answers;
                link.commitAnswersLost += commits;
            }
            if (isLost) {
                link.cut++;
                end(true);
            }
            return !lostBytes && !isOver;
        }
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

    /** Ends both connections; a reset, which both ends see, also drops bytes in transit. */
    void end(boolean reset) {
        synchronized (link) {
            if (!isOver) {
                isOver = true;
                link.connections.remove(this);
                TcpLink.close(client, reset);
                TcpLink.close(server, reset);
            }
        }
    }
}
