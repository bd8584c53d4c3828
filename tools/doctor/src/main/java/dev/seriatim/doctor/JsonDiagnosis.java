// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.seriatim.cli.terminal.JsonText;
import dev.seriatim.doctor.inventory.InspectionFault.Level;
import dev.seriatim.doctor.inventory.InspectionFinding;
import dev.seriatim.doctor.inventory.Inventory;
import dev.seriatim.doctor.rule.Diagnosis;
import dev.seriatim.doctor.rule.RuleSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A diagnosis as one JSON object; 64-bit numbers are strings. Stateless. */
public final class JsonDiagnosis {

    private static final Gson GSON = new GsonBuilder()
            .serializeNulls()
            .setPrettyPrinting()
            .disableHtmlEscaping()
            .create();

    private JsonDiagnosis() {}

    /**
     * Returns the object.
     *
     * @param mended what was raised before the database was read
     */
    public static String write(Diagnosis diagnosis, List<InspectionFinding> mended) {
        Inventory inventory = diagnosis.inventory();
        JsonObject root = new JsonObject();
        root.addProperty("product", inventory.product());
        root.addProperty("database", inventory.database());
        root.addProperty("examined_at", diagnosis.at().toString());
        root.addProperty("seconds", diagnosis.took().toMillis() / 1000.0);
        root.addProperty("columns", inventory.columns().size());
        root.addProperty("native_sequences", inventory.sequences().size());
        root.addProperty("counters", inventory.counters().size());
        root.addProperty("errors", diagnosis.count(Level.ERROR));
        root.addProperty("warnings", diagnosis.count(Level.WARNING));
        root.add("findings", findings(diagnosis.findings()));
        root.add("notes", findings(diagnosis.notes()));
        root.add("mended", findings(mended));
        JsonArray skipped = new JsonArray();
        Summary.skipped(inventory).forEach(skipped::add);
        root.add("skipped", skipped);
        JsonArray generators = new JsonArray();
        diagnosis.outlooks().forEach(outlook -> generators.add(generator(outlook)));
        root.add("generators", generators);
        return JsonText.escaped(GSON.toJson(root));
    }

    private static JsonArray findings(List<InspectionFinding> findings) {
        JsonArray array = new JsonArray();
        for (InspectionFinding finding : findings) {
            JsonObject object = new JsonObject();
            object.addProperty("fault", finding.fault().code());
            object.addProperty("level", word(finding.fault().level()));
            object.addProperty("subject", finding.subject());
            object.addProperty("what", finding.what());
            object.addProperty(
                    "remedy", finding.remedy().map(remedy -> remedy.text()).orElse(null));
            object.addProperty(
                    "remedy_kind",
                    finding.remedy().map(remedy -> word(remedy.kind())).orElse(null));
            array.add(object);
        }
        return array;
    }

    private static JsonObject generator(Diagnosis.Outlook outlook) {
        RuleSource source = outlook.source();
        JsonObject object = new JsonObject();
        object.addProperty("kind", source.kind());
        object.addProperty("name", source.subject());
        object.addProperty(
                "next_value",
                source.usedUp() ? null : source.next().map(Object::toString).orElse(null));
        object.addProperty("increment", source.increment().toString());
        object.addProperty("last_value", source.nearestEnd().toString());
        object.add(
                "used_percent",
                outlook.used()
                        .map(share -> (JsonElement) new JsonPrimitive(share.percent()))
                        .orElse(JsonNull.INSTANCE));
        object.addProperty("used_up_on", text(outlook.end()));
        return object;
    }

    private static @Nullable String text(Optional<?> value) {
        return value.map(Object::toString).orElse(null);
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
