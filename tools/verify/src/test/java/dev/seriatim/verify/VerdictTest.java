// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.verify.Verdict.End;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class VerdictTest {

    /** It ended while others drew, after two looks at the ledger. */
    private static final Verdict EARLY = new Verdict(
            new TrialPlan(
                    "seriatim verify",
                    List.of("sqlite:numbers.db"),
                    List.of(DrawMode.SYNC),
                    new TrialPlan.Load(2, 2),
                    new TrialPlan.Faults(Set.of(), 7, Optional.empty(), List.of()),
                    new TrialPlan.Limits(Duration.ofMinutes(1), Duration.ofSeconds(30), Map.of()),
                    true,
                    List.of()),
            "SQLite",
            Instant.EPOCH,
            Duration.ofSeconds(9),
            Verdict.Mode.checked(
                    new TrialPlan.Load(2, 2),
                    List.of(new Verdict.Mode(DrawMode.SYNC, 3_731, 0, 0, null, null, List.of()))),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            End.FAILED,
            "a process that draws has ended",
            "");

    @Test
    void what_was_not_counted_is_not_0() {
        StringWriter text = new StringWriter();
        EARLY.document().print(new PrintWriter(text));
        assertThat(text.toString()).containsPattern("SYNC +unique, ordered, gapless +3,731 +- +0 +0 +-\n");
        assertThat(EARLY.document().html()).contains("<td>-<td>0<td>0<td>-");
        JsonObject mode = JsonParser.parseString(EARLY.document().json())
                .getAsJsonObject()
                .getAsJsonArray("modes")
                .get(0)
                .getAsJsonObject();
        assertThat(mode.get("committed").isJsonNull()).isTrue();
        assertThat(mode.get("next_value").isJsonNull()).isTrue();
    }
}
