// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceException;
import dev.seriatim.jdbc.JdbcSequences;
import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.store.SequenceTable;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.SecondaryTable;
import jakarta.persistence.Table;
import java.util.HashMap;
import java.util.Map;
import org.assertj.core.api.AbstractThrowableAssert;
import org.hibernate.SessionFactory;
import org.hibernate.boot.MetadataSources;
import org.hibernate.boot.registry.StandardServiceRegistry;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.hibernate.engine.config.internal.ConfigurationServiceImpl;
import org.hibernate.engine.config.spi.ConfigurationService;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/** A session factory creates and checks sequences when it starts, and reports mistakes. */
class StartTest {

    @Entity
    @Table(name = "thing")
    static class Thing {
        @Id
        @Seriatim
        long id;
    }

    @Entity
    static class Doubled {
        @Id
        @Seriatim("thing_id")
        long id;

        @SeriatimNumber("thing_id")
        long number;
    }

    @Entity
    @Table(name = "numbered")
    static class Numbered {
        @Id
        @Seriatim
        long id;

        @SeriatimNumber
        long number;
    }

    @Entity
    static class Untyped {
        @Id
        @Seriatim
        java.util.UUID id;
    }

    @Entity
    static class Unpatterned {
        @Id
        @Seriatim
        String id;
    }

    @Entity
    static class Patterned {
        @Id
        @Seriatim(pattern = "A-{seq}")
        long id;
    }

    @Entity
    static class Reversed {
        @Id
        @Seriatim(bitReversed = true)
        int id;
    }

    @Entity
    static class ReversedInOrder {
        @Id
        @Seriatim(bitReversed = true, guarantee = Guarantee.GAPLESS)
        long id;
    }

    @Entity
    @SecondaryTable(name = "issued")
    static class Elsewhere {
        @Id
        @Seriatim
        long id;

        @Column(table = "issued")
        @SeriatimNumber(of = "status", when = "ISSUED")
        Long number;

        String status;
    }

    @Entity
    @Inheritance(strategy = InheritanceType.TABLE_PER_CLASS)
    static class Concrete {
        @Id
        @Seriatim
        long id;

        @SeriatimNumber(of = "status", when = "ISSUED")
        Long number;

        String status;
    }

    @Entity
    static class Below extends Concrete {}

    @Entity
    static class UnknownMode {
        @Id
        @Seriatim(mode = "FAST")
        long id;
    }

    @Entity
    static class UnorderedMode {
        @Id
        @Seriatim(mode = "ADAPTIVE", guarantee = Guarantee.ORDERED)
        long id;
    }

    @Entity
    static class GaplessMode {
        @Id
        @Seriatim(mode = "COMBINED", guarantee = Guarantee.GAPLESS)
        long id;
    }

    @Entity
    static class OtherMode {
        @Id
        @Seriatim(value = "thing_id", mode = "COMBINED")
        long id;
    }

    @Entity
    static class Named {
        @Id
        @Seriatim("a@b")
        long id;
    }

    @Entity
    static class HalfLate {
        @Id
        @Seriatim
        long id;

        @SeriatimNumber(of = "id")
        Long number;
    }

    @Entity
    static class MisspeltProperty {
        @Id
        @Seriatim
        long id;

        @SeriatimNumber(of = "stauts", when = "ISSUED")
        Long number;

        String status;
    }

    @Entity
    static class MisspeltConstant {
        @Id
        @Seriatim
        long id;

        @SeriatimNumber(of = "status", when = "ISUED")
        Long number;

        LateNumberTest.Status status;
    }

    @Entity
    static class PrimitiveLate {
        @Id
        @Seriatim
        long id;

        @SeriatimNumber(of = "status", when = "x")
        long number;

        String status;
    }

    @Entity
    static class NotUpdatable {
        @Id
        @Seriatim
        long id;

        @SeriatimNumber(of = "status", when = "ISSUED")
        @Column(updatable = false)
        Long number;

        String status = "DRAFT";
    }

    @Entity
    static class NotInsertable {
        @Id
        @Seriatim
        long id;

        @SeriatimNumber
        @Column(insertable = false)
        Long number;
    }

    @Embeddable
    static class Papers {
        @SeriatimNumber
        @Nullable
        Long number;
    }

    @Embeddable
    static class LatePapers {
        @SeriatimNumber(of = "status", when = "ISSUED")
        @Nullable
        Long number;

        @Nullable
        String status;
    }

    @Entity
    static class Embedding {
        @Id
        @Seriatim
        long id;

        Papers papers;
    }

    @Entity
    static class LateEmbedding {
        @Id
        @Seriatim
        long id;

        LatePapers papers;
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> refused(
            Map<String, Object> settings, Class<?>... entities) {
        return assertThatThrownBy(() -> Factories.open(settings, entities).close())
                .satisfies(e -> assertThat(cause(e)).hasMessageNotContaining("\n"))
                .extracting(StartTest::cause)
                .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.THROWABLE);
    }

    /** Some versions wrap a generator's exception. */
    private static Throwable cause(Throwable e) {
        return e instanceof SequenceException || e.getCause() == null ? e : cause(e.getCause());
    }

    private static Map<String, Object> settings(Database database, String action) {
        return Factories.settings(database, "hibernate.hbm2ddl.auto", action);
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "validate"})
    void a_missing_table_is_one_clear_error(String action) throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        database.execute("CREATE TABLE thing (id BIGINT PRIMARY KEY)");
        refused(settings(database, action), Thing.class)
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContaining("sequences are missing in PostgreSQL, table seriatim_sequence of ")
                .hasMessageContaining("seriatim create thing_id")
                .hasMessageContaining("hibernate.hbm2ddl.auto to update");
    }

    /** As in Quarkus, whose build makes the services; what it sets at run time is in the configuration service alone. */
    @Test
    void the_configuration_service_has_the_settings() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        Map<String, Object> runTime = new HashMap<>();
        runTime.put("jakarta.persistence.schema-generation.database.action", "update");
        runTime.put("hibernate.default_schema", "public");
        Map<String, Object> buildTime = settings(database, "none");
        StandardServiceRegistry registry = new StandardServiceRegistryBuilder()
                .applySettings(buildTime)
                .addService(ConfigurationService.class, new ConfigurationServiceImpl(runTime))
                .build();
        try (SessionFactory factory = new MetadataSources(registry)
                .addAnnotatedClass(Thing.class)
                .buildMetadata()
                .buildSessionFactory()) {
            Thing thing = new Thing();
            factory.inTransaction(session -> session.persist(thing));
            assertThat(thing.id).isEqualTo(1);
        }
        assertThat(database.number("SELECT count(*) FROM seriatim_sequence WHERE name = 'public.thing_id'"))
                .isEqualTo(1);
    }

    @Test
    void a_missing_sequence_is_one_clear_error() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        database.execute("CREATE TABLE thing (id BIGINT PRIMARY KEY)");
        try (JdbcSequences sequences = JdbcSequences.open(database.dataSource())) {
            sequences.unique("another");
        }
        refused(settings(database, "validate"), Thing.class)
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContaining("'thing_id'")
                .hasMessageContaining("seriatim create thing_id")
                .hasMessageContaining("hibernate.hbm2ddl.auto to update");
        assertThat(database.number("SELECT count(*) FROM seriatim_sequence")).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "validate"})
    void all_missing_sequences_are_in_one_message(String action) throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        database.execute(
                "CREATE TABLE thing (id BIGINT PRIMARY KEY)",
                "CREATE TABLE numbered (id BIGINT PRIMARY KEY, number BIGINT)");
        try (JdbcSequences sequences = JdbcSequences.open(database.dataSource())) {
            sequences.unique("numbered_id");
        }
        refused(settings(database, action), Thing.class, Numbered.class)
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContaining("'numbered_number', 'thing_id'")
                .hasMessageNotContaining("numbered_id")
                .hasMessageContaining("'seriatim create numbered_number thing_id --store " + database.location() + "'")
                .hasMessageContaining("--print")
                .hasMessageContaining("seriatim.sequences.NAME.start-with=1")
                .hasMessageContaining("hibernate.hbm2ddl.auto to update");
    }

    @Test
    void the_remedy_names_the_table_of_the_sequences() {
        Database database = Engine.POSTGRESQL.freshDatabase();
        try (JdbcStore store = JdbcStore.open(database.dataSource(), SequenceTable.own("numbers"))) {
            Map<String, Object> settings = settings(database, "none");
            settings.put(SeriatimSettings.SEQUENCES, JdbcSequences.over(store, other -> {}));
            refused(settings, Thing.class)
                    .hasMessageContaining("'seriatim create thing_id --store \"" + database.location()
                            + "?seriatim.table=numbers\"'");
        }
    }

    @Test
    void what_is_there_is_taken() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        database.execute("CREATE TABLE thing (id BIGINT PRIMARY KEY)");
        try (JdbcSequences sequences = JdbcSequences.open(database.dataSource())) {
            sequences.unique("thing_id").next();
        }
        try (SessionFactory factory = Factories.open(settings(database, "validate"), Thing.class)) {
            factory.inTransaction(session -> session.persist(new Thing()));
        }
        assertThat(database.number("SELECT id FROM thing")).isGreaterThan(1);
    }

    @Test
    void a_new_table_starts_again_and_an_old_one_goes_on() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        for (String action : new String[] {"update", "update", "create"}) {
            try (SessionFactory factory = Factories.open(settings(database, action), Thing.class)) {
                factory.inTransaction(session -> session.persist(new Thing()));
                assertThat(database.number("SELECT max(id) FROM thing"))
                        .isEqualTo(database.number("SELECT count(*) FROM thing"));
            }
        }
        assertThat(database.number("SELECT count(*) FROM thing")).isEqualTo(1);
    }

    @Test
    void a_misspelt_setting_is_refused_and_the_right_one_named() {
        refused(Factories.settings(Engine.POSTGRESQL.freshDatabase(), "seriatim.sequenzes", "x"), Thing.class)
                .hasMessageContaining("seriatim.sequenzes")
                .hasMessageContaining("seriatim.sequences");
    }

    @Test
    void a_setting_of_another_type_is_refused() {
        refused(Factories.settings(Engine.POSTGRESQL.freshDatabase(), SeriatimSettings.SEQUENCES, "x"), Thing.class)
                .hasMessageContaining("seriatim.sequences is a java.lang.String")
                .hasMessageContaining("set a JdbcSequences");
    }

    /** The connections that are kept would be of the tenant that was current at the start. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_data_source_that_routes_is_refused(boolean behindProxy) throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {
            @Override
            protected Object determineCurrentLookupKey() {
                return "red";
            }
        };
        routing.setTargetDataSources(Map.of("red", database.dataSource()));
        routing.afterPropertiesSet();
        Map<String, Object> settings = new HashMap<>();
        settings.put(
                "hibernate.connection.datasource", behindProxy ? new LazyConnectionDataSourceProxy(routing) : routing);
        settings.put("hibernate.hbm2ddl.auto", "update");
        refused(settings, Thing.class)
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContaining("chooses a database for each call")
                .hasMessageContaining("MultiTenantConnectionProvider")
                .hasMessageContaining(SeriatimSettings.SEQUENCES);
        try (JdbcSequences sequences = JdbcSequences.open(database.dataSource())) {
            settings.put(SeriatimSettings.SEQUENCES, sequences);
            try (SessionFactory factory = Factories.open(settings, Thing.class)) {
                factory.inTransaction(session -> session.persist(new Thing()));
            }
        }
        assertThat(database.number("SELECT count(*) FROM thing")).isEqualTo(1);
    }

    @Test
    void mistakes_of_an_annotation_are_named_with_their_property() {
        Map<String, Object> settings = Factories.settings(Engine.POSTGRESQL.freshDatabase());
        refused(settings, Doubled.class).hasMessageContaining("'thing_id'").hasMessageContaining("GAPLESS");
        refused(settings, Untyped.class).hasMessageContaining("Untyped.id is of type java.util.UUID");
        refused(settings, Unpatterned.class)
                .hasMessageContaining("Unpatterned.id")
                .hasMessageContaining("{seq}");
        refused(settings, Patterned.class).hasMessageContaining("Patterned.id").hasMessageContaining("pattern");
        refused(settings, Reversed.class).hasMessageContaining("Reversed.id").hasMessageContaining("use a long");
        refused(settings, ReversedInOrder.class).hasMessageContaining("ReversedInOrder.id");
        refused(settings, Elsewhere.class)
                .hasMessageContaining("Elsewhere.number")
                .hasMessageContaining("not in a secondary one; move it there");
        refused(settings, Concrete.class, Below.class)
                .hasMessageContaining("Concrete.number")
                .hasMessageContaining("make the class abstract");
        refused(settings, UnknownMode.class)
                .hasMessageContaining("UnknownMode.id")
                .hasMessageContaining("'FAST'")
                .hasMessageContaining("CONFIRMED")
                .hasMessageContaining("set the guarantee to GAPLESS");
        refused(settings, UnorderedMode.class)
                .hasMessageContaining("UnorderedMode.id: numbers of mode ADAPTIVE are not ordered");
        refused(settings, GaplessMode.class)
                .hasMessageContaining("GaplessMode.id")
                .hasMessageContaining("remove the mode");
        refused(settings, Thing.class, OtherMode.class)
                .hasMessageContaining("'thing_id'")
                .hasMessageContaining("Combined")
                .hasMessageContaining("the same guarantee and mode");
        refused(settings, Named.class).hasMessageContaining("'a@b'").hasMessageContaining("without it");
        refused(settings, HalfLate.class)
                .hasMessageContaining("HalfLate.number")
                .hasMessageContaining("when");
        refused(settings, MisspeltProperty.class).hasMessageContaining("has no property 'stauts'");
        refused(settings, MisspeltConstant.class)
                .hasMessageContaining("'ISUED'")
                .hasMessageContaining("ISSUED");
        refused(settings, NotUpdatable.class)
                .hasMessageContaining("NotUpdatable.number")
                .hasMessageContaining("remove updatable = false");
        refused(settings, NotInsertable.class)
                .hasMessageContaining("NotInsertable.number")
                .hasMessageContaining("remove insertable = false");
        refused(settings, Embedding.class)
                .hasMessageContaining("number")
                .hasMessageContaining("not of an embeddable; move it there");
        refused(settings, LateEmbedding.class)
                .hasMessageContaining("number")
                .hasMessageContaining("not of an embeddable; move it there");
        refused(settings, PrimitiveLate.class)
                .hasMessageContaining("PrimitiveLate.number")
                .hasMessageContaining("null");
    }
}
