// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.bench;

import com.google.gson.JsonObject;
import dev.seriatim.lab.TypedCommand;
import dev.seriatim.lab.stop.StopSignal;
import java.util.ArrayList;
import java.util.List;

/** One call of the command, in this process. */
record BenchRun(TypedCommand typed) {

    static BenchRun on(String url, String... options) {
        return on(new StopSignal(), url, options);
    }

    static BenchRun on(StopSignal stop, String url, String... options) {
        List<String> args = new ArrayList<>(List.of("--store", url));
        args.addAll(List.of(options));
        return typed(stop, args);
    }

    static BenchRun typed(List<String> args) {
        return typed(new StopSignal(), args);
    }

    private static BenchRun typed(StopSignal stop, List<String> args) {
        return new BenchRun(TypedCommand.of(new BenchCommand(stop), args));
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

    List<JsonObject> runs() {
        return typed.objects("runs");
    }

    List<JsonObject> notOffered() {
        return typed.objects("not_offered");
    }
}
