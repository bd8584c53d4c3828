// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.Spanner;
import dev.seriatim.SequenceDefinition;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A store with intercepted calls to the emulator, a sequence 's' and a table for its numbers. */
abstract class InterceptedStore {

    final EmulatorDatabase database;
    final InterceptedCalls calls = new InterceptedCalls();
    final SpannerStore store;
    private final Spanner spanner;

    /** The client gives up on a call after the patience. */
    InterceptedStore(Duration patience) {
        database = EmulatorDatabase.at(place(), place().numbers());
        spanner = calls.client(database, patience);
        store = database.storeOf(spanner);
    }

    /** Returns where the sequences are. */
    Place place() {
        return Place.GOOGLE;
    }

    @BeforeEach
    final void create() {
        store.create(SequenceDefinition.of("s"));
    }

    @AfterEach
    final void close() {
        calls.deliver();
        spanner.close();
    }

    static Mutation row(long number) {
        return Mutation.newInsertBuilder("numbers").set("number").to(number).build();
    }
}
