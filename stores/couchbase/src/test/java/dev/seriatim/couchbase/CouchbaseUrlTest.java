// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.couchbase.client.core.msg.kv.DurabilityLevel;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.store.StoreUrl;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CouchbaseUrlTest {

    private static final String WHO = "user=app&password=s3cret";

    private static CouchbaseUrl parse(String text) {
        return CouchbaseUrl.parse(StoreUrl.parse(text), Map.of());
    }

    @Test
    void names_hosts_bucket_and_the_default_collection() {
        CouchbaseUrl url = parse("couchbase://a,b:11210=kv,b:8091=manager/app?" + WHO);
        assertThat(url.connection()).isEqualTo("couchbase://a,b:11210=kv,b:8091=manager");
        assertThat(url.bucket()).isEqualTo("app");
        assertThat(url.scope()).isEqualTo("_default");
        assertThat(url.place()).isEqualTo("bucket app at a,b:11210=kv,b:8091=manager");
        assertThat(url.options()).isEqualTo(CouchbaseOptions.sequences());
    }

    @Test
    void names_a_scope_and_a_collection() {
        CouchbaseUrl url = parse("couchbases://a/app/shop/numbers?" + WHO);
        assertThat(url.scope()).isEqualTo("shop");
        assertThat(url.collection()).isEqualTo("numbers");
        assertThat(url.place()).isEqualTo("bucket app, collection shop.numbers at a");
    }

    @Test
    void reads_the_options() {
        CouchbaseUrl url =
                parse("couchbase://a/app?kind=counter&path=a.b&prefix=x%3A&durability=majority-and-persist&timeout=3s&"
                        + WHO);
        assertThat(url.options())
                .isEqualTo(new CouchbaseOptions(
                        CouchbaseOptions.Kind.COUNTER,
                        "x:",
                        DurabilityLevel.MAJORITY_AND_PERSIST_TO_ACTIVE,
                        Duration.ofSeconds(3),
                        "a.b"));
        assertThat(parse("couchbase://a/app?kind=counter&" + WHO).options().prefix())
                .isEmpty();
    }

    @Test
    void takes_user_and_password_from_the_environment_where_the_url_has_none() {
        Map<String, String> environment =
                Map.of("SERIATIM_COUCHBASE_USER", "env", "SERIATIM_COUCHBASE_PASSWORD", "hidden");
        CouchbaseUrl url = CouchbaseUrl.parse(StoreUrl.parse("couchbase://a/app"), environment);
        assertThat(url.user()).isEqualTo("env");
        assertThat(url.password()).isEqualTo("hidden");
        CouchbaseUrl named = CouchbaseUrl.parse(StoreUrl.parse("couchbase://a/app?" + WHO), environment);
        assertThat(named.user()).isEqualTo("app");
        assertThat(named.password()).isEqualTo("s3cret");
    }

    @Test
    void decodes_a_password_with_signs_of_urls_in_it() {
        assertThat(parse("couchbase://a/app?user=app&password=a%26b+c%25").password())
                .isEqualTo("a&b+c%");
    }

    @Test
    void shows_no_password() {
        assertThat(parse("couchbase://a/app?" + WHO)).asString().doesNotContain("s3cret");
        assertThatThrownBy(() -> parse("couchbase://a?" + WHO))
                .isInstanceOf(Misconfigured.class)
                .message()
                .doesNotContain("s3cret");
    }

    @Test
    void names_the_scope_of_native_sequences() {
        CouchbaseUrl url = parse("couchbase://a/app/shop/any?sequences=native&" + WHO);
        assertThat(url.isNative()).isTrue();
        assertThat(url.place()).isEqualTo("bucket app, scope shop at a");
        assertThat(parse("couchbase://a/app?" + WHO).isNative()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    couchbase://a?user=u&password=p                       | couchbase://HOST/BUCKET
                    couchbase://a/?user=u&password=p                      | couchbase://HOST/BUCKET
                    couchbase://a/b/c?user=u&password=p                   | HOST/BUCKET/SCOPE/COLLECTION
                    couchbase:a/b?user=u&password=p                       | couchbase://HOST/BUCKET
                    couchbase://a/b`/c/d?user=u&password=p                | couchbase://HOST/BUCKET
                    couchbase://a/b/c`/d?user=u&password=p                | couchbase://HOST/BUCKET
                    couchbase://a/b?user=u&password=p&sequences=sql       | must be native, or omitted
                    couchbase://a/b?user=u&password=p&sequences=native&durability=none | remove it, or remove sequences
                    couchbase://a/b?user=u&password=p&path=a.b            | path is for counters; add kind=counter
                    couchbase://u:p@a/b                                   | write ?user=…&password=…
                    couchbase://a/b?password=p                            | SERIATIM_COUCHBASE_USER
                    couchbase://a/b?user=u                                | SERIATIM_COUCHBASE_PASSWORD
                    couchbase://a/b?user=u&password=                      | SERIATIM_COUCHBASE_PASSWORD
                    couchbase://a/b?user=u&password=100%                  | write %25
                    couchbase://a/b?user=u&password=p&durability=some     | majority-and-persist
                    couchbase://a/b?user=u&password=p&kind=plain          | kind must be sequence
                    couchbase://a/b?user=u&password=p&timeout=ten         | must be a duration
                    couchbase://a/b?user=u&password=p&timeout=0ms         | at least 1ms
                    couchbase://a/b?table=t&user=u&password=p             | unknown option 'table'
                    couchbase://a/b?user=u&password=p&table=t             | an unknown option after 'password'
                    """)
    void says_in_one_line_what_is_wrong(String url, String what) {
        assertThatThrownBy(() -> parse(url))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining(what)
                .message()
                .doesNotContain("\n");
    }
}
