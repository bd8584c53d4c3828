// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The proxy server of this JVM, controlled over HTTP. Thread-safe. */
final class Toxiproxy {
    static final String TITLE = "Toxiproxy";
    static final String PROGRAM = "SERIATIM_TEST_TOXIPROXY";

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int NOT_FOUND = 404;
    private static final String SILENCE = "silence";

    private final HttpClient client = HttpClient.newHttpClient();
    private final String address;

    private Toxiproxy(int port) {
        this.address = "http://127.0.0.1:" + port;
    }

    static Optional<String> missing() {
        return program().isPresent()
                ? Optional.empty()
                : Optional.of("toxiproxy-server is not installed; run GOBIN=" + cache()
                        + " go install github.com/Shopify/toxiproxy/v2/cmd/server@v2.5.0, or set " + PROGRAM
                        + " to its path");
    }

    static Toxiproxy start() {
        int port = Ports.free();
        List<String> command = List.of(program().orElseThrow().toString(), "-host", "127.0.0.1", "-port", "" + port);
        ServerProcess.start(command, TemporaryFolder.create("toxiproxy").path());
        Toxiproxy proxy = new Toxiproxy(port);
        Waiting.until(PATIENCE, "Toxiproxy to answer", proxy::answers);
        return proxy;
    }

    void create(String name, int port, String target) {
        send("POST", "/proxies", """
                {"name": "%s", "listen": "127.0.0.1:%d", "upstream": "%s", "enabled": true}""".formatted(name, port, target));
    }

    void enable(String name, boolean enabled) {
        send("POST", "/proxies/" + name, "{\"enabled\": " + enabled + "}");
    }

    void swallowAnswers(String name) {
        // A timeout of 0 never ends: the data is dropped and the connection stays open.
        send("POST", toxics(name), """
                {"name": "%s", "type": "timeout", "stream": "downstream", "attributes": {"timeout": 0}}""".formatted(SILENCE));
    }

    void deliverAnswers(String name) {
        int status = status("DELETE", toxics(name) + "/" + SILENCE, "");
        check(status == NOT_FOUND || isSuccess(status), "DELETE of a toxic", status);
    }

    void delete(String name) {
        send("DELETE", "/proxies/" + name, "");
    }

    private boolean answers() {
        try {
            return isSuccess(status("GET", "/version", ""));
        } catch (UncheckedIOException e) {
            return false;
        }
    }

    private void send(String method, String path, String body) {
        int status = status(method, path, body);
        check(isSuccess(status), method + " " + path, status);
    }

    private int status(String method, String path, String body) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address + path))
                .timeout(PATIENCE)
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
        try {
            return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot reach Toxiproxy", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while talking to Toxiproxy", e);
        }
    }

    private static String toxics(String name) {
        return "/proxies/" + name + "/toxics";
    }

    private static boolean isSuccess(int status) {
        return status / 100 == 2;
    }

    private static void check(boolean expected, String what, int status) {
        if (!expected) {
            throw new IllegalStateException("Toxiproxy answers " + what + " with " + status);
        }
    }

    private static Optional<Path> program() {
        // go install names the program after its folder.
        return Commands.given(PROGRAM, System.getenv(PROGRAM), "")
                .or(() -> Commands.find("toxiproxy-server"))
                .or(() -> Optional.of(cache().resolve("server")).filter(Files::isExecutable));
    }

    private static Path cache() {
        return Path.of(System.getProperty("user.home"), ".cache", "seriatim", "toxiproxy");
    }
}
