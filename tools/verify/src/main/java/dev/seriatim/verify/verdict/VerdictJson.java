// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.verdict;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.seriatim.cli.terminal.JsonText;
import java.util.List;
import java.util.Locale;

/** A verdict as one JSON object; 64-bit numbers are strings. Stateless. */
public final class VerdictJson {

    private static final Gson GSON = new GsonBuilder()
            .serializeNulls()
            .setPrettyPrinting()
            .disableHtmlEscaping()
            .create();

    private VerdictJson() {}

    /** Returns the object. */
    public static String write(Verdict verdict) {
        JsonObject root = new JsonObject();
        root.addProperty("verdict", VerdictWords.headline(verdict));
        root.addProperty("broken", verdict.broken());
        root.addProperty("controlled", verdict.controlled());
        root.addProperty("end", verdict.end().name().toLowerCase(Locale.ROOT));
        root.addProperty("problem", verdict.problem().isEmpty() ? null : verdict.problem());
        root.addProperty("left", verdict.left().isEmpty() ? null : verdict.left());
        root.addProperty("command", verdict.command());
        root.addProperty("store", verdict.store());
        root.addProperty("began", verdict.began().toString());
        root.addProperty("seconds", verdict.took().toMillis() / 1000.0);
        root.addProperty("seed", Long.toString(verdict.seed()));
        root.addProperty("processes", verdict.processes());
        root.addProperty("threads", verdict.threads());
        root.add("modes", modes(verdict));
        root.add("controls", controls(verdict));
        root.add("harms", counts(verdict.harms()));
        root.add("failures", counts(verdict.failures()));
        JsonArray leftOut = new JsonArray();
        verdict.leftOut().forEach(each -> {
            JsonObject object = new JsonObject();
            object.addProperty("what", each.what());
            object.addProperty("why", each.why());
            leftOut.add(object);
        });
        root.add("not_done", leftOut);
        return JsonText.escaped(GSON.toJson(root));
    }

    private static JsonArray counts(List<Harm> counted) {
        JsonArray counts = new JsonArray();
        counted.forEach(each -> {
            JsonObject object = new JsonObject();
            object.addProperty("what", each.what());
            object.addProperty("count", each.count());
            counts.add(object);
        });
        return counts;
    }

    private static JsonArray modes(Verdict verdict) {
        JsonArray modes = new JsonArray();
        verdict.modes().forEach(mode -> {
            JsonObject object = new JsonObject();
            object.addProperty("mode", mode.mode().name());
            object.addProperty("promise", VerdictWords.promise(mode.mode().promise()));
            object.addProperty("numbers", mode.numbers());
            object.addProperty("unknown", mode.unsure());
            object.addProperty("failed", mode.failed());
            object.addProperty("committed", mode.committed());
            object.addProperty("looks", mode.looks());
            Long next = mode.next();
            object.addProperty("next_value", next == null ? null : next.toString());
            JsonArray violations = new JsonArray();
            mode.violations().forEach(violation -> {
                JsonObject broken = new JsonObject();
                broken.addProperty("kind", violation.kind().code());
                broken.addProperty("count", violation.count());
                JsonArray examples = new JsonArray();
                violation.examples().forEach(examples::add);
                broken.add("examples", examples);
                violations.add(broken);
            });
            object.add("violations", violations);
            modes.add(object);
        });
        return modes;
    }

    private static JsonArray controls(Verdict verdict) {
        JsonArray controls = new JsonArray();
        verdict.controls().forEach(control -> {
            JsonObject object = new JsonObject();
            object.addProperty("name", control.name());
            object.addProperty("what", control.what());
            object.addProperty("red", control.red());
            object.addProperty("found", control.found().isEmpty() ? null : control.found());
            object.addProperty("numbers", control.numbers());
            object.addProperty("seconds", control.took().toMillis() / 1000.0);
            controls.add(object);
        });
        return controls;
    }
}
