// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.memory;

import dev.seriatim.SequenceException;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.StoreDriver;
import dev.seriatim.store.StoreUrl;
import java.time.Duration;
import java.util.Set;

/** Opens a new, empty store for each {@code memory:} or {@code memory:?latency=10ms&read-latency=1ms}. Thread-safe. */
public final class InMemoryDriver implements StoreDriver {

    @Override
    public String prefix() {
        return "memory:";
    }

    @Override
    public OpenStore open(StoreUrl url) {
        if (!url.place().isEmpty()) {
            throw new SequenceException.Misconfigured("store URL '" + url.redacted()
                    + "': memory has no locations; write memory: or memory:?latency=10ms");
        }
        url.allowOnly(Set.of("latency", "read-latency"));
        return new InMemoryStore(
                url.duration("latency").orElse(Duration.ZERO),
                url.duration("read-latency").orElse(Duration.ZERO));
    }
}
