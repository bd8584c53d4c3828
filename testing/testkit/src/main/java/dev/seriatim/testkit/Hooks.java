// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.testkit;

import dev.seriatim.store.ConfirmingStore;
import dev.seriatim.store.GroupingStore;
import dev.seriatim.store.Pool;
import dev.seriatim.store.PoolingStore;
import dev.seriatim.store.SavepointTransaction;
import dev.seriatim.store.SequenceStore;
import dev.seriatim.store.SharedTransaction;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Hooks on the calls of a real store, and of the transactions and pools that it returns. A hook has the name of a method and runs in
 * its place. Methods named {@code …Here} decline, so that every call meets the hook on the general method. Thread-safe.
 */
final class Hooks {

    /** Runs in place of a call, and returns its result. */
    @FunctionalInterface
    interface Hook {
        @Nullable
        Object run(Call call) throws Throwable;
    }

    record Call(Object target, Method method, List<Object> arguments) {

        Object argument() {
            return arguments.get(0);
        }

        @Nullable
        Object proceed() throws Throwable {
            try {
                return method.invoke(target, arguments.toArray());
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }
    }

    /** What a store returns that has hooks, too; the most specific first. */
    private static final List<Class<?>> RETURNED =
            List.of(SavepointTransaction.class, SharedTransaction.class, SavepointTransaction.Mark.class, Pool.class);

    private final Map<String, Hook> hooks = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> calls = new ConcurrentHashMap<>();

    SequenceStore reservations(SequenceStore real) {
        return (SequenceStore) on(real, real instanceof ConfirmingStore ? ConfirmingStore.class : SequenceStore.class);
    }

    @SuppressWarnings("unchecked")
    <T> GroupingStore<T> groups(GroupingStore<T> real) {
        return (GroupingStore<T>) on(real, GroupingStore.class);
    }

    @SuppressWarnings("unchecked")
    <T> PoolingStore<T> pools(PoolingStore<T> real) {
        return (PoolingStore<T>) on(real, PoolingStore.class);
    }

    /** Replaces the hook of this name. */
    void instead(String method, Hook hook) {
        hooks.put(method, hook);
    }

    /** Runs something before each call, which does not happen if it throws. */
    void before(String method, Runnable first) {
        instead(method, call -> {
            try {
                first.run();
            } catch (Throwable e) {
                if (method.equals("commit")) { // which ends the transaction in any case
                    ((SharedTransaction<?>) call.target()).rollback();
                }
                throw e;
            }
            return call.proceed();
        });
    }

    /** Runs something after each call; if it throws, the caller does not get the answer. */
    void after(String method, Runnable last) {
        instead(method, call -> {
            Object result = call.proceed();
            last.run();
            return result;
        });
    }

    void clear() {
        hooks.clear();
    }

    int calls(String method) {
        return calls.computeIfAbsent(method, name -> new AtomicInteger()).get();
    }

    private Object on(Object real, Class<?> port) {
        return Proxy.newProxyInstance(
                Hooks.class.getClassLoader(), new Class<?>[] {port}, (proxy, method, arguments) -> {
                    if (method.getName().equals("equals")) {
                        return proxy == arguments[0];
                    }
                    if (method.getName().endsWith("Here")) {
                        return InvocationHandler.invokeDefault(proxy, method, arguments);
                    }
                    calls.computeIfAbsent(method.getName(), name -> new AtomicInteger())
                            .incrementAndGet();
                    List<Object> given = arguments == null ? List.of() : List.of(arguments);
                    Object result =
                            hooks.getOrDefault(method.getName(), Call::proceed).run(new Call(real, method, given));
                    for (Class<?> type : RETURNED) {
                        if (result != null && type.isInstance(result)) {
                            return on(result, type);
                        }
                    }
                    return result;
                });
    }
}
