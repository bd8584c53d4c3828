// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

import dev.seriatim.SequenceException;
import dev.seriatim.jdbc.JdbcSequences;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.Function;
import org.hibernate.SessionFactory;
import org.hibernate.SessionFactoryObserver;
import org.hibernate.cfg.AvailableSettings;
import org.hibernate.engine.config.spi.ConfigurationService;
import org.hibernate.engine.jdbc.connections.spi.MultiTenantConnectionProvider;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.service.Service;
import org.hibernate.service.ServiceRegistry;
import org.hibernate.service.spi.Stoppable;
import org.hibernate.tool.schema.Action;
import org.jspecify.annotations.Nullable;

/**
 * The sequences of a service registry's session factories: one set, or one for each tenant that has its own
 * connections. Generators find them here, however often Hibernate initializes them. Thread-safe.
 */
final class HibernateSequences implements Service, Stoppable, SessionFactoryObserver {

    private static final long serialVersionUID = 1L;

    private static final Set<Action> DROPPING = EnumSet.of(Action.CREATE, Action.CREATE_DROP);
    private static final Set<Action> CREATING =
            EnumSet.of(Action.CREATE, Action.CREATE_DROP, Action.CREATE_ONLY, Action.UPDATE);

    /** The key if tenants do not have their own connections. */
    private static final Object ALL = "";

    private final transient ServiceRegistry registry;
    private final transient ConcurrentMap<String, SequenceRequest> requests = new ConcurrentHashMap<>();
    private final transient ConcurrentMap<String, Set<Place>> columns = new ConcurrentHashMap<>();
    private final transient ConcurrentMap<String, String> defaults = new ConcurrentHashMap<>();
    private final transient ConcurrentMap<String, Runnable> checks = new ConcurrentHashMap<>();
    private final transient ConcurrentMap<Object, FutureTask<OpenSequences>> open = new ConcurrentHashMap<>();
    private final transient Set<SessionFactory> factories = new HashSet<>();
    private transient volatile @Nullable MultiTenantConnectionProvider<Object> tenants;
    private transient volatile boolean closed;

    HibernateSequences(ServiceRegistry registry) {
        this.registry = registry;
    }

    static HibernateSequences of(ServiceRegistry registry) {
        return registry.requireService(HibernateSequences.class);
    }

    /** Returns a setting of the session factory. */
    @Nullable
    Object setting(String name) {
        return settings().get(name);
    }

    /** Returns the current settings: Quarkus makes this service in its build, and adds most settings at run time. */
    private Map<String, Object> settings() {
        return registry.requireService(ConfigurationService.class).getSettings();
    }

    /** Registers a sequence that a property needs. If it {@code compares}, its column holds the numbers as drawn. */
    void request(SequenceRequest request, Place place, boolean compares) {
        SequenceRequest before = requests.putIfAbsent(request.name(), request);
        if (before != null && !before.equals(request)) {
            String remedy = before.perTenant() == request.perTenant() ? "the same guarantee and mode, or " : "";
            throw new SequenceException.Misconfigured(
                    request.name(),
                    "%s declares it %s, another property %s; give them %sseparate sequences"
                            .formatted(place, text(request), text(before), remedy));
        }
        if (compares && !request.perTenant()) {
            columns.computeIfAbsent(request.name(), name -> ConcurrentHashMap.newKeySet())
                    .add(place);
        }
    }

    /** Registers a default name. Two properties may have the same one: a_b.c and a.b_c, for example. */
    void requestByDefault(String name, String place) {
        String before = defaults.putIfAbsent(name, place);
        if (before != null && !before.equals(place)) {
            throw new SequenceException.Misconfigured(name, """
                    is the default name for %s and for %s, which would share its numbers; name a sequence in the \
                    annotation of one of them""".formatted(place, before));
        }
    }

    private static String text(SequenceRequest request) {
        return request.guarantee()
                + (request.mode() == null ? "" : " by " + request.mode())
                + (request.perTenant() ? " for each tenant" : "");
    }

    /** Registers a check of a property that needs the complete mapping. */
    void checkAtStart(String place, Runnable check) {
        checks.put(place, check);
    }

    /** Creates or checks all sequences, after the schema tool has run. */
    @Override
    @SuppressWarnings("unchecked") // Hibernate passes the provider the identifiers of its own resolver
    public void sessionFactoryCreated(SessionFactory factory) {
        synchronized (factories) {
            factories.add(factory);
            closed = false;
        }
        try {
            tenants = registry.getService(MultiTenantConnectionProvider.class);
            createOrCheck((SessionFactoryImplementor) factory);
        } catch (Throwable refused) {
            sessionFactoryClosing(factory);
            throw refused;
        }
    }

    /** Returns what the schema tool does at start-up. */
    private Action schemaAction() {
        Action standard = Action.interpretJpaSetting(setting(AvailableSettings.JAKARTA_HBM2DDL_DATABASE_ACTION));
        return standard == Action.NONE
                ? Action.interpretHbm2ddlSetting(setting(AvailableSettings.HBM2DDL_AUTO))
                : standard;
    }

    private void createOrCheck(SessionFactoryImplementor factory) {
        ConnectionSettings.refuseUnknown(settings());
        checks.values().forEach(Runnable::run);
        if (requests.isEmpty() || tenants != null) {
            return;
        }
        OpenSequences sequences = of(ALL);
        sequences.prepare(requests.values());
        for (SequenceRequest request : requests.values()) {
            if (DROPPING.contains(schemaAction())) {
                sequences.restart(request);
            }
            sequences.source(request);
        }
        new ColumnComparison(factory, sequences, CREATING.contains(schemaAction())).run(columns);
    }

    OpenSequences of(SharedSessionContractImplementor session) {
        checkOpen();
        if (tenants == null) {
            return of(ALL);
        }
        Object tenant = session.getTenantIdentifierValue();
        if (tenant == null) {
            throw new SequenceException.Misconfigured(
                    "the session has no tenant, and each tenant has its own sequences; open it with a tenant identifier");
        }
        return of(tenant);
    }

    /** Opens a tenant's sequences once; only callers that need them wait. */
    private OpenSequences of(Object tenant) {
        checkOpen();
        FutureTask<OpenSequences> task = open.get(tenant);
        if (task == null) {
            FutureTask<OpenSequences> own = new FutureTask<>(() -> open(tenant));
            task = open.putIfAbsent(tenant, own);
            if (task == null) {
                task = own;
                own.run();
                if (closed && open.remove(tenant, own)) { // closed by another thread, which did not see the task
                    close(own);
                    checkOpen();
                }
            }
        }
        try {
            return task.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SequenceException.Unavailable("interrupted while the sequences were opened; draw again", e);
        } catch (ExecutionException e) {
            open.remove(tenant, task); // the next caller tries again
            if (e.getCause() instanceof SequenceException failure) {
                throw failure.again();
            }
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw new IllegalStateException("the sequences could not be opened: " + e.getCause(), e.getCause());
        }
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the session factory is closed, and so are its sequences");
        }
    }

    private OpenSequences open(Object tenant) {
        boolean creates = CREATING.contains(schemaAction());
        Object given = setting(SeriatimSettings.SEQUENCES);
        if (given != null) {
            return new OpenSequences(given(given, tenant), false, creates);
        }
        if (tenants == null) {
            return new OpenSequences(ConnectionSettings.open(settings(), registry), true, creates);
        }
        JdbcSequences own = ConnectionSettings.borrowing(SuppliedDataSource.of(tenants, tenant));
        try {
            TenantSchema.check(own, tenant);
        } catch (Throwable refused) {
            own.close();
            throw refused;
        }
        return new OpenSequences(own, true, creates);
    }

    private JdbcSequences given(Object setting, Object tenant) {
        if (setting instanceof JdbcSequences sequences) {
            if (tenants != null) {
                throw new SequenceException.Misconfigured("""
                        %s is one JdbcSequences for all tenants; set a Function of the tenant identifier, or remove \
                        the setting""".formatted(SeriatimSettings.SEQUENCES));
            }
            return sequences;
        }
        if (setting instanceof Function<?, ?>) {
            @SuppressWarnings("unchecked") // its result is checked
            Object result = ((Function<String, ?>) setting).apply(tenant.toString());
            if (result instanceof JdbcSequences sequences) {
                return sequences;
            }
            throw new SequenceException.Misconfigured(SeriatimSettings.SEQUENCES + " returned "
                    + (result == null ? "null" : "a " + result.getClass().getName()) + " for the tenant '" + tenant
                    + "'; return a JdbcSequences");
        }
        throw new SequenceException.Misconfigured(SeriatimSettings.SEQUENCES + " is a "
                + setting.getClass().getName() + "; set a JdbcSequences, or a Function of the tenant identifier");
    }

    /** Closes the sequences with the last session factory. */
    @Override
    public void sessionFactoryClosing(SessionFactory factory) {
        boolean last;
        synchronized (factories) {
            factories.remove(factory);
            last = factories.isEmpty();
            closed = last;
        }
        if (last) {
            stop();
        }
    }

    /** Closes all tenants' sequences together, since each may wait for the database. */
    @Override
    public void stop() {
        closed = true;
        List<Callable<Object>> closing = new ArrayList<>();
        for (Object tenant : open.keySet()) {
            FutureTask<OpenSequences> task = open.remove(tenant);
            if (task != null) {
                closing.add(Executors.callable(() -> close(task)));
            }
        }
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            for (Future<?> ended : threads.invokeAll(closing)) {
                ended.get();
            }
        } catch (InterruptedException e) { // which has interrupted the others, too
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw new IllegalStateException("sequences could not be closed: " + e.getCause(), e.getCause());
        } finally {
            threads.shutdown();
        }
    }

    private static void close(FutureTask<OpenSequences> task) {
        try {
            task.get().close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            // it was never opened
        }
    }
}
