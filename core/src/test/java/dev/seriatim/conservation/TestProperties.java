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
 * The system properties {@code seriatim.…} by which a command says what the tests are to do. Nothing that is asked is passed over: a property that does not
 * exist, has a value that means nothing, or says nothing beside the others is refused, whichever the test at hand reads. Immutable.
 */
public final class TestProperties {

    private static final String OURS = "seriatim.";

    /** What the build sets, or reads itself. */
    private static final Set<String> OF_THE_BUILD = Set.of(
            "seriatim.build.folder",
            "seriatim.excluded.analysis",
            "seriatim.excluded.tests",
            "seriatim.lint.jdk",
            "seriatim.models.jdk",
            "seriatim.mutate",
            "seriatim.mutate.jdbc",
            "seriatim.mutate.tests",
            "seriatim.test.compiler",
            "seriatim.test.threads");

    private static final Form COUNT =
            new Form("a whole number from 1 to " + Integer.MAX_VALUE + ", in digits alone", TestProperties::isCount);
    private static final Form NUMBER =
            new Form("a whole number of 64 bits, in digits alone", TestProperties::isWholeNumber);
    private static final Form SECONDS = new Form("a number of seconds above 0", TestProperties::isSeconds);
    private static final Pattern WHOLE = Pattern.compile("-?[0-9]+");
    private static final Pattern DECIMAL = Pattern.compile("[0-9]+(\\.[0-9]+)?");

    /** A property, and what it says. */
    public enum Property {
        /** How many schedules are played. */
        SCHEDULES("seriatim.schedules", COUNT),
        /** The seed of the first. */
        SCHEDULE_FIRST("seriatim.schedule.first", NUMBER),
        /** The one schedule that is played instead. */
        SCHEDULE_SEED("seriatim.schedule.seed", NUMBER),
        /** How long rounds of conservation are played. */
        CONSERVATION_SECONDS("seriatim.conservation.seconds", SECONDS),
        /** How many of them instead. */
        CONSERVATION_ROUNDS("seriatim.conservation.rounds", COUNT),
        /** In which modes. */
        CONSERVATION_MODE("seriatim.conservation.mode", Form.someOf(Mode.class)),
        /** The seed of the first. */
        CONSERVATION_SEED("seriatim.conservation.seed", NUMBER),
        /** How often each. */
        CONSERVATION_REPEAT("seriatim.conservation.repeat", COUNT),
        /** How many scenarios the model checker makes. */
        LINCHECK_ITERATIONS("seriatim.lincheck.iterations", COUNT),
        /** How many executions of each it looks at. */
        LINCHECK_INVOCATIONS("seriatim.lincheck.invocations", COUNT),
        /** How much of a trial is gone through. */
        TRIALS("seriatim.trials", new Form("build or soak", TestProperties::isScale)),
        /** How many rounds of it, in a soak. */
        TRIALS_ROUNDS("seriatim.trials.rounds", COUNT),
        /** On which engines; those who read it know their names. */
        TRIALS_ENGINES("seriatim.trials.engines", new Form("the names of engines", names -> true)),
        /** How many transactions with many draws. */
        MANY("seriatim.many", COUNT),
        /** For how many seconds a server stands still. */
        STOPPED("seriatim.stopped", COUNT);

        private final String title;

        // Words, and a function without a state.
        @SuppressWarnings("ImmutableEnumChecker")
        private final Form form;

        Property(String title, Form form) {
            this.title = title;
            this.form = form;
        }

        private void check(String value, Form expected) {
            if (!expected.fits().test(value)) {
                throw new IllegalArgumentException("%s is %s, not '%s'".formatted(title, expected.words(), value));
            }
        }

        static Property titled(String title) {
            return Stream.of(values())
                    .filter(property -> property.title.equals(title))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("there is no property %s; there are %s"
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
                    "one or more of " + String.join(", ", there) + ", with commas between them",
                    value -> names(value).allMatch(name -> there.stream().anyMatch(name::equalsIgnoreCase)));
        }
    }

    private final Map<String, String> given;

    /**
     * Looks at all of ours among these system properties.
     *
     * @throws IllegalArgumentException if one of them is refused
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
            throw new IllegalArgumentException("seriatim.trials.rounds says nothing without seriatim.trials=soak");
        }
    }

    /** Those of this JVM. */
    public static TestProperties ofThisJvm() {
        return new TestProperties(System.getProperties().stringPropertyNames().stream()
                .collect(Collectors.toMap(title -> title, title -> System.getProperty(title, ""))));
    }

    /** Whether it is set. */
    public boolean has(Property property) {
        return given.containsKey(property.title);
    }

    /** A number above 0, or what is meant where none is set. */
    public int count(Property property, int otherwise) {
        return text(property).map(Integer::valueOf).orElse(otherwise);
    }

    /** A number such as a seed, or what is meant where none is set. */
    public long number(Property property, long otherwise) {
        return text(property).map(Long::valueOf).orElse(otherwise);
    }

    /** Seconds, or what is meant where none are set. */
    public double seconds(Property property, double otherwise) {
        return text(property).map(Double::valueOf).orElse(otherwise);
    }

    /**
     * Those of all that are named, in upper or lower case; all where none are.
     *
     * @throws IllegalArgumentException if there is a name that none of them has
     */
    public <E extends Enum<E>> List<E> named(Property property, Class<E> all) {
        text(property).ifPresent(value -> property.check(value, Form.someOf(all)));
        return Stream.of(all.getEnumConstants())
                .filter(each -> text(property)
                        .map(value -> names(value).anyMatch(each.name()::equalsIgnoreCase))
                        .orElse(true))
                .toList();
    }

    /** Whether much of the trials is gone through, and not the little of every build. */
    public boolean isSoak() {
        return text(Property.TRIALS).filter("soak"::equalsIgnoreCase).isPresent();
    }

    private Optional<String> text(Property property) {
        return Optional.ofNullable(given.get(property.title));
    }

    private void isAlone(Property property, Property other) {
        if (has(property) && has(other)) {
            throw new IllegalArgumentException("%s says nothing beside %s".formatted(other.title, property.title));
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
