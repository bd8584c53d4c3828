// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PermutationKeyTest {

    @TempDir
    private Path directory = Path.of("");

    private Path file(String text) throws IOException {
        return Files.writeString(directory.resolve("key"), text);
    }

    @Test
    void is_of_16_bytes_or_derived_from_any() {
        byte[] bytes = new byte[16];
        assertThat(PermutationKey.of(bytes))
                .isEqualTo(PermutationKey.of(bytes))
                .hasSameHashCodeAs(PermutationKey.of(bytes));
        assertThat(PermutationKey.derivedFrom(bytes)).isNotEqualTo(PermutationKey.of(bytes));
        assertThat(PermutationKey.derivedFrom("é"))
                .isEqualTo(PermutationKey.derivedFrom("é".getBytes(StandardCharsets.UTF_8)));
        assertThatThrownBy(() -> PermutationKey.of(new byte[15]))
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContainingAll("16 bytes, not 15", "derivedFrom");
        assertThatThrownBy(() -> PermutationKey.derivedFrom(""))
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContaining("empty");
    }

    @Test
    void does_not_change_with_the_bytes_it_was_made_of() {
        byte[] bytes = new byte[16];
        PermutationKey key = PermutationKey.of(bytes);
        bytes[0] = 1;
        assertThat(key).isEqualTo(PermutationKey.of(new byte[16]));
    }

    @Test
    void is_read_from_a_file_whatever_line_end_an_editor_leaves() throws IOException {
        PermutationKey expected = PermutationKey.derivedFrom("open sesame");
        for (String end : new String[] {"", "\n", "\r\n", "\n\n"}) {
            assertThat(PermutationKey.readFrom(file("open sesame" + end))).isEqualTo(expected);
        }
        assertThat(PermutationKey.readFrom(file("open\nsesame"))).isNotEqualTo(expected);
    }

    @Test
    void says_what_is_wrong_with_a_file() throws IOException {
        assertThatThrownBy(() -> PermutationKey.readFrom(directory.resolve("none")))
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContainingAll("none", "no such file");
        assertThatThrownBy(() -> PermutationKey.readFrom(directory)).hasMessageContaining("is a directory");
        Path empty = file("\n");
        assertThatThrownBy(() -> PermutationKey.readFrom(empty)).hasMessageContaining("is empty");
        Path large = file("x".repeat(70_000));
        assertThatThrownBy(() -> PermutationKey.readFrom(large)).hasMessageContaining("more than 65536 bytes");
    }

    @Test
    void shows_no_secret() {
        assertThat(PermutationKey.derivedFrom("open sesame")).hasToString("a permutation key");
    }
}
