// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import com.google.api.gax.retrying.RetrySettings;
import com.google.auth.oauth2.GoogleCredentials;
import com.google.cloud.spanner.SessionPoolOptions;
import com.google.cloud.spanner.Spanner;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.SpannerOptions;
import com.google.cloud.spanner.v1.stub.SpannerStubSettings;
import dev.seriatim.SequenceException.Misconfigured;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** Creates Spanner clients for stores that are opened from a URL. */
final class Client {

    private Client() {}

    /** Returns a client whose calls do not take much longer than the patience. */
    static Spanner to(String project, Optional<String> emulator, Duration patience) {
        try {
            return options(project, emulator, patience).build().getService();
        } catch (SpannerException e) {
            throw new SpannerFailures("", "Spanner", patience).general(e);
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new Misconfigured("the Spanner client cannot be created: " + e.getMessage(), e);
        }
    }

    static SpannerOptions.Builder options(String project, Optional<String> emulator, Duration patience) {
        SpannerOptions.Builder options = SpannerOptions.newBuilder().setProjectId(project);
        emulator.ifPresent(options::setEmulatorHost);
        if (emulator.isEmpty() && System.getenv("SPANNER_EMULATOR_HOST") == null) {
            // Without credentials, the client would still start, and every call would fail.
            options.setCredentials(credentials());
        }
        // Creates sessions on demand; the default of 100 at start suits servers that run for days.
        options.setSessionPoolOption(
                SessionPoolOptions.newBuilder().setMinSessions(0).build());
        // Its threads would keep the JVM alive if a program does not close its store.
        options.disableGrpcGcpExtension();
        options.setBuiltInMetricsEnabled(false); // would report to another service in the background
        SpannerStubSettings.Builder calls = options.getSpannerStubSettingsBuilder();
        calls.applyToAllUnaryMethods(call -> {
            call.setRetrySettings(limited(call.getRetrySettings(), patience));
            return null;
        });
        var queries = calls.executeStreamingSqlSettings();
        queries.setRetrySettings(limited(queries.getRetrySettings(), patience));
        var reads = calls.streamingReadSettings();
        reads.setRetrySettings(limited(reads.getRetrySettings(), patience));
        return options;
    }

    private static GoogleCredentials credentials() {
        try {
            return GoogleCredentials.getApplicationDefault();
        } catch (IOException e) {
            throw SpannerFailures.noCredentials(String.valueOf(e.getMessage()), e);
        }
    }

    static void close(Spanner spanner) {
        if (!spanner.isClosed()) {
            spanner.close();
        }
    }

    private static RetrySettings limited(RetrySettings settings, Duration patience) {
        return settings.toBuilder()
                .setTotalTimeoutDuration(patience)
                .setInitialRpcTimeoutDuration(patience)
                .setMaxRpcTimeoutDuration(patience)
                .build();
    }
}
