// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Notifies several listeners in order, each even if one before it throws. A proxy, so that no method that listeners
 * have, or get, is left out. Thread-safe if they are.
 */
record AllListeners(List<?> listeners) implements InvocationHandler {

    static <L> L of(Class<L> type, Stream<L> listeners) {
        List<L> all = listeners.toList();
        return all.size() == 1
                ? all.get(0)
                : type.cast(
                        Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, new AllListeners(all)));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        if (method.getDeclaringClass() == Object.class) {
            return method.getName().equals("equals")
                    ? arguments != null && proxy == arguments[0]
                    : method.invoke(this, arguments);
        }
        Throwable first = null;
        for (Object listener : listeners) {
            try {
                method.invoke(listener, arguments);
            } catch (InvocationTargetException e) {
                first = first == null ? e.getTargetException() : first;
            }
        }
        if (first != null) {
            throw first; // logged as any listener's
        }
        return null;
    }
}
