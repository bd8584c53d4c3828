// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.verify.verdict.Verdict.End;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class VerdictReportsTest {

    /** It ended while others drew, after two looks at the ledger. */
    private static final Verdict EARLY = new Verdict(
            "seriatim verify",
            "SQLite",
            Instant.EPOCH,
            Duration.ofSeconds(9),
            7,
            2,
            2,
            List.of(new ModeVerdict(DrawMode.SYNC, 3_731, 0, 0, null, 2, null, List.of())),
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
        VerdictText.print(EARLY, new PrintWriter(text));
        assertThat(text.toString()).containsPattern("SYNC +unique, ordered, gapless +3,731 +- +0 +0 +-\n");
        assertThat(VerdictPage.of(EARLY)).contains("<td>-<td>0<td>0<td>none");
        JsonObject mode = JsonParser.parseString(VerdictJson.write(EARLY))
                .getAsJsonObject()
                .getAsJsonArray("modes")
                .get(0)
                .getAsJsonObject();
        assertThat(mode.get("committed").isJsonNull()).isTrue();
        assertThat(mode.get("next_value").isJsonNull()).isTrue();
    }
}
