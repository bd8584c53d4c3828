// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;
import org.tukaani.xz.XZInputStream;

/** PostgreSQL's programs, unpacked once per user and version into the temporary folder. Thread-safe. */
final class PostgresqlBinaries {
    private static final String ARCHIVE = "/postgres-linux-x86_64.txz";
    private static final Once<Path> FOLDER = new Once<>(PostgresqlBinaries::unpackOnce);

    private PostgresqlBinaries() {}

    /** Returns the folder that contains {@code bin}; empty if Maven provides no programs for this platform. */
    static Optional<Path> folder() {
        boolean provided = System.getProperty("os.name").equals("Linux")
                && System.getProperty("os.arch").equals("amd64")
                && PostgresqlBinaries.class.getResource(ARCHIVE) != null;
        return provided ? Optional.of(FOLDER.get()) : Optional.empty();
    }

    private static Path unpackOnce() {
        String user = System.getProperty("user.name");
        try {
            Path target = Path.of(
                    System.getProperty("java.io.tmpdir"), "seriatim-postgresql-%s-%s".formatted(user, digest()));
            if (!Files.exists(target)) {
                unpack(target);
            }
            String owner = Files.getOwner(target).getName();
            if (!owner.equals(user)) {
                throw new IOException("%s belongs to %s; remove it".formatted(target, owner));
            }
            return target;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot unpack PostgreSQL", e);
        }
    }

    private static void unpack(Path target) throws IOException {
        Path draft = TemporaryFolder.create("unpack").path();
        // Uses tar because it preserves links and modes, and decompresses here because xz is not installed on every
        // machine.
        Process tar = new ProcessBuilder("tar", "-x", "--no-same-owner", "-C", draft.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (InputStream archive = new XZInputStream(archive());
                var input = tar.getOutputStream()) {
            archive.transferTo(input);
        }
        if (tar.onExit().join().exitValue() != 0) {
            throw new IOException("tar failed");
        }
        try {
            Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            // Another process may already have unpacked the same content.
            if (!Files.isDirectory(target)) {
                throw e;
            }
        }
    }

    private static String digest() throws IOException {
        try (InputStream archive = archive()) {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(archive.readAllBytes());
            return HexFormat.of().formatHex(digest, 0, 6);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static InputStream archive() {
        return Objects.requireNonNull(PostgresqlBinaries.class.getResourceAsStream(ARCHIVE), ARCHIVE);
    }
}
