// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.verify;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.seriatim.lab.stop.StopSignal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import picocli.CommandLine;

/** One call of the command, in this process. */
record VerifyRun(int code, String out, String err) {

    static VerifyRun on(String url, String... options) {
        return on(new StopSignal(), url, options);
    }

    static VerifyRun on(StopSignal stop, String url, String... options) {
        List<String> args = new ArrayList<>(List.of("--store", url));
        args.addAll(List.of(options));
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = new CommandLine(new VerifyCommand(stop))
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err, true))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler((wrong, given) -> {
                    err.append(wrong.getMessage()).append('\n');
                    return 2;
                })
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    err.append(failure.getMessage()).append('\n');
                    return 1;
                })
                .execute(args.toArray(String[]::new));
        return new VerifyRun(code, out.toString(), err.toString());
    }

    JsonObject json() {
        return JsonParser.parseString(out).getAsJsonObject();
    }

    /** Returns what went wrong, short enough for the message of a failed test. */
    String told() {
        if (!out.startsWith("{")) {
            return out + err;
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
                "harms: " + json().get("harms"),
                err);
    }

    List<JsonObject> objects(String key) {
        return StreamSupport.stream(json().getAsJsonArray(key).spliterator(), false)
                .map(JsonElement::getAsJsonObject)
                .toList();
    }

    /** Returns how often a fault of this name struck. */
    long harm(String what) {
        return objects("harms").stream()
                .filter(harm -> harm.get("what").getAsString().equals(what))
                .mapToLong(harm -> harm.get("count").getAsLong())
                .sum();
    }
}
