// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.arjuna.ats.arjuna.common.CoordinatorEnvironmentBean;
import com.arjuna.ats.arjuna.common.ObjectStoreEnvironmentBean;
import com.arjuna.ats.internal.jta.transaction.arjunacore.TransactionSynchronizationRegistryImple;
import com.arjuna.common.internal.util.propertyservice.BeanPopulator;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.agroal.narayana.NarayanaTransactionIntegration;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.transaction.RollbackException;
import jakarta.transaction.TransactionManager;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.xa.PGXADataSource;

/** Hibernate in the transactions of JTA. */
class JtaTest {

    @Entity
    @Table(name = "bill")
    static class Bill {
        @Id
        @Seriatim
        Long id;

        @SeriatimNumber
        Long number;

        @SeriatimNumber(atCommit = true)
        Long late;
    }

    @Test
    void numbers_belong_to_the_transaction_and_identifiers_do_not(@TempDir Path logs) throws Exception {
        for (String store : new String[] {null, "communicationStore", "stateStore"}) {
            BeanPopulator.getNamedInstance(ObjectStoreEnvironmentBean.class, store)
                    .setObjectStoreDir(logs.toString());
        }
        BeanPopulator.getDefaultInstance(CoordinatorEnvironmentBean.class).setTransactionStatusManagerEnable(false);
        TransactionManager transactions = com.arjuna.ats.jta.TransactionManager.transactionManager();
        NarayanaTransactionIntegration narayana =
                new NarayanaTransactionIntegration(transactions, new TransactionSynchronizationRegistryImple());
        Database database = Engine.POSTGRESQL.freshDatabase();
        try (AgroalDataSource source = AgroalDataSource.from(new AgroalDataSourceConfigurationSupplier()
                .connectionPoolConfiguration(pool -> pool.maxSize(5)
                        .transactionIntegration(narayana)
                        .connectionFactoryConfiguration(factory -> factory.connectionProviderClass(PGXADataSource.class)
                                .xaProperty("url", database.url()))))) {
            Map<String, Object> settings = new HashMap<>();
            settings.put("hibernate.connection.datasource", source);
            settings.put("hibernate.hbm2ddl.auto", "update");
            settings.put("hibernate.transaction.coordinator_class", "jta");
            try (SessionFactory factory = Factories.open(settings, Bill.class)) {
                for (int i = 0; i < 300; i++) { // more than the first blocks
                    transactions.begin();
                    try (Session session = factory.openSession()) {
                        session.persist(new Bill());
                        session.flush();
                        if (i % 3 == 0) {
                            transactions.rollback();
                        } else {
                            transactions.commit();
                        }
                    }
                }
                // A session that is closed before the commit numbers nothing more.
                transactions.begin();
                try (Session session = factory.openSession()) {
                    session.persist(new Bill());
                    session.flush();
                }
                assertThatThrownBy(transactions::commit).isInstanceOf(RollbackException.class);
            }
        }
        assertThat(database.number("SELECT count(DISTINCT id) FROM bill")).isEqualTo(200);
        assertThat(database.number("SELECT count(DISTINCT number) FROM bill")).isEqualTo(200);
        assertThat(database.number("SELECT max(number) FROM bill")).isEqualTo(200);
        assertThat(database.number("SELECT count(DISTINCT late) FROM bill")).isEqualTo(200);
        assertThat(database.number("SELECT max(late) FROM bill")).isEqualTo(200);
    }
}
