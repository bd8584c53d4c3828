// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.transform;

import dev.seriatim.SequenceException;
import dev.seriatim.text.Messages;
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
 * The secret that chooses a permutation: 16 bytes. Keep it as long as its numbers are in use: another key deals numbers again
 * that this one has dealt. Take a key of its own for each sequence; two of equal bounds under one key go through the same
 * numbers in the same order.
 *
 * <p>Immutable and thread-safe. It is never shown, neither by {@link #toString()} nor in a message.
 */
public final class PermutationKey {

    /** The size of a key, in bytes. */
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

    /**
     * The key of these bytes themselves.
     *
     * @throws SequenceException.Misconfigured when they are not 16
     */
    public static PermutationKey of(byte[] key) {
        if (key.length != LENGTH) {
            throw new SequenceException.Misconfigured("a permutation key has " + LENGTH + " bytes, not " + key.length
                    + "; derive one from any other bytes with derivedFrom");
        }
        return new PermutationKey(key);
    }

    /**
     * The key that is the first 16 bytes of the SHA-256 of a secret of any length.
     *
     * @throws SequenceException.Misconfigured when the secret is empty
     */
    public static PermutationKey derivedFrom(byte[] secret) {
        if (secret.length == 0) {
            throw new SequenceException.Misconfigured("the secret of a permutation key must not be empty");
        }
        try {
            return new PermutationKey(MessageDigest.getInstance("SHA-256").digest(secret));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** As {@link #derivedFrom(byte[])}, of a text in UTF-8. */
    public static PermutationKey derivedFrom(String secret) {
        return derivedFrom(secret.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * The key {@linkplain #derivedFrom derived} from what a file holds, text or not, 16 bytes to 64 KiB. Line ends at its end are
     * not part of it, since some editors add one. Only the file's owner may have any right to it: mode 600 or 400. Where files
     * have no such modes, as on Windows, that is not checked.
     *
     * @throws SequenceException.Misconfigured when the file is missing, cannot be read, is too short or too large, or is
     *     accessible by its group or by others
     */
    public static PermutationKey readFrom(Path file) {
        byte[] held = read(file);
        int length = held.length;
        while (length > 0 && (held[length - 1] == '\n' || held[length - 1] == '\r')) {
            length--;
        }
        if (length == 0) {
            throw refused(file, "it is empty; put a secret into it, such as 32 random bytes");
        }
        // A random key may end in a line end by chance.
        if (Math.min(held.length, length + LONGEST_LINE_END) < LENGTH) {
            throw refused(
                    file,
                    "it holds " + held.length + " bytes, which can be guessed; put " + LENGTH
                            + " random bytes or more into it, and keep it");
        }
        checkMode(file);
        return derivedFrom(Arrays.copyOf(held, length));
    }

    private static byte[] read(Path file) {
        if (Files.isDirectory(file)) {
            throw refused(file, "it is a directory; name a file in it");
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] held = in.readNBytes(LONGEST_FILE + 1);
            if (held.length > LONGEST_FILE) {
                throw refused(file, "it holds more than " + LONGEST_FILE + " bytes; name the file of the key");
            }
            return held;
        } catch (NoSuchFileException e) {
            throw refused(file, "there is no such file; make it, with a secret in it");
        } catch (AccessDeniedException e) {
            throw refused(file, "not allowed; let its owner allow it");
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
                        "others than its owner may access it (mode " + PosixFilePermissions.toString(allowed)
                                + "); run 'chmod 600 " + file
                                + "', and take another key if one of them may have read it");
            }
        } catch (UnsupportedOperationException noModes) {
            // access is governed by lists, which the owner's folders have right by default
        } catch (IOException e) {
            throw refused(file, e.toString());
        }
    }

    private static SequenceException refused(Path file, String why) {
        return new SequenceException.Misconfigured(
                "cannot read the permutation key from " + Messages.quoted(file.toString()) + ": " + why);
    }

    /** A function of this key, for one use: what it is used for is part of it. */
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
