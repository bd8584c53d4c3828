// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import com.couchbase.client.java.json.JsonArray;
import com.couchbase.client.java.json.JsonObject;
import com.couchbase.mock.CouchbaseMock;
import com.couchbase.mock.deps.org.apache.http.ConnectionClosedException;
import com.couchbase.mock.deps.org.apache.http.HttpEntityEnclosingRequest;
import com.couchbase.mock.deps.org.apache.http.HttpRequest;
import com.couchbase.mock.deps.org.apache.http.HttpResponse;
import com.couchbase.mock.deps.org.apache.http.entity.StringEntity;
import com.couchbase.mock.deps.org.apache.http.protocol.HttpContext;
import com.couchbase.mock.deps.org.apache.http.protocol.HttpRequestHandler;
import com.couchbase.mock.deps.org.apache.http.util.EntityUtils;
import com.couchbase.mock.httpio.HttpServer;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A query service that knows sequences, and nothing else, in place of the mock's own. Written to Couchbase's
 * documentation of sequences, so it proves only that the store does what that says. Two nodes answer in turn, each from
 * its own blocks. Thread-safe.
 */
final class QueryService implements HttpRequestHandler {

    private static final String PATH = "`([^`]+)`\\.`([^`]+)`\\.`(\\w+)`";
    private static final Pattern NEXT =
            Pattern.compile("SELECT RAW NEXTVAL FOR " + PATH + " FROM ARRAY_RANGE\\(0, \\$count\\) AS i");
    private static final Pattern CREATE = Pattern.compile("CREATE SEQUENCE " + PATH + " START WITH (-?\\d+)(.*)");
    private static final Pattern ALTER = Pattern.compile("ALTER SEQUENCE " + PATH + "(.*)");
    private static final Pattern DROP = Pattern.compile("DROP SEQUENCE " + PATH);
    private static final Pattern OPTION = Pattern.compile(
            " (?:(INCREMENT BY|MINVALUE|MAXVALUE|CACHE|RESTART WITH) (-?\\d+)|(NO MINVALUE|NO CYCLE|CYCLE))");

    /** The requests, as they came. */
    final List<JsonObject> requests = new CopyOnWriteArrayList<>();

    private final Map<String, Kept> kept = new TreeMap<>();
    private int turn;
    private @Nullable JsonObject error;
    private @Nullable CountDownLatch held;
    private boolean cut;

    /** A sequence in the system scope; and the block that each node deals from, as its next value and what is left. */
    private static final class Kept {
        final Map<String, Long> options = new HashMap<>(Map.of("MINVALUE", Long.MIN_VALUE, "MAXVALUE", Long.MAX_VALUE));
        final long[][] nodes = new long[2][2];
        boolean cycle;
        long next;

        long option(String name) {
            return options.getOrDefault(name, 1L);
        }

        void change(String text) {
            Matcher matcher = OPTION.matcher(text);
            int end = 0;
            for (; matcher.lookingAt(); matcher.region(end, text.length())) {
                end = matcher.end();
                if (matcher.group(2) != null) {
                    options.put(matcher.group(1), Long.parseLong(matcher.group(2)));
                } else if (matcher.group(3).equals("NO MINVALUE")) {
                    options.put("MINVALUE", Long.MIN_VALUE);
                } else {
                    cycle = matcher.group(3).equals("CYCLE");
                }
            }
            if (end != text.length()) {
                throw new IllegalArgumentException("syntax error near '" + text.substring(end) + "'");
            }
            next = options.containsKey("RESTART WITH") ? options.remove("RESTART WITH") : next;
            for (long[] node : nodes) {
                node[1] = 0;
            }
        }

        long value(int node) {
            if (nodes[node][1] == 0) {
                nodes[node] = new long[] {next, option("CACHE")};
                next += option("CACHE") * option("INCREMENT BY");
            }
            long value = nodes[node][0];
            if (value > option("MAXVALUE") || value < option("MINVALUE")) {
                throw new IllegalStateException("its limit");
            }
            nodes[node][0] += option("INCREMENT BY");
            nodes[node][1]--;
            return value;
        }
    }

    /** Replaces a mock's query service. */
    static QueryService of(CouchbaseMock mock) {
        try {
            Field server = CouchbaseMock.class.getDeclaredField("httpServer");
            server.setAccessible(true);
            QueryService service = new QueryService();
            ((HttpServer) server.get(mock)).register("/query*", service);
            return service;
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("the mock has no such field", e);
        }
    }

    /** Answers the next request with an error. */
    synchronized void fail(int code, String message, Map<String, ?> reason) {
        error = JsonObject.create().put("code", code).put("msg", message).put("reason", JsonObject.from(reason));
    }

    /** Holds the answer to the next request until the latch opens. */
    synchronized void hold(CountDownLatch latch) {
        held = latch;
    }

    /** Closes the connection in place of the next answer. */
    synchronized void cut() {
        cut = true;
    }

    List<String> statements() {
        return requests.stream().map(request -> request.getString("statement")).toList();
    }

    @Override
    public void handle(HttpRequest request, HttpResponse response, HttpContext context) throws IOException {
        String body = EntityUtils.toString(((HttpEntityEnclosingRequest) request).getEntity());
        JsonObject answer;
        CountDownLatch waiting;
        synchronized (this) {
            answer = answer(JsonObject.fromJson(body));
            waiting = held;
            held = null;
            if (cut) {
                cut = false;
                throw new ConnectionClosedException("cut");
            }
        }
        if (waiting != null) {
            try {
                waiting.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        response.setEntity(new StringEntity(answer.toString(), StandardCharsets.UTF_8));
    }

    private JsonObject answer(JsonObject request) {
        requests.add(request);
        List<Object> rows = new ArrayList<>();
        JsonObject failure = error == null ? carryOut(request, rows) : error;
        error = null;
        JsonObject answer = JsonObject.create()
                .put("requestID", "1")
                .put("signature", JsonObject.create())
                .put("results", JsonArray.from(rows));
        if (failure != null) {
            answer.put("errors", JsonArray.from(failure));
        }
        return answer.put("status", failure == null ? "success" : "errors").put("metrics", JsonObject.create());
    }

    private @Nullable JsonObject carryOut(JsonObject request, List<Object> rows) {
        String statement = request.getString("statement");
        if (statement.contains("FROM system:all_sequences")) {
            kept.forEach((path, sequence) -> list(path.split("\\."), sequence, request, rows));
            return null;
        }
        for (Pattern form : List.of(NEXT, CREATE, ALTER, DROP)) {
            Matcher matcher = form.matcher(statement);
            if (matcher.matches()) {
                String path = matcher.group(1) + "." + matcher.group(2) + "." + matcher.group(3);
                boolean creates = form == CREATE;
                if (kept.containsKey(path) == creates) {
                    return error(creates ? 19108 : 19106, "Sequence '" + path + "'", null);
                }
                return onSequence(form, matcher, kept.computeIfAbsent(path, absent -> new Kept()), request, rows);
            }
        }
        return error(3000, "syntax error in " + statement, null);
    }

    private @Nullable JsonObject onSequence(
            Pattern form, Matcher matcher, Kept sequence, JsonObject request, List<Object> rows) {
        try {
            if (form == NEXT) {
                int node = turn++ % 2;
                for (long i = request.getLong("$count"); i > 0; i--) {
                    rows.add(sequence.value(node));
                }
            } else if (form == CREATE) {
                sequence.next = Long.parseLong(matcher.group(4));
                sequence.change(matcher.group(5));
            } else if (form == ALTER) {
                sequence.change(matcher.group(4));
            } else {
                kept.values().remove(sequence);
            }
            return null;
        } catch (IllegalStateException limit) {
            return error(5010, "Error evaluating projection", error(19111, "Sequence has reached its limit", null));
        } catch (IllegalArgumentException e) {
            return error(3000, String.valueOf(e.getMessage()), null);
        }
    }

    private static void list(String[] path, Kept sequence, JsonObject request, List<Object> rows) {
        boolean asked = path[0].equals(request.getString("$bucket"))
                && path[1].equals(request.getString("$scope"))
                && (!request.containsKey("$name") || path[2].equals(request.getString("$name")));
        if (asked) {
            rows.add(JsonObject.create()
                    .put("name", path[2])
                    .put("cycle", sequence.cycle)
                    .put("increment", "" + sequence.option("INCREMENT BY"))
                    .put("cache", "" + sequence.option("CACHE"))
                    .put("min", "" + sequence.option("MINVALUE"))
                    .put("max", "" + sequence.option("MAXVALUE"))
                    .put("next", "" + sequence.next));
        }
    }

    private static JsonObject error(int code, String message, @Nullable JsonObject reason) {
        JsonObject error = JsonObject.create().put("code", code).put("msg", message);
        return reason == null ? error : error.put("reason", reason);
    }
}
