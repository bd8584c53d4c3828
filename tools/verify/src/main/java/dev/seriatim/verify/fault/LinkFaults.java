// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** Faults of links. */
public enum LinkFaults {
    /** All connections are reset. */
    CUT("connections cut"),
    /** Some answers to commits are lost, or to any requests if the link cannot recognize commits. */
    LOSE_ANSWERS("answers lost"),
    /** Requests are delivered and all answers dropped for a while. Then the connections are reset. */
    SWALLOW("answers swallowed"),
    /** All connections are reset, and new ones refused for a while. */
    REFUSE("connections refused"),
    /** All bytes are delayed for a while. */
    HOLD("connections held");

    private static final long MOST_ANSWERS = 20;
    private static final int LEAST_OFTEN = 5;
    private static final Duration SHORTEST = Duration.ofMillis(50);
    private static final Duration LONGEST = Duration.ofSeconds(2);

    private final String title;

    LinkFaults(String title) {
        this.title = title;
    }

    /** Returns this fault on one link at a time, chosen by chance. */
    public InjectedFault on(List<TcpLink> links) {
        return new InjectedFault(title, dice -> {
            TcpLink link = links.get(dice.nextInt(links.size()));
            try {
                inject(link, dice);
            } finally {
                link.restore();
            }
        });
    }

    private void inject(TcpLink link, RandomGenerator dice) throws InterruptedException {
        switch (this) {
            case CUT -> link.cut();
            case LOSE_ANSWERS -> {
                long count = dice.nextLong(1, MOST_ANSWERS + 1);
                int every = dice.nextInt(1, LEAST_OFTEN + 1);
                link.lose(new AnswerLoss(link.recognizesCommits(), count, every))
                        .await(LONGEST);
            }
            case SWALLOW -> link.swallow();
            case REFUSE -> {
                link.refuse();
                link.cut();
            }
            case HOLD -> link.hold();
        }
        if (this == SWALLOW || this == REFUSE || this == HOLD) {
            TimeUnit.NANOSECONDS.sleep(Injector.between(dice, SHORTEST, LONGEST).toNanos());
        }
    }
}
