// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.conservation;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The system properties {@code seriatim.…} that configure the tests. No request is ignored: a property that does not
 * exist, has an invalid value, or has no effect beside the others is rejected, whichever of them the current test
 * reads. Immutable.
 */
public final class TestProperties {

    private static final String OURS = "seriatim.";

    /** Set or read by the build itself. */
    private static final Set<String> OF_THE_BUILD = Set.of(
            "seriatim.build.folder",
            "seriatim.excluded.analysis",
            "seriatim.excluded.tests",
            "seriatim.hibernate.excludes",
            "seriatim.lint.jdk",
            "seriatim.micrometer",
            "seriatim.models.jdk",
            "seriatim.mutate",
            "seriatim.mutate.jdbc",
            "seriatim.mutate.tests",
            "seriatim.newest.java",
            "seriatim.once",
            "seriatim.one.version",
            "seriatim.only.long",
            "seriatim.ran",
            "seriatim.repository",
            "seriatim.staging",
            "seriatim.test.boot",
            "seriatim.test.compiler",
            "seriatim.test.hibernate",
            "seriatim.test.threads",
            "seriatim.test.timeout");

    private static final Form COUNT =
            new Form("a whole number from 1 to " + Integer.MAX_VALUE + ", digits only", TestProperties::isCount);
    private static final Form NUMBER = new Form("a 64-bit integer, digits only", TestProperties::isWholeNumber);
    private static final Form SECONDS = new Form("a number of seconds above 0", TestProperties::isSeconds);
    private static final Pattern WHOLE = Pattern.compile("-?[0-9]+");
    private static final Pattern DECIMAL = Pattern.compile("[0-9]+(\\.[0-9]+)?");

    /** A property, and the form of its value. */
    public enum Property {
        /** Number of schedules. */
        SCHEDULES("seriatim.schedules", COUNT),
        /** Seed of the first schedule. */
        SCHEDULE_FIRST("seriatim.schedule.first", NUMBER),
        /** Seed of a single schedule to play instead. */
        SCHEDULE_SEED("seriatim.schedule.seed", NUMBER),
        /** In how many decisions schedules differ from the usual one, in a model that plays all of them. */
        DEVIATIONS("seriatim.schedule.deviations", COUNT),
        /** Total time of conservation rounds, in seconds. */
        CONSERVATION_SECONDS("seriatim.conservation.seconds", SECONDS),
        /** Number of conservation rounds instead. */
        CONSERVATION_ROUNDS("seriatim.conservation.rounds", COUNT),
        /** Modes of conservation rounds. */
        CONSERVATION_MODE("seriatim.conservation.mode", Form.someOf(ConservationMode.class)),
        /** Seed of the first conservation round. */
        CONSERVATION_SEED("seriatim.conservation.seed", NUMBER),
        /** Repetitions of each conservation round. */
        CONSERVATION_REPEAT("seriatim.conservation.repeat", COUNT),
        /** Number of scenarios of the model checker. */
        LINCHECK_ITERATIONS("seriatim.lincheck.iterations", COUNT),
        /** Number of executions of each scenario. */
        LINCHECK_INVOCATIONS("seriatim.lincheck.invocations", COUNT),
        /** Scale of the trials. */
        TRIALS("seriatim.trials", new Form("build or soak", TestProperties::isScale)),
        /** Number of rounds of a trial, in a soak. */
        TRIALS_ROUNDS("seriatim.trials.rounds", COUNT),
        /** Engines of the trials; tests that read this know their names. */
        TRIALS_ENGINES("seriatim.trials.engines", new Form("the names of engines", names -> true)),
        /** Number of transactions with many draws. */
        MANY("seriatim.many", COUNT),
        /** Number of seconds for which a server is suspended. */
        STOPPED("seriatim.stopped", COUNT);

        private final String title;

        // A string, and a stateless function.
        @SuppressWarnings("ImmutableEnumChecker")
        private final Form form;

        Property(String title, Form form) {
            this.title = title;
            this.form = form;
        }

        private void check(String value, Form expected) {
            if (!expected.fits().test(value)) {
                throw new IllegalArgumentException("%s must be %s, not '%s'".formatted(title, expected.words(), value));
            }
        }

        static Property titled(String title) {
            return Stream.of(values())
                    .filter(property -> property.title.equals(title))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("unknown property %s; known properties: %s"
                            .formatted(
                                    title,
                                    Stream.of(values())
                                            .map(property -> property.title)
                                            .collect(Collectors.joining(", ")))));
        }
    }

    private record Form(String words, Predicate<String> fits) {
        static <E extends Enum<E>> Form someOf(Class<E> all) {
            List<String> there =
                    Stream.of(all.getEnumConstants()).map(Enum::name).toList();
            return new Form(
                    "one or more of " + String.join(", ", there) + ", separated by commas",
                    value -> names(value).allMatch(name -> there.stream().anyMatch(name::equalsIgnoreCase)));
        }
    }

    private final Map<String, String> given;

    /**
     * Validates all of these system properties.
     *
     * @throws IllegalArgumentException if one of them is invalid
     */
    TestProperties(Map<String, String> properties) {
        given = new TreeMap<>(properties);
        given.keySet().removeIf(title -> !title.startsWith(OURS) || OF_THE_BUILD.contains(title));
        given.forEach((title, value) -> {
            Property property = Property.titled(title);
            property.check(value, property.form);
        });
        isAlone(Property.SCHEDULE_SEED, Property.SCHEDULES);
        isAlone(Property.SCHEDULE_SEED, Property.SCHEDULE_FIRST);
        isAlone(Property.CONSERVATION_ROUNDS, Property.CONSERVATION_SECONDS);
        isAlone(Property.CONSERVATION_SEED, Property.CONSERVATION_SECONDS);
        if (has(Property.TRIALS_ROUNDS) && !isSoak()) {
            throw new IllegalArgumentException("seriatim.trials.rounds has no effect without seriatim.trials=soak");
        }
    }

    /** Returns the properties of this JVM. */
    public static TestProperties ofThisJvm() {
        return new TestProperties(System.getProperties().stringPropertyNames().stream()
                .collect(Collectors.toMap(title -> title, title -> System.getProperty(title, ""))));
    }

    /** Returns whether the property is set. */
    public boolean has(Property property) {
        return given.containsKey(property.title);
    }

    /** Returns a number above 0, or the default. */
    public int count(Property property, int otherwise) {
        return text(property).map(Integer::valueOf).orElse(otherwise);
    }

    /** Returns a number such as a seed, or the default. */
    public long number(Property property, long otherwise) {
        return text(property).map(Long::valueOf).orElse(otherwise);
    }

    /** Returns a number of seconds, or the default. */
    public double seconds(Property property, double otherwise) {
        return text(property).map(Double::valueOf).orElse(otherwise);
    }

    /**
     * Returns the named constants, in upper or lower case; all if none are named.
     *
     * @throws IllegalArgumentException if a name is unknown
     */
    public <E extends Enum<E>> List<E> named(Property property, Class<E> all) {
        text(property).ifPresent(value -> property.check(value, Form.someOf(all)));
        return Stream.of(all.getEnumConstants())
                .filter(each -> text(property)
                        .map(value -> names(value).anyMatch(each.name()::equalsIgnoreCase))
                        .orElse(true))
                .toList();
    }

    /** Returns whether trials run as a soak. */
    public boolean isSoak() {
        return text(Property.TRIALS).filter("soak"::equalsIgnoreCase).isPresent();
    }

    private Optional<String> text(Property property) {
        return Optional.ofNullable(given.get(property.title));
    }

    private void isAlone(Property property, Property other) {
        if (has(property) && has(other)) {
            throw new IllegalArgumentException("%s has no effect with %s".formatted(other.title, property.title));
        }
    }

    private static Stream<String> names(String value) {
        return Stream.of(value.split(",", -1)).map(String::strip);
    }

    private static boolean isScale(String value) {
        return value.equalsIgnoreCase("build") || value.equalsIgnoreCase("soak");
    }

    private static boolean isSeconds(String value) {
        return DECIMAL.matcher(value).matches() && Double.parseDouble(value) > 0;
    }

    private static boolean isCount(String value) {
        return isWholeNumber(value) && Long.parseLong(value) > 0 && Long.parseLong(value) <= Integer.MAX_VALUE;
    }

    private static boolean isWholeNumber(String value) {
        try {
            Long.parseLong(value);
            return WHOLE.matcher(value).matches();
        } catch (NumberFormatException e) {
            return false;
        }
    }
}
