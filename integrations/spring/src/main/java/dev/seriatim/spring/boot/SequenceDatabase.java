// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceListener;
import dev.seriatim.jdbc.JdbcSequences;
import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.SequenceTable;
import dev.seriatim.store.StoreDriver;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.NamedBeanHolder;

/**
 * The database that holds the sequences, with the connections that they take to it. Outlives the sequences.
 * Thread-safe.
 *
 * @param application the application's data source; null if a URL names the database
 * @param connections null if a URL names the database
 */
record SequenceDatabase(
        @Nullable DataSource application, @Nullable SequenceConnections connections) {

    /** The name of the bean. */
    static final String DATABASE = "seriatimDatabase";

    static SequenceDatabase open(SeriatimProperties properties, ConfigurableListableBeanFactory beans) {
        int own = properties.ownConnections();
        checkOnePlace(properties);
        if (properties.url() != null) {
            return new SequenceDatabase(null, null);
        }
        NamedBeanHolder<DataSource> source = dataSource(properties.dataSource(), beans);
        beans.registerDependentBean(source.getBeanName(), DATABASE);
        return new SequenceDatabase(
                source.getBeanInstance(), SequenceConnections.to(source.getBeanName(), source.getBeanInstance(), own));
    }

    private static void checkOnePlace(SeriatimProperties properties) {
        List<String> named = Stream.of(
                        properties.url() == null ? "" : "seriatim.url",
                        properties.dataSource() == null ? "" : "seriatim.data-source",
                        properties.bucket() == null ? "" : "seriatim.couchbase.bucket")
                .filter(property -> !property.isEmpty())
                .toList();
        if (named.size() > 1) {
            throw new Misconfigured(
                    named.get(0) + " and " + named.get(1) + " both say where the sequences are; remove one of them");
        }
        if (properties.url() == null) {
            return;
        }
        if (!properties.table().equals(SequenceTable.DEFAULT_NAME)) {
            throw new Misconfigured("""
                    seriatim.table=%s is for a data source; with seriatim.url, add the option table (seriatim.table in \
                    a jdbc: URL) to that URL""".formatted(properties.table()));
        }
        if (properties.owner() != null) {
            throw new Misconfigured("""
                    seriatim.owner=%s is for a data source; with seriatim.url, add the option seriatim.owner to that \
                    URL""".formatted(properties.owner()));
        }
    }

    private static NamedBeanHolder<DataSource> dataSource(
            @Nullable String name, ConfigurableListableBeanFactory beans) {
        if (name == null) {
            try {
                return beans.resolveNamedBean(DataSource.class);
            } catch (NoUniqueBeanDefinitionException e) {
                String names = quoted(Objects.requireNonNull(e.getBeanNamesFound()));
                throw new Misconfigured("""
                        the application has several data sources, %s; set seriatim.data-source to the one whose \
                        database holds the sequences""".formatted(names), e);
            }
        }
        if (!beans.containsBean(name) || !beans.isTypeMatch(name, DataSource.class)) {
            if (name.contains(":")) { // not shown: it may hold a password
                throw new Misconfigured("""
                        seriatim.data-source is a URL, and not the name of a data source; set seriatim.url to it \
                        instead""");
            }
            String[] known = beans.getBeanNamesForType(DataSource.class);
            String remedy = known.length == 0 ? "define one, or set seriatim.url" : "set it to one of ";
            throw new Misconfigured("seriatim.data-source=%s is not a data source; %s%s"
                    .formatted(name, remedy, quoted(List.of(known))));
        }
        return new NamedBeanHolder<>(name, beans.getBean(name, DataSource.class));
    }

    private static String quoted(Collection<String> names) {
        return names.stream().sorted().map(name -> "'" + name + "'").collect(Collectors.joining(", "));
    }

    /** Opens the sequences, and creates or checks those that the properties define. */
    JdbcSequences sequences(SeriatimProperties properties, SequenceListener listener) {
        SequenceTable own = SequenceTable.own(properties.table());
        SequenceTable table = properties.owner() == null ? own : own.ownedBy(properties.owner());
        return properties.open(listener, settings -> JdbcSequences.over(store(properties, table), settings));
    }

    private JdbcStore store(SeriatimProperties properties, SequenceTable table) {
        if (connections != null) {
            return connections.store(table, properties.checkedPatience());
        }
        String url = Objects.requireNonNull(properties.url());
        OpenStore opened = StoreDriver.open(url);
        if (opened instanceof JdbcStore store) {
            return store;
        }
        String what = opened.toString();
        opened.close();
        throw new Misconfigured("""
                seriatim.url names %s, which is no table in a database; define a bean of type dev.seriatim.Sequences \
                that opens it with StoreSequences.open""".formatted(what));
    }
}
