// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.UniqueId.Segment;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Leaves out the tests in a list, and adds those that succeed; not those that are skipped, since another machine may
 * have the software. A method with parameters, its own or its class's, or one that creates tests, is left out as a
 * whole once all its runs have succeeded in one build.
 *
 * <p>The system property {@code seriatim.ran} names the file with the list; without it, every test runs and nothing is
 * written. JUnit finds this class as a service. Thread-safe.
 */
public final class RunOnce implements PostDiscoveryFilter, ExecutionCondition, TestExecutionListener {
    private static final String LIST = "seriatim.ran";
    private static final Set<String> METHODS = Set.of("method", "test-template", "test-factory");

    private final Optional<Path> list;
    private final Set<String> before;
    private final Set<UniqueId> tested = ConcurrentHashMap.newKeySet();
    private final Set<UniqueId> incomplete = ConcurrentHashMap.newKeySet();

    public RunOnce() {
        this(System.getProperty(LIST));
    }

    RunOnce(@Nullable String file) {
        list = Optional.ofNullable(file).filter(name -> !name.isBlank()).map(Path::of);
        before = list.filter(Files::exists).map(RunOnce::read).orElse(Set.of());
    }

    private static Set<String> read(Path list) {
        try {
            return new HashSet<>(Files.readAllLines(list));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + list + ", which " + LIST + " names", e);
        }
    }

    @Override
    public FilterResult apply(TestDescriptor test) {
        return FilterResult.includedIf(
                !before.contains(test.getUniqueId().toString()), () -> "runs", () -> "has run, says " + LIST);
    }

    /** Leaves out single runs, which are not known at the discovery. */
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return before.contains(context.getUniqueId())
                ? ConditionEvaluationResult.disabled("has run, says " + LIST)
                : ConditionEvaluationResult.enabled("runs");
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        incomplete.add(discovered(test.getUniqueIdObject()));
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        UniqueId id = test.getUniqueIdObject();
        if (result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
            incomplete.add(discovered(id));
            tested.removeIf(each -> each.hasPrefix(id));
        } else if (test.isTest()) {
            tested.add(id);
        }
    }

    /** Returns the id that its method, or else its class, had when it was discovered: without the numbers of runs. */
    private static UniqueId discovered(UniqueId run) {
        List<Segment> segments = run.getSegments();
        UniqueId id = UniqueId.root(segments.get(0).getType(), segments.get(0).getValue());
        for (Segment segment : segments.subList(1, segments.size())) {
            id = segment.getType().equals("class-template-invocation") ? id : id.append(segment);
            if (METHODS.contains(segment.getType())) {
                break;
            }
        }
        return id;
    }

    @Override
    public void testPlanExecutionFinished(TestPlan plan) {
        list.ifPresent(this::append);
    }

    private void append(Path file) {
        Stream<UniqueId> methods = tested.stream()
                .map(RunOnce::discovered)
                .filter(id -> incomplete.stream().noneMatch(each -> each.hasPrefix(id) || id.hasPrefix(each)));
        String lines = Stream.concat(tested.stream(), methods)
                .distinct()
                .map(id -> id + "\n")
                .sorted()
                .collect(Collectors.joining());
        // Locked, because the tests of another module may end at the same time.
        try (var channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                var output = Channels.newOutputStream(channel)) {
            channel.lock();
            output.write(lines.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write to " + file + ", which " + LIST + " names", e);
        }
        tested.clear();
    }
}
