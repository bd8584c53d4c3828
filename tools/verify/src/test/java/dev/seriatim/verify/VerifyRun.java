// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import com.google.gson.JsonObject;
import dev.seriatim.cli.TypedCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/** One call of the command, in this process. */
record VerifyRun(TypedCommand typed) {

    static VerifyRun on(String url, String... options) {
        return on(new AtomicBoolean(), url, options);
    }

    static VerifyRun on(AtomicBoolean stop, String url, String... options) {
        List<String> args = new ArrayList<>(List.of("--store", url));
        args.addAll(List.of(options));
        return new VerifyRun(TypedCommand.of(new VerifyCommand(stop), args));
    }

    int code() {
        return typed.code();
    }

    String out() {
        return typed.out();
    }

    String err() {
        return typed.err();
    }

    JsonObject json() {
        return typed.json();
    }

    List<JsonObject> objects(String key) {
        return typed.objects(key);
    }

    /** Returns a summary for the message of a failed test. */
    String summary() {
        if (!out().startsWith("{")) {
            return out() + err();
        }
        String modes = objects("modes").stream()
                .filter(mode -> mode.get("failed").getAsLong() > 0
                        || !mode.getAsJsonArray("violations").isEmpty())
                .map(JsonObject::toString)
                .collect(Collectors.joining("\n"));
        String green = objects("controls").stream()
                .filter(control -> !control.get("red").getAsBoolean())
                .map(JsonObject::toString)
                .collect(Collectors.joining("\n"));
        return String.join(
                "\n",
                json().get("store").getAsString(),
                json().get("command").getAsString(),
                json().get("verdict").getAsString(),
                "modes with failures: " + modes,
                "controls that were not found: " + green,
                "failures: " + json().get("failures"),
                "faults: " + json().get("faults"),
                err());
    }

    /** Returns the number of faults of this name. */
    long faults(String what) {
        return objects("faults").stream()
                .filter(fault -> fault.get("what").getAsString().equals(what))
                .mapToLong(fault -> fault.get("count").getAsLong())
                .sum();
    }
}
