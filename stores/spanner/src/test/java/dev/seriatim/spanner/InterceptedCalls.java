// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import com.google.cloud.spanner.Spanner;
import com.google.cloud.spanner.SpannerOptions;
import com.google.cloud.spanner.spi.v1.SpannerInterceptorProvider;
import com.google.spanner.v1.ExecuteSqlRequest;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Intercepts calls between a client and the server: records requests, and answers calls with a status that the test
 * sets, before the server sees them or after it has executed them. Thread-safe.
 */
final class InterceptedCalls implements ClientInterceptor {

    /** The answer to a call; without a status, it gets the server's answer, late. */
    private record Answer(String method, @Nullable Status status, boolean afterTheServer, long lateMillis) {}

    private final Queue<Object> requests = new ConcurrentLinkedQueue<>();
    private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
    private volatile UnaryOperator<String> sql = UnaryOperator.identity();

    /**
     * Returns a client of the emulator whose calls pass through this interceptor and do not take much longer than the
     * patience.
     */
    Spanner client(EmulatorDatabase database, Duration patience) {
        return options(database, patience).build().getService();
    }

    SpannerOptions.Builder options(EmulatorDatabase database, Duration patience) {
        return Client.options(EmulatorDatabase.PROJECT, Optional.of(database.address()), patience)
                .setInterceptorProvider(
                        SpannerInterceptorProvider.createDefault().with(this));
    }

    /** Answers the next call of this method with this status, without sending it. */
    void refuse(String method, Status status) {
        answers.add(new Answer(method, status, false, 0));
    }

    /** Sends the next call of this method, and answers it with this status. */
    void serveAndAnswer(String method, Status status) {
        answers.add(new Answer(method, status, true, 0));
    }

    /** Sends the next call of this method, and delivers the answer late. */
    void answerLate(String method, Duration late) {
        answers.add(new Answer(method, null, true, late.toMillis()));
    }

    /** Sends other SQL from now on. */
    void rewrite(UnaryOperator<String> change) {
        sql = change;
    }

    /** Passes all calls through from now on. */
    void deliver() {
        answers.clear();
    }

    /** Returns the requests of a kind that were sent. */
    <T> List<T> requests(Class<T> kind) {
        List<T> found = new ArrayList<>();
        requests.stream().filter(kind::isInstance).map(kind::cast).forEach(found::add);
        return found;
    }

    private synchronized @Nullable Answer next(String method) {
        Answer next = answers.peek();
        return next != null && method.equals(next.method()) ? answers.poll() : null;
    }

    @Override
    public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
        Answer answer = next(String.valueOf(method.getBareMethodName()));
        if (answer != null && answer.status() != null && !answer.afterTheServer()) {
            return new Refused<>(answer.status());
        }
        return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
            @Override
            public void start(Listener<A> listener, Metadata headers) {
                super.start(answer == null ? listener : new Replaced<>(listener, answer), headers);
            }

            @Override
            @SuppressWarnings("unchecked") // a request of the same type
            public void sendMessage(Q message) {
                requests.add(message);
                super.sendMessage(
                        message instanceof ExecuteSqlRequest query
                                ? (Q) query.toBuilder()
                                        .setSql(sql.apply(query.getSql()))
                                        .build()
                                : message);
            }
        };
    }

    private static final class Replaced<A> extends SimpleForwardingClientCallListener<A> {
        private final Answer answer;

        Replaced(ClientCall.Listener<A> listener, Answer answer) {
            super(listener);
            this.answer = answer;
        }

        @Override
        public void onHeaders(Metadata headers) {
            try {
                Thread.sleep(answer.lateMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            super.onHeaders(headers);
        }

        @Override
        public void onMessage(A message) {
            if (answer.status() == null) {
                super.onMessage(message);
            }
        }

        @Override
        public void onClose(Status served, Metadata trailers) {
            super.onClose(answer.status() == null ? served : answer.status(), trailers);
        }
    }

    private static final class Refused<Q, A> extends ClientCall<Q, A> {
        private final Status status;

        Refused(Status status) {
            this.status = status;
        }

        @Override
        public void start(Listener<A> listener, Metadata headers) {
            listener.onClose(status, new Metadata());
        }

        @Override
        public void request(int messages) {}

        @Override
        public void cancel(@Nullable String message, @Nullable Throwable cause) {}

        @Override
        public void halfClose() {}

        @Override
        public void sendMessage(Q message) {}
    }
}
