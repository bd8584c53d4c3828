// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** What is done to a link. */
public enum LinkFaults {
    /** All connections are reset. */
    CUT("connections cut") {
        @Override
        void strike(TcpLink link, WireProtocol protocol, RandomGenerator dice) {
            link.cut();
        }
    },
    /** Some answers to commits are lost, or to any requests where the link cannot tell. */
    LOSE_ANSWERS("answers lost") {
        @Override
        void strike(TcpLink link, WireProtocol protocol, RandomGenerator dice) throws InterruptedException {
            long count = dice.nextLong(1, MOST_ANSWERS + 1);
            int every = dice.nextInt(1, LEAST_OFTEN + 1);
            AnswerLoss loss =
                    protocol.showsCommits() ? link.loseCommitAnswers(count, every) : link.loseAnswers(count, every);
            loss.await(LONGEST);
        }
    },
    /** Requests are delivered, and all answers dropped for a while; then the connections are reset. */
    SWALLOW("answers swallowed") {
        @Override
        void strike(TcpLink link, WireProtocol protocol, RandomGenerator dice) throws InterruptedException {
            link.swallow();
            pause(dice);
        }
    },
    /** All connections are reset, and new ones refused for a while. */
    REFUSE("connections refused") {
        @Override
        void strike(TcpLink link, WireProtocol protocol, RandomGenerator dice) throws InterruptedException {
            link.refuse();
            link.cut();
            pause(dice);
        }
    },
    /** Nothing passes for a while; then all of it does. */
    HOLD("connections held") {
        @Override
        void strike(TcpLink link, WireProtocol protocol, RandomGenerator dice) throws InterruptedException {
            link.hold();
            pause(dice);
        }
    };

    private static final long MOST_ANSWERS = 20;
    private static final int LEAST_OFTEN = 5;
    private static final Duration SHORTEST = Duration.ofMillis(50);
    private static final Duration LONGEST = Duration.ofSeconds(2);

    private final String title;

    LinkFaults(String title) {
        this.title = title;
    }

    abstract void strike(TcpLink link, WireProtocol protocol, RandomGenerator dice) throws InterruptedException;

    private static void pause(RandomGenerator dice) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(FaultPlan.between(dice, SHORTEST, LONGEST).toNanos());
    }

    /** Returns this fault on a link. */
    public InjectedFault on(TcpLink link, WireProtocol protocol) {
        return new OnLink(this, link, protocol);
    }

    /** Returns all faults on a link. */
    public static List<InjectedFault> all(TcpLink link, WireProtocol protocol) {
        return Arrays.stream(values()).map(fault -> fault.on(link, protocol)).toList();
    }

    private record OnLink(LinkFaults fault, TcpLink link, WireProtocol protocol) implements InjectedFault {
        @Override
        public FaultKind kind() {
            return FaultKind.LINK;
        }

        @Override
        public String name() {
            return fault.title;
        }

        @Override
        public void strike(RandomGenerator dice) throws InterruptedException {
            try {
                fault.strike(link, protocol, dice);
            } finally {
                link.restore();
            }
        }
    }
}
