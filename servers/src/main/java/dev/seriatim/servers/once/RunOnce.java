// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers.once;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Leaves out the test methods that a list names, and adds to it those that succeed. A method with parameters, or one that makes tests,
 * is added if it has run at least one, and all of them have succeeded. A test that is skipped, wholly or in part, is not added: it runs
 * again where what it lacks is there.
 *
 * <p>The system property {@code seriatim.ran} names the list, a file; without it, every test runs and nothing is written. JUnit finds
 * this class as a service. Thread-safe.
 */
public final class RunOnce implements PostDiscoveryFilter, TestExecutionListener {

    private static final String LIST = "seriatim.ran";
    private static final Set<String> METHODS = Set.of("method", "test-template", "test-factory");

    private final Optional<Path> list;
    private final Set<UniqueId> before;
    private final Set<UniqueId> tested = ConcurrentHashMap.newKeySet();
    private final Set<UniqueId> incomplete = ConcurrentHashMap.newKeySet();
    private final Set<String> complete = ConcurrentHashMap.newKeySet();

    /** Called by JUnit. */
    public RunOnce() {
        this(System.getProperty(LIST));
    }

    RunOnce(@Nullable String file) {
        list = Optional.ofNullable(file).filter(name -> !name.isBlank()).map(Path::of);
        before = list.filter(Files::exists).map(RunOnce::read).orElse(Set.of());
    }

    private static Set<UniqueId> read(Path list) {
        try {
            return Set.copyOf(
                    Files.readAllLines(list).stream().map(UniqueId::parse).toList());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + list + ", which " + LIST + " names", e);
        }
    }

    @Override
    public FilterResult apply(TestDescriptor test) {
        return FilterResult.includedIf(
                !before.contains(test.getUniqueId()), () -> "runs", () -> "has run, says " + LIST);
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        addMethod(test, incomplete);
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
            addMethod(test, incomplete);
        } else if (test.isTest()) {
            addMethod(test, tested);
        }
        UniqueId id = test.getUniqueIdObject();
        if (isMethod(id) && tested.contains(id) && !incomplete.contains(id)) {
            complete.add(id.toString());
        }
    }

    private static void addMethod(TestIdentifier test, Set<UniqueId> those) {
        UniqueId id = test.getUniqueIdObject();
        while (id.getSegments().size() > 1) {
            if (isMethod(id)) {
                those.add(id);
            }
            id = id.removeLastSegment();
        }
    }

    private static boolean isMethod(UniqueId id) {
        return METHODS.contains(id.getLastSegment().getType());
    }

    @Override
    public void testPlanExecutionFinished(TestPlan plan) {
        list.ifPresent(this::append);
    }

    private void append(Path file) {
        List<String> lines = List.copyOf(new TreeSet<>(complete));
        try {
            Files.write(file, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write to " + file + ", which " + LIST + " names", e);
        }
        complete.clear();
    }
}
