// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.trials;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A process that draws on demand. Its arguments are the store's URL and its patience in milliseconds. Each input line
 * is an order:
 *
 * <ul>
 *   <li>{@code draw MODE THREADS TURNS MICROS}: starts that many threads that draw in this mode, each that many
 *       times, with a pause after each
 *   <li>{@code execute SQL}: runs a statement on the same database
 *   <li>{@code stop}: stops all threads
 * </ul>
 *
 * <p>Each output line reports one draw, once it is acknowledged or has failed, in one write: written output outlives
 * the process. Times come from the machine's single monotonic clock, so they are comparable across processes.
 */
final class DrawingProgram {

    private final ApplicationResources application;
    private final Crew.Output output;
    private final List<Crew> crews = new ArrayList<>();

    private DrawingProgram(ApplicationResources application, Crew.Output output) {
        this.application = application;
        this.output = output;
    }

    public static void main(String[] arguments) throws IOException, SQLException {
        // Not System.out, which may write a line in several pieces.
        @SuppressWarnings("resource")
        FileOutputStream out = new FileOutputStream(FileDescriptor.out);
        Crew.Output output = line -> write(out, line);
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Duration patience = Duration.ofMillis(Long.parseLong(arguments[1]));
        try (ApplicationResources application = ApplicationResources.open(arguments[0], patience)) {
            DrawingProgram program = new DrawingProgram(application, output);
            output.line("ready");
            for (String order = orders.readLine(); order != null; order = orders.readLine()) {
                program.obey(order);
            }
        }
    }

    private static void write(FileOutputStream out, String line) {
        try {
            out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void obey(String order) throws SQLException {
        String[] words = order.split(" ", 5);
        switch (words[0]) {
            case "draw" -> draw(words);
            case "execute" -> execute(order.substring("execute ".length()));
            case "stop" -> crews.forEach(Crew::stop);
            default -> throw new IllegalArgumentException(order);
        }
    }

    private void draw(String[] words) {
        TrialMode mode = TrialMode.valueOf(words[1]);
        Crew crew =
                new Crew(mode, mode.open(application), Integer.parseInt(words[3]), Long.parseLong(words[4]), output);
        crews.add(crew);
        crew.start(Integer.parseInt(words[2]));
    }

    private void execute(String sql) throws SQLException {
        application.store().inTransaction(connection -> {
            try (Statement statement = connection.createStatement()) {
                return statement.execute(sql);
            }
        });
        output.line("executed");
    }
}
