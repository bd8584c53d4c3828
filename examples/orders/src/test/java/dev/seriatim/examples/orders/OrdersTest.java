// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.support.TransactionTemplate;

/** The application as users run it, over HTTP, on both databases. */
class OrdersTest {

    private static final int CALLERS = 8;
    private static final int ORDERS = 25;
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @TempDir
    Path folder;

    private static ConfigurableApplicationContext start(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--server.port=0");
        all.add("--server.address=127.0.0.1");
        return SpringApplication.run(OrdersApplication.class, all.toArray(new String[0]));
    }

    @Test
    void on_a_file() throws Exception {
        String url = "--spring.datasource.url=jdbc:sqlite:" + folder.resolve("orders.db")
                + "?journal_mode=WAL&transaction_mode=IMMEDIATE&busy_timeout=10000";
        try (ConfigurableApplicationContext application = start(url)) {
            serves(application, 0);
        }
        try (ConfigurableApplicationContext application = start(url)) {
            serves(application, CALLERS * ORDERS);
        }
    }

    @Test
    void on_postgresql() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        String[] arguments = {
            "--spring.profiles.active=postgresql",
            "--spring.datasource.url=" + database.url(),
            "--spring.datasource.username=" + database.user(),
            "--spring.datasource.password=" + database.password()
        };
        try (ConfigurableApplicationContext application = start(arguments)) {
            serves(application, 0);
        }
        try (ConfigurableApplicationContext application = start(arguments)) {
            serves(application, CALLERS * ORDERS);
        }
    }

    /** Each caller orders, drafts and issues, and sometimes fails to; the numbers that are issued have no gap. */
    private static void serves(ConfigurableApplicationContext application, int issuedBefore) throws Exception {
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int caller = 0; caller < CALLERS; caller++) {
                all.add(callers.submit(() -> {
                    for (int order = 0; order < ORDERS; order++) {
                        orderAndIssue(application, order);
                    }
                    return null;
                }));
            }
            for (Future<?> each : all) {
                each.get();
            }
        } finally {
            callers.shutdownNow();
        }
        List<Invoice> invoices = application.getBean(InvoiceRepository.class).findAll();
        assertThat(invoices).extracting(Invoice::getId).doesNotHaveDuplicates();
        assertThat(invoices.stream().map(Invoice::getNumber).filter(number -> number != null))
                .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, issuedBefore + CALLERS * ORDERS)
                        .boxed()
                        .toList());
        assertThat(call(application, "GET", "/actuator/health", "")).contains("\"seriatim\"");
        assertThat(call(application, "GET", "/actuator/sequences", "")).contains("invoice_number", "order_id");
    }

    private static void orderAndIssue(ConfigurableApplicationContext application, int order) throws Exception {
        String made = call(application, "POST", "/orders", "{\"customer\": \"Example Ltd\", \"cents\": 1999}");
        String draft = call(application, "POST", "/orders/" + id(made) + "/invoice", "");
        assertThat(draft).contains("\"number\":null");
        if (order % 5 == 0) {
            rollBackAfterIssuing(application, Long.parseLong(id(draft)));
        }
        assertThat(call(application, "POST", "/invoices/" + id(draft) + "/issue", ""))
                .containsPattern("\"number\":[1-9]");
    }

    private static void rollBackAfterIssuing(ConfigurableApplicationContext application, long invoice) {
        application.getBean(TransactionTemplate.class).executeWithoutResult(status -> {
            assertThat(application.getBean(Shop.class).issue(invoice).getNumber()).isPositive();
            status.setRollbackOnly();
        });
    }

    private static String id(String json) {
        return json.replaceFirst(".*?\"id\":(\\d+).*", "$1");
    }

    private static String call(ConfigurableApplicationContext application, String method, String path, String body)
            throws IOException, InterruptedException {
        String port = application.getEnvironment().getRequiredProperty("local.server.port");
        HttpResponse<String> response = HTTP.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                        .header("Content-Type", "application/json")
                        .method(method, HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as("%s %s: %s", method, path, response.body()).isEqualTo(200);
        return response.body();
    }
}
