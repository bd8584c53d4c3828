// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.number;

import dev.seriatim.SequenceException;
import dev.seriatim.internal.Messages;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/**
 * The secret key of a permutation: 16 bytes. Keep it as long as its numbers are in use, because another key deals
 * numbers again that this one has dealt. Use a different key for each sequence: two sequences with equal bounds and the
 * same key produce the same numbers in the same order.
 *
 * <p>Immutable and thread-safe. It is never shown, neither by {@link #toString()} nor in a message.
 */
public final class PermutationKey {

    /** Length of a key, in bytes. */
    public static final int LENGTH = 16;

    private static final int LONGEST_FILE = 1 << 16;
    private static final int LONGEST_LINE_END = 2;
    private static final Set<PosixFilePermission> OWNERS = EnumSet.of(
            PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);

    private final SipHash function;

    private PermutationKey(byte[] key) {
        ByteBuffer words = ByteBuffer.wrap(key).order(ByteOrder.LITTLE_ENDIAN);
        function = new SipHash(words.getLong(), words.getLong());
    }

    /** Returns the key with these bytes. Throws {@link SequenceException.Misconfigured} unless there are exactly 16. */
    public static PermutationKey of(byte[] key) {
        if (key.length != LENGTH) {
            throw new SequenceException.Misconfigured("a permutation key must have " + LENGTH + " bytes, not "
                    + key.length + "; use derivedFrom to derive a key from other bytes");
        }
        return new PermutationKey(key);
    }

    /**
     * Derives a key from a secret of any length: the first 16 bytes of its SHA-256.
     *
     * @throws SequenceException.Misconfigured if the secret is empty
     */
    public static PermutationKey derivedFrom(byte[] secret) {
        if (secret.length == 0) {
            throw new SequenceException.Misconfigured(
                    "the secret of a permutation key must not be empty; use at least 16 random bytes");
        }
        try {
            return new PermutationKey(MessageDigest.getInstance("SHA-256").digest(secret));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Like {@link #derivedFrom(byte[])}, for a text in UTF-8. */
    public static PermutationKey derivedFrom(String secret) {
        return derivedFrom(secret.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Returns the key {@linkplain #derivedFrom derived} from the contents of a file, text or binary, of 16 bytes to 64
     * KiB. Trailing line ends are ignored because some editors add one. Only the owner may have permissions on the
     * file: mode 600 or 400. This is not checked if the file system has no such modes, as on Windows.
     *
     * @throws SequenceException.Misconfigured if the file is missing, cannot be read, is too short or too large, or is
     *     accessible by its group or by others
     */
    public static PermutationKey readFrom(Path file) {
        byte[] held = read(file);
        int length = held.length;
        while (length > 0 && (held[length - 1] == '\n' || held[length - 1] == '\r')) {
            length--;
        }
        if (length == 0) {
            throw refused(file, "it is empty; write a secret to it, such as 32 random bytes");
        }
        // A random key may happen to end in line-end bytes.
        if (Math.min(held.length, length + LONGEST_LINE_END) < LENGTH) {
            throw refused(
                    file,
                    "it holds " + held.length + " bytes, which can be guessed; write " + LENGTH
                            + " random bytes or more to it, and keep it");
        }
        checkMode(file);
        return derivedFrom(Arrays.copyOf(held, length));
    }

    private static byte[] read(Path file) {
        if (Files.isDirectory(file)) {
            throw refused(file, "it is a directory; name a file in that directory");
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] held = in.readNBytes(LONGEST_FILE + 1);
            if (held.length > LONGEST_FILE) {
                throw refused(file, "it holds more than " + LONGEST_FILE + " bytes; name the key's file");
            }
            return held;
        } catch (NoSuchFileException e) {
            throw refused(file, "there is no such file; create it with a secret in it");
        } catch (AccessDeniedException e) {
            throw refused(file, "permission denied; have its owner grant read permission");
        } catch (IOException e) {
            throw refused(file, e.toString());
        }
    }

    private static void checkMode(Path file) {
        try {
            Set<PosixFilePermission> allowed = Files.getPosixFilePermissions(file);
            if (!OWNERS.containsAll(allowed)) {
                throw refused(
                        file,
                        "users other than its owner may access it (mode " + PosixFilePermissions.toString(allowed)
                                + "); run 'chmod 600 " + file
                                + "', and use another key if one of them may have read it");
            }
        } catch (UnsupportedOperationException noModes) {
            // access is governed by ACLs; the defaults in the owner's folders are safe
        } catch (IOException e) {
            throw refused(file, e.toString());
        }
    }

    private static SequenceException refused(Path file, String why) {
        return new SequenceException.Misconfigured(
                "cannot read the permutation key from " + Messages.quoted(file.toString()) + ": " + why);
    }

    /** Returns a function of this key for one use; different uses give different functions. */
    SipHash functionFor(byte[] use) {
        byte[] message = Arrays.copyOf(use, use.length + 1);
        long k0 = function.of(message);
        message[use.length] = 1;
        return new SipHash(k0, function.of(message));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PermutationKey key && function.k0 == key.function.k0 && function.k1 == key.function.k1;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(function.of(0, 0));
    }

    @Override
    public String toString() {
        return "a permutation key";
    }
}
