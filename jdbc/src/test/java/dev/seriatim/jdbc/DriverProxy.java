// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** Something of a driver's, a source, a connection, a statement, with a test between it and its callers. */
public final class DriverProxy {

    private DriverProxy() {}

    /** Every call goes to {@code between}; what the driver throws there comes out as it is. */
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
