// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.UniqueId.Segment;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

class RunOnceTest {

    /** Tests of every kind; no build runs them, only the tests of this class. */
    static class Sample {
        @RegisterExtension
        static RunOnce once = new RunOnce(null);

        @Test
        void succeeds() {}

        @Test
        @Tag("long")
        void takes_long() {}

        @Test
        void lacks_a_server() {
            Assumptions.abort("skipped");
        }

        @Test
        @Disabled("for this test")
        void is_disabled() {}

        @Test
        void fails() {
            Assertions.fail("for this test");
        }

        @ParameterizedTest
        @ValueSource(ints = {1, 2})
        void succeeds_with_each(int number) {
            assertThat(number).isPositive();
        }

        @ParameterizedTest
        @ValueSource(ints = {1, 2})
        void lacks_the_server_of_one(int number) {
            Assumptions.assumeTrue(number == 1, "skipped");
        }

        @TestFactory
        Stream<DynamicTest> succeeds_with_what_it_makes() {
            return Stream.of("a", "b").map(name -> DynamicTest.dynamicTest(name, () -> {}));
        }

        @TestFactory
        Stream<DynamicTest> lacks_the_server_of_what_it_makes() {
            return Stream.of("a", "b")
                    .map(name -> DynamicTest.dynamicTest(name, () -> Assumptions.assumeTrue(name.equals("a"))));
        }

        @TestFactory
        Stream<DynamicTest> makes_nothing() {
            return Stream.of();
        }

        @Nested
        class Inside {
            @Test
            void succeeds_inside() {}
        }

        @Nested
        class Without {
            @BeforeAll
            static void lacks() {
                Assumptions.abort("skipped");
            }

            @Test
            void lacks_its_class() {}
        }
    }

    /** A class with parameters. */
    @ParameterizedClass
    @ValueSource(ints = {1, 2})
    static class SampleOfEach {
        @RegisterExtension
        static RunOnce once = new RunOnce(null);

        private final int number;

        SampleOfEach(int number) {
            this.number = number;
        }

        @Test
        void succeeds_on_each() {
            assertThat(number).isPositive();
        }

        @Test
        void lacks_one() {
            Assumptions.assumeTrue(number == 1, "skipped");
        }
    }

    /** A class of which one parameter does not begin. */
    @ParameterizedClass
    @ValueSource(ints = {1, 2})
    static class SampleWithoutOne {
        @RegisterExtension
        static RunOnce once = new RunOnce(null);

        SampleWithoutOne(int number) {
            assertThat(number).isPositive();
        }

        @BeforeParameterizedClassInvocation
        static void lacks(int number) {
            Assumptions.assumeTrue(number == 1, "skipped");
        }

        @Test
        void lacks_one_of_its_class() {}
    }

    /** A class that fails after its tests. */
    static class SampleThatFailsAtItsEnd {
        @RegisterExtension
        static RunOnce once = new RunOnce(null);

        @Test
        void succeeds_before_its_class_fails() {}

        @AfterAll
        static void fails() {
            Assertions.fail("for this test");
        }
    }

    private static final List<String> RUN_ONCE = List.of(
            "lacks_one#1",
            "lacks_one_of_its_class#1",
            "lacks_the_server_of_one#1",
            "succeeds",
            "succeeds_inside",
            "succeeds_on_each#1",
            "succeeds_on_each#2",
            "succeeds_with_each",
            "succeeds_with_each#1",
            "succeeds_with_each#2",
            "succeeds_with_what_it_makes",
            "succeeds_with_what_it_makes#1",
            "succeeds_with_what_it_makes#2");

    private static final List<String> RUN_AGAIN = List.of(
            "fails",
            "lacks_one#2",
            "lacks_a_server",
            "lacks_the_server_of_one",
            "lacks_the_server_of_one#2",
            "lacks_the_server_of_what_it_makes",
            "lacks_the_server_of_what_it_makes#1",
            "lacks_the_server_of_what_it_makes#2",
            "makes_nothing",
            "succeeds_before_its_class_fails");

    @TempDir
    private Path folder;

    @Test
    void a_second_build_runs_what_the_first_left_out_skipped_or_failed() {
        String list = folder.resolve("ran").toString();
        assertThat(begunWith(list, "long")).containsExactlyElementsOf(sorted(RUN_ONCE, RUN_AGAIN));
        assertThat(begunWith(list, "none")).containsExactlyElementsOf(sorted(RUN_AGAIN, List.of("takes_long")));
        assertThat(begunWith(list, "none")).containsExactlyElementsOf(sorted(RUN_AGAIN, List.of()));
    }

    @Test
    void without_a_list_every_test_runs_and_nothing_is_written() {
        for (String none : Arrays.asList(null, "", " ")) {
            assertThat(begunWith(none, "long")).containsExactlyElementsOf(sorted(RUN_ONCE, RUN_AGAIN));
            assertThat(begunWith(none, "long")).containsExactlyElementsOf(sorted(RUN_ONCE, RUN_AGAIN));
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void a_list_that_cannot_be_read_is_named() {
        assertThatThrownBy(() -> new RunOnce(folder.toString()))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining(folder.toString())
                .hasMessageContaining("seriatim.ran");
    }

    @Test
    void junit_finds_it() {
        assertThat(ServiceLoader.load(Extension.class)).anyMatch(RunOnce.class::isInstance);
        assertThat(ServiceLoader.load(PostDiscoveryFilter.class)).anyMatch(RunOnce.class::isInstance);
        assertThat(ServiceLoader.load(TestExecutionListener.class)).anyMatch(RunOnce.class::isInstance);
    }

    private static Set<String> sorted(List<String> some, List<String> others) {
        return Stream.of(some, others).flatMap(List::stream).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns the methods that have begun, with the number of each run of those that have several, in order. */
    private static Set<String> begunWith(@Nullable String list, String excludedTag) {
        Set<String> begun = new ConcurrentSkipListSet<>();
        RunOnce once = new RunOnce(list);
        Sample.once = once;
        SampleOfEach.once = once;
        SampleWithoutOne.once = once;
        SampleThatFailsAtItsEnd.once = once;
        Launcher launcher = LauncherFactory.create(LauncherConfig.builder()
                .enablePostDiscoveryFilterAutoRegistration(false)
                .enableTestExecutionListenerAutoRegistration(false)
                .enableLauncherSessionListenerAutoRegistration(false)
                .addPostDiscoveryFilters(once)
                .addTestExecutionListeners(once, new TestExecutionListener() {
                    @Override
                    public void executionStarted(TestIdentifier test) {
                        if (test.getSource().orElse(null) instanceof MethodSource method) {
                            begun.add(method.getMethodName()
                                    + test.getUniqueIdObject().getSegments().stream()
                                            .map(Segment::getValue)
                                            .filter(value -> value.startsWith("#"))
                                            .collect(Collectors.joining()));
                        }
                    }
                })
                .build());
        launcher.execute(LauncherDiscoveryRequestBuilder.request()
                .selectors(
                        selectClass(Sample.class),
                        selectClass(SampleOfEach.class),
                        selectClass(SampleWithoutOne.class),
                        selectClass(SampleThatFailsAtItsEnd.class))
                .filters(TagFilter.excludeTags(excludedTag))
                .build());
        return begun;
    }
}
