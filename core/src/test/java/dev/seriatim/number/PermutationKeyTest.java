// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.number;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.seriatim.SequenceException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PermutationKeyTest {

    @TempDir
    private Path directory = Path.of("");

    private Path file(String text) throws IOException {
        return own(Files.writeString(directory.resolve("key"), text));
    }

    /** Restricts access to the owner, on file systems that have modes. */
    private static Path own(Path file) throws IOException {
        if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        }
        return file;
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
        PermutationKey expected = PermutationKey.derivedFrom("open sesame, open");
        for (String end : new String[] {"", "\n", "\r\n", "\n\n"}) {
            assertThat(PermutationKey.readFrom(file("open sesame, open" + end))).isEqualTo(expected);
        }
        assertThat(PermutationKey.readFrom(file("open\nsesame, open"))).isNotEqualTo(expected);
    }

    @Test
    void says_what_is_wrong_with_a_file() throws IOException {
        assertThatThrownBy(() -> PermutationKey.readFrom(directory.resolve("none")))
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContainingAll("none", "no such file");
        assertThatThrownBy(() -> PermutationKey.readFrom(directory)).hasMessageContaining("is a directory");
        Path empty = file("\n");
        assertThatThrownBy(() -> PermutationKey.readFrom(empty)).hasMessageContaining("is empty");
        assertThat(PermutationKey.readFrom(file("x".repeat(65_536))))
                .isEqualTo(PermutationKey.derivedFrom("x".repeat(65_536)));
        Path large = file("x".repeat(65_537));
        assertThatThrownBy(() -> PermutationKey.readFrom(large)).hasMessageContaining("more than 65536 bytes");
    }

    @Test
    void is_not_read_from_a_file_that_can_be_guessed() throws IOException {
        for (String guessable : new String[] {"k", "k\n", "fifteen letters", "k" + "\n".repeat(30)}) {
            Path file = file(guessable);
            assertThatThrownBy(() -> PermutationKey.readFrom(file))
                    .isInstanceOf(SequenceException.Misconfigured.class)
                    .hasMessageContainingAll(guessable.length() + " bytes", "16 random bytes or more");
        }
        byte[] random = new byte[16];
        random[15] = '\n';
        assertThat(PermutationKey.readFrom(own(Files.write(directory.resolve("random"), random))))
                .isEqualTo(PermutationKey.derivedFrom(new byte[15]));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-r--r--", "rw-r-----", "rw----r--", "rw--w----", "rw-------", "r--------"})
    void is_not_read_from_a_file_that_others_may_read_until_that_is_mended(String mode) throws IOException {
        assumeThat(FileSystems.getDefault().supportedFileAttributeViews()).contains("posix");
        Path file = file("a secret that is long enough");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
        if (!mode.endsWith("------")) {
            assertThatThrownBy(() -> PermutationKey.readFrom(file))
                    .isInstanceOf(SequenceException.Misconfigured.class)
                    .hasMessageContainingAll(mode, "chmod 600 " + file);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        }
        assertThat(PermutationKey.readFrom(file)).isEqualTo(PermutationKey.derivedFrom("a secret that is long enough"));
    }

    @Test
    void shows_no_secret() {
        assertThat(PermutationKey.derivedFrom("open sesame, open")).hasToString("a permutation key");
    }
}
