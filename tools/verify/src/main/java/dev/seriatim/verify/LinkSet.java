// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import dev.seriatim.verify.fault.FaultKind;
import dev.seriatim.verify.fault.LinkedUrl;
import dev.seriatim.verify.fault.TcpLink;
import dev.seriatim.verify.fault.WireProtocol;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A link for each place of a process, so that faults strike processes independently; none if links are not among the faults.
 * Thread-safe.
 */
record LinkSet(List<TcpLink> links, List<LinkedUrl> servers) implements AutoCloseable {

    static LinkSet open(TrialPlan plan) {
        if (!plan.faults().kinds().contains(FaultKind.LINK)) {
            return new LinkSet(List.of(), List.of());
        }
        List<TcpLink> links = new ArrayList<>();
        List<LinkedUrl> servers = new ArrayList<>();
        LinkSet opened = new LinkSet(links, servers);
        boolean done = false;
        try {
            for (int i = 0; i < plan.load().processes(); i++) {
                servers.add(LinkedUrl.parse(plan.url(i)));
                links.add(servers.get(i).open());
            }
            done = true;
            return opened;
        } finally {
            if (!done) {
                opened.close();
            }
        }
    }

    boolean isEmpty() {
        return links.isEmpty();
    }

    WireProtocol protocol() {
        return servers.get(0).protocol();
    }

    /** Returns the store's URL through the link of a place. */
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

    /** Returns the sum of all tallies; empty if there are no links. */
    Optional<TcpLink.Tally> tally() {
        return links.stream()
                .map(TcpLink::tally)
                .reduce((one, other) -> new TcpLink.Tally(
                        one.opened() + other.opened(),
                        one.open() + other.open(),
                        one.refused() + other.refused(),
                        one.cut() + other.cut(),
                        one.answersLost() + other.answersLost(),
                        one.commitAnswersLost() + other.commitAnswersLost()));
    }

    @Override
    public void close() {
        links.forEach(TcpLink::close);
    }
}
