// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import dev.seriatim.engine.OpenSequence;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.store.SequenceCatalog;
import dev.seriatim.store.SequenceState;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/**
 * The actuator endpoint {@code sequences}: lists the store's sequences, and how they are open in this process.
 * Thread-safe.
 */
@Endpoint(id = "sequences")
public final class SequencesEndpoint {

    private final StoreSequences sequences;

    /** Creates the endpoint. */
    public SequencesEndpoint(StoreSequences sequences) {
        this.sequences = sequences;
    }

    /**
     * The endpoint's result.
     *
     * @param store the store, for display
     * @param sequences its sequences, ordered by name; none if it has no catalogue
     * @param broken by name, why a row is no sequence
     */
    public record Listing(String store, List<Entry> sequences, Map<String, String> broken) {}

    /**
     * A sequence.
     *
     * @param name its name
     * @param nextValue the value that the store reserves next; if exhausted, the last value
     * @param exhausted whether the last value has been reserved
     * @param usedRatio the fraction of the range already used, from 0 to 1
     * @param open how it is open in this process: none, one or several modes
     */
    public record Entry(String name, long nextValue, boolean exhausted, double usedRatio, List<Open> open) {}

    /**
     * A mode in which a sequence is open in this process.
     *
     * @param mode the mode
     * @param inHand the number of reserved values that this process has left to deal
     */
    public record Open(String mode, long inHand) {}

    /**
     * Lists the sequences.
     *
     * @throws dev.seriatim.SequenceException.Unavailable if the store does not answer
     */
    @ReadOperation
    public Listing sequences() {
        Map<String, List<Open>> open = sequences.opened().stream()
                .collect(Collectors.groupingBy(
                        OpenSequence::name,
                        Collectors.mapping(each -> new Open(each.mode(), each.inHand()), Collectors.toList())));
        Map<String, String> broken = new TreeMap<>();
        List<SequenceState> listed = sequences.store() instanceof SequenceCatalog catalog
                ? catalog.list((name, why) -> broken.put(name, String.valueOf(why.getMessage())))
                : List.of();
        return new Listing(
                sequences.store().toString(),
                listed.stream().map(state -> entry(state, open)).toList(),
                broken);
    }

    private static Entry entry(SequenceState state, Map<String, List<Open>> open) {
        String name = state.definition().name();
        List<Open> here = open.getOrDefault(name, List.of());
        return new Entry(name, state.nextValue(), state.usedUp(), state.usedRatio(), here);
    }
}
