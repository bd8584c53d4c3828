// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import dev.seriatim.verify.fault.FaultKind;
import dev.seriatim.verify.fault.LinkedUrl;
import dev.seriatim.verify.fault.TcpLink;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A link for each place of a process, so that faults strike processes independently; none without such faults. Thread-safe. */
record LinkSet(List<TcpLink> links, List<LinkedUrl> servers) implements AutoCloseable {

    static LinkSet open(TrialPlan plan, int places) {
        LinkSet opened = new LinkSet(new ArrayList<>(), new ArrayList<>());
        if (!plan.faults().kinds().contains(FaultKind.LINK)) {
            return opened;
        }
        try {
            for (int place = 0; place < places; place++) {
                LinkedUrl server = LinkedUrl.parse(plan.url(place));
                opened.servers.add(server);
                opened.links.add(server.open());
            }
            return opened;
        } catch (RuntimeException e) {
            opened.close();
            throw e;
        }
    }

    boolean isEmpty() {
        return links.isEmpty();
    }

    String url(int place) {
        return servers.get(place).through(links.get(place).port());
    }

    /** Replaces the addresses of links, which the user does not know, by those of their servers. */
    String toServers(String text) {
        String replaced = text;
        for (int i = 0; i < links.size(); i++) {
            Pattern address = Pattern.compile("127\\.0\\.0\\.1:" + links.get(i).port() + "(?!\\d)");
            replaced = address.matcher(replaced)
                    .replaceAll(Matcher.quoteReplacement(servers.get(i).toString()));
        }
        return replaced;
    }

    long commitAnswersLost() {
        return sum(TcpLink.Tally::commitAnswersLost);
    }

    long sum(ToLongFunction<TcpLink.Tally> count) {
        return links.stream().map(TcpLink::tally).mapToLong(count).sum();
    }

    @Override
    public void close() {
        links.forEach(TcpLink::close);
    }
}
