// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.seriatim.Allocation;
import dev.seriatim.bench.load.Iteration;
import dev.seriatim.bench.load.ScratchTable;
import dev.seriatim.bench.load.Site;
import dev.seriatim.bench.simulation.ModeProfile;
import dev.seriatim.bench.simulation.StoreTimes;
import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.cli.option.EngineSql.SequenceSql;
import dev.seriatim.cli.option.EngineSql.UuidSql;
import dev.seriatim.store.OpenStore;
import dev.seriatim.striped.Striping;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A mode of the library, or another way to generate numbers, to be measured. Immutable.
 *
 * @param name its name, as on the command line and in files
 * @param like the mode that it is, or whose promise and limit it shares
 * @param absence returns why such a run is impossible on a site; empty if it is possible
 */
public record Contender(
        String name,
        @Nullable DrawMode like,
        ScratchTable.Key key,
        Function<Stage, Iteration> opening,
        BiFunction<Site, RunPlan, Optional<String>> absence) {

    static final List<Contender> MODES = Arrays.stream(DrawMode.values())
            .map(mode -> new Contender(
                    mode.name(),
                    mode,
                    ScratchTable.Key.NUMBER,
                    stage -> stage.drawing(mode),
                    (site, plan) -> mode.missingIn(site.store())))
            .toList();

    /** A counter in this process, without a store: the upper bound for all others. */
    static final Contender ATOMIC_LONG =
            numbers("ATOMIC_LONG", stage -> stage.drawing(new AtomicLong(1)::getAndIncrement));

    /** A row that the transaction increments in plain SQL, as published. */
    static final Contender EMULATED = new Contender(
            "EMULATED",
            DrawMode.SYNC,
            ScratchTable.Key.NUMBER,
            SqlDraws::emulated,
            unless((site, plan) -> site.engine().emulated().isPresent(), "no emulated sequence"));

    static final Contender AUTO_INCREMENT = new Contender(
            "AUTO_INCREMENT",
            null,
            ScratchTable.Key.IDENTITY,
            SqlDraws::identities,
            unless(
                    (site, plan) -> plan.setting().insertsRows()
                            && site.engine().identity().isPresent(),
                    "it numbers inserted rows; add --insert-rows, on a database with such columns"));

    static final Contender NATIVE =
            new Contender("NATIVE", null, ScratchTable.Key.NUMBER, SqlDraws::natively, (site, plan) -> {
                Optional<SequenceSql> sequence = site.engine().sequence();
                return !site.hasConnections() || sequence.isEmpty()
                        ? Optional.of("no native sequences")
                        : plan.batchSize() > 1 && !sequence.get().cached()
                                ? Optional.of("its sequences have no cache; add --batch-size 1")
                                : Optional.empty();
            });

    static final Contender SERVER_UUID = new Contender(
            "UUID",
            null,
            ScratchTable.Key.UUID,
            SqlDraws::serverUuids,
            unless(
                    (site, plan) -> site.hasConnections()
                            && site.engine().uuids().filter(UuidSql::generated).isPresent()
                            && (!plan.setting().insertsRows()
                                    || site.engine().series().isPresent()),
                    "no UUID function"));

    /** A row that is numbered by SYNC as the last step of its transaction. */
    static final Contender LAST = new Contender(
            "LAST",
            DrawMode.SYNC,
            ScratchTable.Key.IDENTITY_AND_NUMBER,
            Stage::drawingLast,
            unless(Contender::numbersRows, "it numbers an inserted row; add --insert-rows, on a database"));

    /** The same by PostgreSQL's trigger. */
    static final Contender AT_COMMIT = new Contender(
            "AT_COMMIT",
            DrawMode.SYNC,
            ScratchTable.Key.IDENTITY_AND_NUMBER,
            SqlDraws::atCommit,
            unless(
                    (site, plan) -> numbersRows(site, plan) && site.product().startsWith("PostgreSQL"),
                    "it numbers an inserted row; add --insert-rows, on PostgreSQL"));

    static final Contender UUID_V4 = uuids("UUID_V4", UUID::randomUUID);

    static final Contender UUID_V7 = uuids("UUID_V7", UuidCreator::getTimeOrderedEpoch);

    /** ASYNC over several counters: the library's own, but no mode. */
    static final Contender STRIPED = numbers("STRIPED", Contender::striped);

    private static final int STRIPES = 4;

    private static final List<Contender> BASELINES = List.of(
            ATOMIC_LONG, EMULATED, AUTO_INCREMENT, NATIVE, SERVER_UUID, UUID_V4, UUID_V7, STRIPED, LAST, AT_COMMIT);

    public static List<Contender> all() {
        return Stream.concat(MODES.stream(), BASELINES.stream()).toList();
    }

    static Contender of(DrawMode mode) {
        return MODES.stream()
                .filter(contender -> contender.like == mode)
                .findFirst()
                .orElseThrow();
    }

    /** Parses the name of a mode or baseline, in any case, with {@code -} or {@code _}. */
    static final class Named implements ITypeConverter<Contender> {

        @Override
        public Contender convert(String text) {
            String name = text.strip().toUpperCase(Locale.ROOT).replace('-', '_');
            return all().stream()
                    .filter(contender -> contender.name.equals(name))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("'" + text + "' is not one of "
                            + all().stream().map(Contender::name).collect(Collectors.joining(", "))));
        }
    }

    /** Returns the name with the settings that apply, unique in its experiment. */
    String label(RunPlan plan) {
        if (equals(NATIVE)) {
            return name + ", cache " + plan.batchSize();
        }
        return name
                + (equals(STRIPED) ? ", " + STRIPES + " counters" : "")
                + (hasBatchSize() ? ", batch size " + plan.batchSize() : "")
                + (hasLowWaterMark() ? ", low-water mark " + plan.lowWaterMark() : "");
    }

    /** Returns whether its numbers come from the sequence created for the run. */
    public boolean drawsFromTheSequence() {
        return MODES.contains(this) || drawsLast();
    }

    private boolean drawsLast() {
        return key == ScratchTable.Key.IDENTITY_AND_NUMBER;
    }

    private static boolean numbersRows(Site site, RunPlan plan) {
        return plan.setting().rows() == 1
                && DrawMode.SYNC.missingIn(site.store()).isEmpty()
                && site.engine().identity().isPresent();
    }

    /** Returns whether a draw that starts after another has returned gets a higher value. */
    boolean ordered() {
        return like != null && like.promise().ordered();
    }

    /** Returns whether no value is missing from the committed ones. */
    boolean gapless() {
        return like != null && like.promise().gapless();
    }

    boolean hasBatchSize() {
        return like != null ? like.hasBatchSize() : equals(NATIVE);
    }

    boolean hasLowWaterMark() {
        return like != null && like.hasLowWaterMark();
    }

    /** Returns whether it reserves more values than it uses at once. */
    boolean dealsFromBlocks() {
        return like != null && like.dealsFromBlocks();
    }

    /** Returns whether most draws need no store. */
    boolean dealsFromMemory() {
        return like != null ? like.dealsFromMemory() : equals(ATOMIC_LONG);
    }

    /** Returns the maximum values per second, possibly infinite, if the application works for some seconds per value. */
    double limitPerSecond(int threads, StoreTimes store, double application) {
        return like == null || drawsLast()
                ? threads / application
                : ModeProfile.of(like).limit().perSecond(threads, store, application);
    }

    private static Iteration striped(Stage stage) {
        Striping striping = new Striping(stage.sequence(), STRIPES);
        if (!stage.isGuest()) {
            OpenStore store = stage.site().store();
            striping.create(store, store.newDefinition(stage.sequence()).build());
            stage.onClose(() -> striping.drop(store));
        }
        return stage.drawing(stage.newInstance().striped(striping, Allocation.async()));
    }

    /** Returns a baseline that every site offers. */
    private static Contender numbers(String name, Function<Stage, Iteration> opening) {
        return new Contender(name, null, ScratchTable.Key.NUMBER, opening, (site, plan) -> Optional.empty());
    }

    private static Contender uuids(String name, Supplier<UUID> making) {
        return new Contender(
                name,
                null,
                ScratchTable.Key.UUID,
                stage -> SqlDraws.uuids(stage, making),
                unless(
                        (site, plan) -> !plan.setting().insertsRows()
                                || site.engine().uuids().isPresent(),
                        "no UUID columns"));
    }

    private static BiFunction<Site, RunPlan, Optional<String>> unless(BiPredicate<Site, RunPlan> there, String reason) {
        return (site, plan) -> there.test(site, plan) ? Optional.empty() : Optional.of(reason);
    }
}
