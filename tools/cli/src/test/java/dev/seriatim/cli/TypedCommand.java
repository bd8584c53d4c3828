// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.stream.StreamSupport;
import picocli.CommandLine;

/** One call of a command, in this process, and its result. */
public record TypedCommand(int code, String out, String err) {

    /** Runs a command as the command line does. */
    public static TypedCommand of(Object command, List<String> args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = new CommandLine(command)
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err, true))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler((wrong, given) -> {
                    err.append(wrong.getMessage()).append('\n');
                    return 2;
                })
                .setExecutionExceptionHandler((failure, ran, parsed) -> {
                    err.append(failure.getMessage()).append('\n');
                    return 1;
                })
                .execute(args.toArray(String[]::new));
        return new TypedCommand(code, out.toString(), err.toString());
    }

    /** Returns its output, which is JSON. */
    public JsonObject json() {
        return JsonParser.parseString(out).getAsJsonObject();
    }

    /** Returns the objects of an array in its output. */
    public List<JsonObject> objects(String key) {
        return StreamSupport.stream(json().getAsJsonArray(key).spliterator(), false)
                .map(JsonElement::getAsJsonObject)
                .toList();
    }
}
