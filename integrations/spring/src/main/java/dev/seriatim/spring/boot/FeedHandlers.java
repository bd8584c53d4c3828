// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.feed.Entry;
import dev.seriatim.feed.Feed;
import dev.seriatim.feed.FeedDefinition;
import dev.seriatim.feed.FeedReader;
import dev.seriatim.feed.JdbcFeeds;
import dev.seriatim.feed.Outbox;
import dev.seriatim.spring.FeedHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.UndeclaredThrowableException;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import javax.sql.DataSource;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.ReflectionUtils;

/**
 * Makes the feeds of {@link FeedDefinition} beans when all beans are there, so after migrations and Hibernate, and runs
 * {@link FeedHandler} methods between start and stop. A stop lets batches under way end. Thread-safe.
 */
final class FeedHandlers implements SmartInitializingSingleton, SmartLifecycle {

    private static final System.Logger LOG = System.getLogger("dev.seriatim.spring");
    private static final long SHORTEST = 100;
    private static final long LONGEST = TimeUnit.SECONDS.toMillis(30);

    private final ConfigurableListableBeanFactory beans;
    private final boolean createsMissing;
    private final List<Handler> handlers = new ArrayList<>();
    private List<Worker> workers = List.of();
    private volatile boolean running;

    FeedHandlers(ConfigurableListableBeanFactory beans, boolean createsMissing) {
        this.beans = beans;
        this.createsMissing = createsMissing;
    }

    @Override
    public void afterSingletonsInstantiated() {
        beans.getBeanProvider(FeedDefinition.class).orderedStream().forEach(definition -> {
            JdbcFeeds feeds = beans.getBean(JdbcFeeds.class);
            if (createsMissing) {
                feeds.define(definition);
            } else {
                feeds.table(definition.name());
            }
        });
        Set<String> readers = new HashSet<>();
        for (String name : beans.getBeanNamesForType(Object.class, false, false)) {
            Class<?> type = AutoProxyUtils.determineTargetClass(beans, name);
            if (type != null && AnnotationUtils.isCandidateClass(type, FeedHandler.class)) {
                find(type).forEach((method, annotation) -> {
                    Handler handler = handler(beans.getBean(name), method, annotation);
                    if (!readers.add(handler.toString())) {
                        throw new Misconfigured("two methods are " + handler + "; give one of them another reader");
                    }
                    handlers.add(handler);
                });
            }
        }
    }

    private static Map<Method, FeedHandler> find(Class<?> type) {
        MethodIntrospector.MetadataLookup<FeedHandler> lookup =
                method -> AnnotatedElementUtils.findMergedAnnotation(method, FeedHandler.class);
        try {
            return MethodIntrospector.selectMethods(type, lookup);
        } catch (IllegalStateException | LinkageError e) {
            return Map.of(); // a signature names a class that is missing, as with Spring's own annotations
        }
    }

    private Handler handler(Object bean, Method method, FeedHandler annotation) {
        List<Class<?>> parameters = List.of(method.getParameterTypes());
        if (!Set.of(List.class, Entry.class, Connection.class).containsAll(parameters)
                || new HashSet<>(parameters).size() < parameters.size()
                || parameters.contains(Entry.class) == parameters.contains(List.class)) {
            throw new Misconfigured("@FeedHandler " + method
                    + " must take an Entry or a List of them, and may take a Connection; change its parameters");
        }
        if (annotation.batch() < 1) {
            throw new Misconfigured(
                    "@FeedHandler " + method + " has batch = " + annotation.batch() + "; choose 1 or more");
        }
        Method invocable = AopUtils.selectInvocableMethod(method, bean.getClass());
        ReflectionUtils.makeAccessible(invocable);
        String name = Objects.requireNonNull(beans.resolveEmbeddedValue(annotation.feed()));
        Feed feed = beans.getBeanProvider(Outbox.class).stream()
                .map(Outbox::feed)
                .filter(outbox -> outbox.name().equals(name))
                .findFirst()
                .orElseGet(() -> beans.getBean(JdbcFeeds.class).table(name));
        FeedReader reader = (annotation.columns().length == 0 ? feed : feed.select(annotation.columns()))
                .reader(Objects.requireNonNull(beans.resolveEmbeddedValue(annotation.reader())));
        return new Handler(bean, invocable, parameters, name, reader, annotation.batch());
    }

    @Override
    public synchronized void start() {
        if (!running && !handlers.isEmpty()) {
            PlatformTransactionManager manager = beans.getBean(PlatformTransactionManager.class);
            DataSource source = source(beans);
            workers = handlers.stream()
                    .map(handler -> new Worker(handler, new TransactionTemplate(manager), source))
                    .toList();
            workers.forEach(Thread::start);
        }
        running = true;
    }

    /** Returns the data source of the transactions in which the sequences' database takes part. */
    static DataSource source(BeanFactory beans) {
        SequenceDatabase database =
                beans.getBeanProvider(SequenceDatabase.class).getIfAvailable();
        DataSource source = database == null || database.application() == null
                ? beans.getBean(DataSource.class)
                : database.application();
        return source instanceof TransactionAwareDataSourceProxy proxy && proxy.getTargetDataSource() != null
                ? proxy.getTargetDataSource()
                : source;
    }

    /** Runs work in a transaction, on its connection. */
    static <R> R inTransaction(TransactionTemplate transactions, DataSource source, Function<Connection, R> work) {
        return Objects.requireNonNull(transactions.execute(status -> {
            if (!TransactionSynchronizationManager.hasResource(source)) {
                throw new Misconfigured(source.getClass().getName()
                        + " is not the data source of this transaction; make its transaction manager primary");
            }
            Connection connection = DataSourceUtils.getConnection(source);
            try {
                return work.apply(connection);
            } finally {
                DataSourceUtils.releaseConnection(connection, source);
            }
        }));
    }

    @Override
    public void stop() {
        stop(() -> {});
    }

    @Override
    public synchronized void stop(Runnable ended) {
        running = false;
        List<Worker> ending = workers;
        workers = List.of();
        ending.forEach(worker -> worker.stopped.countDown());
        Runnable waiting = () -> {
            ending.forEach(Worker::awaitEnd);
            ended.run();
        };
        new Thread(waiting, "seriatim-feeds-stop").start();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    private record Handler(
            Object bean, Method method, List<Class<?>> parameters, String feed, FeedReader reader, int batch) {

        void handle(Connection connection, List<Entry> batch) throws Exception {
            for (Object entries : parameters.contains(Entry.class) ? batch : List.of(batch)) {
                Object[] arguments = parameters.stream()
                        .map(type -> type == Connection.class ? connection : entries)
                        .toArray();
                try {
                    method.invoke(bean, arguments);
                } catch (InvocationTargetException e) {
                    ReflectionUtils.rethrowException(e.getTargetException());
                }
            }
        }

        @Override
        public String toString() {
            return "handler '" + reader.name() + "' of feed '" + feed + "'";
        }
    }

    /** Runs a handler. Not a daemon, so that an application that only handles feeds goes on. */
    private static final class Worker extends Thread {

        private final Handler handler;
        private final TransactionTemplate transactions;
        private final DataSource source;
        private final CountDownLatch stopped = new CountDownLatch(1);
        private List<Entry> given = List.of();
        private int single;
        private int failures;

        Worker(Handler handler, TransactionTemplate transactions, DataSource source) {
            super("seriatim-feed-" + handler.feed + "-" + handler.reader.name());
            this.handler = handler;
            this.transactions = transactions;
            this.source = source;
        }

        @Override
        public void run() {
            while (isGoing()) {
                given = List.of();
                try {
                    handler.reader.follow(this::isGoing, this::turn);
                    pause(SHORTEST); // interrupted by the handler, or the feeds are closed
                } catch (RuntimeException e) {
                    failed(e);
                }
            }
        }

        private boolean isGoing() {
            return stopped.getCount() > 0;
        }

        private int turn() {
            given = List.of();
            try {
                int handled = inTransaction(transactions, source, this::batch);
                single = Math.max(0, single - handled);
                failures = 0;
                return handled;
            } catch (Throwable e) {
                single = Math.max(single, given.size());
                failed(e);
                return 0;
            }
        }

        private int batch(Connection connection) {
            try {
                return handler.reader.run(connection, single > 0 ? 1 : handler.batch, (transaction, entries) -> {
                    given = entries;
                    handler.handle(transaction, entries);
                });
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new UndeclaredThrowableException(e);
            }
        }

        private void failed(Throwable thrown) {
            long pause = Math.min(LONGEST, SHORTEST << Math.min(failures++, 10));
            String where = given.isEmpty() ? "" : " at position " + given.get(0).position();
            where += given.size() == 1 ? ", key " + given.get(0).key() : "";
            where += given.size() > 1 ? " or up to " + (given.size() - 1) + " later" : "";
            Throwable cause = thrown instanceof UndeclaredThrowableException e ? e.getCause() : thrown;
            LOG.log(
                    System.Logger.Level.WARNING,
                    handler + " failed" + where + ", and runs again in " + pause + " ms",
                    cause);
            pause(pause);
        }

        private void pause(long millis) {
            try {
                stopped.await(millis, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                // by the handler: this thread ends when it is stopped
            }
        }

        private void awaitEnd() {
            try {
                join();
            } catch (InterruptedException e) {
                currentThread().interrupt();
            }
        }
    }
}
