// SPDX-License-Identifier: Apache-2.0
package shop;

import io.micronaut.context.ApplicationContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Sells from 16 threads on 10 connections; each fifth sale is rolled back. */
public class MicronautSales {
    public static void main(String[] arguments) throws Exception {
        try (ApplicationContext context = ApplicationContext.run()) {
            sell(context.getBean(MicronautShop.class));
        }
    }

    private static void sell(MicronautShop shop) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(16);
        List<Future<?>> all = new ArrayList<>();
        for (int thread = 0; thread < 16; thread++) {
            all.add(threads.submit(() -> {
                for (int i = 0; i < 25; i++) {
                    if (i % 5 == 0) {
                        try {
                            shop.sell(true);
                        } catch (MicronautShop.Refused rolledBack) {
                            continue;
                        }
                    }
                    shop.sell(false);
                }
                return null;
            }));
        }
        try {
            for (Future<?> thread : all) {
                thread.get();
            }
        } finally {
            threads.shutdownNow();
        }
        System.out.println(shop.sold());
    }
}
