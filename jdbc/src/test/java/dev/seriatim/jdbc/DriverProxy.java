// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** Puts a test between a driver's object (a source, a connection, a statement) and its callers. */
public final class DriverProxy {

    private DriverProxy() {}

    /** Passes every call to {@code between}; the driver's exceptions are rethrown unchanged. */
    public static <T> T of(Class<T> type, InvocationHandler between) {
        return type.cast(Proxy.newProxyInstance(
                DriverProxy.class.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    try {
                        return between.invoke(self, method, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause() == null ? e : e.getCause();
                    }
                }));
    }
}
