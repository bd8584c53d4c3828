// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.option;

import dev.seriatim.SequenceException.Misconfigured;
import java.util.Map;
import picocli.CommandLine.Option;

/** A command for the sequences of a store, or for the database's own. Not thread-safe. */
public abstract class CatalogCommand extends StoreCommand {

    @Option(names = "--native", description = """
                    Use the database's own sequences.""")
    private boolean ofDatabase;

    @Override
    protected final String url() {
        String url = super.url();
        if (ofDatabase && url.matches("(?s)(sqlite|memory|jdbc:(sqlite|h2|cloudspanner)):.*")) {
            throw new Misconfigured("""
                    --native: this URL offers no native sequences; omit it, or use a spanner: URL""");
        }
        return ofDatabase ? new OptionedUrl(url).with(Map.of("sequences", "native")) : url;
    }
}
