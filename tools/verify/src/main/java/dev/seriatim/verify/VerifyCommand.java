// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.cli.ToolCommand;
import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.cli.draw.ModeNames;
import dev.seriatim.cli.option.Interruption;
import dev.seriatim.cli.option.LengthOfTime;
import dev.seriatim.cli.option.OutputFile;
import dev.seriatim.cli.option.ShownCommand;
import dev.seriatim.cli.option.StoreOption;
import dev.seriatim.cli.terminal.ExitCode;
import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.cli.terminal.OutputFormat;
import dev.seriatim.cli.terminal.WholeNumber;
import dev.seriatim.report.Document;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.StoreDriver;
import dev.seriatim.verify.Verdict.LeftOut;
import dev.seriatim.verify.fault.ChildProcesses;
import dev.seriatim.verify.fault.FaultKind;
import dev.seriatim.verify.fault.LinkedUrl;
import dev.seriatim.verify.fault.ServerCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UseDefaultConverter;

/**
 * Checks on the user's own database that the modes keep their promises under faults. The exit code is 3 if a promise was broken, and
 * 1 if nothing was proven. Not thread-safe.
 */
@Command(name = "verify", abbreviateSynopsis = true, description = """
                Draws in several processes and threads, in every mode that the store offers, while it kills and stops \
                these processes and cuts their connections. Checks for repeated, missing and out-of-order numbers.
                Draws from tables of its own and drops them at the end. It does nothing to the server itself, unless \
                --server-command says how to start it.""", footer = """

                First runs faulty generators until the same checks catch each: a check that
                misses them proves nothing. Stops at the first violation.

                Ctrl-C ends it with a report, and everything is removed.

                In JSON, 64-bit numbers are strings.

                Examples: seriatim verify --store jdbc:postgresql://HOST/DATABASE
                          seriatim verify --minutes 1 --modes GROUPED --html report.html
                          seriatim verify --until kills=1000,gapless=1000000
                          seriatim verify --server-command 'exec postgres -D /tmp/data -p 5433'

                Exit code 3: a promise was broken. 1: nothing was proven; the last line says
                why.""")
public final class VerifyCommand implements ToolCommand {

    private static final double DEFAULT_MINUTES = 10;

    private static final Duration LONGEST = Duration.ofDays(7);

    private static final int MILLIS_PER_MINUTE = 60_000;
    private static final int MOST_PROCESSES = 100;
    private static final int MOST_THREADS = 1_000;
    private static final Duration PATIENCE_WITH_SERVER = Duration.ofMinutes(2);

    private final AtomicBoolean stop;
    private volatile boolean answered;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli's to set
    private CommandSpec spec;

    @Mixin
    private final StoreOption storeOption = new StoreOption();

    @Option(names = "--node", paramLabel = "URL", description = """
                    Another URL of the same store, such as another node of its cluster; may be given several times. \
                    Processes take them in turn.""")
    private List<String> nodes = List.of();

    @Option(names = "--minutes", paramLabel = "N", description = """
                    The longest time to draw. Default: 10; with goals, until they are reached.""")
    private @Nullable Double minutes;

    @Option(
            names = {"--modes", "--mode"},
            split = ",",
            completionCandidates = ModeNames.All.class,
            paramLabel = "MODE",
            description = "The modes to draw in: ${COMPLETION-CANDIDATES}. Default: all.")
    private @Nullable List<DrawMode> modes;

    @Option(names = "--feeds", description = """
                    Instead of the modes, tries a feed: processes write rows, stamp and read them. Of each, there are \
                    --processes; --threads is for those that write.""")
    private boolean feeds;

    @Option(names = "--faults", split = ",", paramLabel = "FAULT", description = """
                    kill: kills a process that draws, and starts another. stop: stops one for a while. link: cuts, \
                    refuses and holds connections, and loses answers. server: kills and stops the server of \
                    --server-command.
                    Default: all that are possible.""")
    private @Nullable List<FaultKind> faults;

    @Option(names = "--no-faults", description = "Injects no faults.")
    private boolean noFaults;

    @Option(names = "--server-command", paramLabel = "COMMAND", description = """
                    A shell command that runs the server in the foreground. Verify starts, kills and restarts it. It \
                    must not already be running.""")
    private @Nullable String serverCommand;

    @Option(names = "--processes", paramLabel = "N", description = "Processes that draw at a time. Default: 2.")
    private int processes = 2;

    @Option(names = "--threads", paramLabel = "N", description = "Threads of each process for each mode. Default: 2.")
    private int threads = 2;

    @Option(
            names = "--until",
            split = ",",
            converter = {UseDefaultConverter.class, WholeNumber.class},
            paramLabel = "GOAL=N",
            description = """
                    Ends when all are reached: unique, ordered and gapless count numbers of modes with these promises, and \
                    rows those of --feeds; kills, server-kills and lost-answers count faults.""")
    private @Nullable Map<Goal, Long> until;

    @Option(names = "--soak", description = """
                    The project's own long run, with goals of its own, if possible here. Takes an hour or more.""")
    private boolean soak;

    @Option(names = "--seed", paramLabel = "N", description = "Decides the faults and their order. Default: random.")
    private @Nullable Long seed;

    @Option(names = "--patience", paramLabel = "TIME", converter = LengthOfTime.class, description = """
                    How long the store may be unavailable. Default: 30s.""")
    private Duration patience = Duration.ofSeconds(30);

    @Option(names = "--no-controls", description = "Skips the faulty generators.")
    private boolean noControls;

    @Option(names = "--format", paramLabel = "FORMAT", description = "One of: ${COMPLETION-CANDIDATES}. Default: text.")
    private OutputFormat format = OutputFormat.TEXT;

    @Option(names = "--json", paramLabel = "FILE", description = "Also write the verdict to a file, as JSON.")
    private @Nullable Path json;

    @Option(names = "--html", paramLabel = "FILE", description = "Also write the verdict to a file, as HTML.")
    private @Nullable Path html;

    public VerifyCommand() {
        this(new AtomicBoolean());
    }

    VerifyCommand(AtomicBoolean stop) {
        this.stop = stop;
    }

    @Override
    @SuppressWarnings("try") // closing the interruption is its only use
    public Integer call() throws InterruptedException {
        check();
        OutputFile jsonFile = new OutputFile("--json", json);
        OutputFile htmlFile = new OutputFile("--html", html);
        OutputFile.distinct(null, jsonFile, htmlFile);
        Verdict verdict;
        try (Interruption interruption = new Interruption(stop, Arena.PREFIX)) {
            verdict = run();
            report(verdict, jsonFile, htmlFile);
        }
        return exitCode(verdict);
    }

    private Verdict run() throws InterruptedException {
        try (ServerCommand server = serverCommand == null
                ? null
                : new ServerCommand(serverCommand, serverOutput(), this::answers, PATIENCE_WITH_SERVER)) {
            return run(plan(Optional.ofNullable(server)));
        }
    }

    private Verdict run(TrialPlan plan) throws InterruptedException {
        boolean terminal = "1".equals(System.getProperty("seriatim.tty"));
        StatusLine line = new StatusLine(
                spec.commandLine().getErr(), terminal, plan.limits().goals());
        try {
            return feeds ? new FeedTrial(plan, stop, line).run() : new Trial(plan, stop, line).run();
        } finally {
            line.erase();
        }
    }

    private void report(Verdict verdict, OutputFile jsonFile, OutputFile htmlFile) {
        Document document = verdict.document();
        PrintWriter err = spec.commandLine().getErr();
        document.print(format, spec.commandLine().getOut());
        jsonFile.write(() -> document.json() + "\n");
        htmlFile.write(document::html);
        if (!verdict.left().isEmpty()) {
            err.println("seriatim: " + verdict.left());
        }
        if (exitCode(verdict) != ExitCode.DONE && format == OutputFormat.JSON) {
            err.println("seriatim: " + OneLine.of(verdict.store() + ": " + verdict.headline()));
        }
    }

    private static int exitCode(Verdict verdict) {
        if (verdict.broken() > 0) {
            return ExitCode.WRONG_NUMBERS;
        }
        return verdict.isUnproven() || !verdict.left().isEmpty() ? ExitCode.FAILED : ExitCode.DONE;
    }

    private void check() {
        refuse(
                minutes != null && !(minutes > 0 && minutes <= LONGEST.toMinutes()),
                "--minutes must be above 0, and at most " + LONGEST.toMinutes());
        refuse(processes < 1 || processes > MOST_PROCESSES, "--processes must be between 1 and " + MOST_PROCESSES);
        int urls = nodes.size() + 1;
        refuse(
                urls > processes,
                "--store and --node name " + urls + " URLs, and --processes is " + processes
                        + "; each process takes one, so add --processes " + urls);
        refuse(threads < 1 || threads > MOST_THREADS, "--threads must be between 1 and " + MOST_THREADS);
        refuse(patience.toMillis() < 1, "--patience must be at least 1ms");
        refuse(noFaults && faults != null, "--no-faults contradicts --faults; give one of them");
        refuse(feeds && (modes != null || !nodes.isEmpty()), "--feeds has neither modes nor nodes; leave them out");
        refuse(soak && until != null, "--soak has goals of its own; leave --until out, or use it alone");
        refuse(
                until != null && until.values().stream().anyMatch(count -> count < 1),
                "--until: a goal must be at least 1");
        refuse(
                until != null && !until.keySet().stream().allMatch(goal -> goal.isReached(feeds)),
                "--until: rows are those of --feeds, which has no numbers");
        refuse(
                serverCommand != null && !LinkedUrl.hasServer(storeOption.url()),
                "--server-command runs a database server, and this store has none; leave it out");
    }

    private void refuse(boolean isWrong, String message) {
        if (isWrong) {
            throw new ParameterException(spec.commandLine(), message);
        }
    }

    private TrialPlan plan(Optional<ServerCommand> server) {
        String url = storeOption.url();
        List<LeftOut> leftOut = new ArrayList<>();
        Set<FaultKind> possible = possible(url, leftOut);
        Map<Goal, Long> goals = new EnumMap<>(Goal.class);
        if (until != null) {
            goals.putAll(until);
        }
        if (soak) {
            goals.putAll(Goal.soak(feeds));
        }
        goals.keySet()
                .removeIf(goal -> goal.fault != null && !possible.contains(goal.fault) && leavesOut(goal, leftOut));
        if (noControls) {
            leftOut.add(new LeftOut("controls", "--no-controls leaves them out"));
        }
        double limit = minutes != null ? minutes : goals.isEmpty() ? DEFAULT_MINUTES : LONGEST.toMinutes();
        long chosen = seed == null ? ThreadLocalRandom.current().nextLong(1, Integer.MAX_VALUE) : seed;
        return new TrialPlan(
                ShownCommand.of(spec.commandLine(), urls(url)) + (seed == null ? " --seed " + chosen : ""),
                urls(url),
                feeds ? List.of() : modes == null ? List.of(DrawMode.values()) : modes,
                new TrialPlan.Load(processes, threads),
                new TrialPlan.Faults(possible, chosen, server, List.of()),
                new TrialPlan.Limits(Duration.ofMillis((long) (limit * MILLIS_PER_MINUTE)), patience, goals),
                !noControls,
                leftOut);
    }

    private List<String> urls(String url) {
        List<String> urls = new ArrayList<>(List.of(url));
        urls.addAll(nodes);
        return urls;
    }

    /** Leaves out a goal without its kind of fault. Refuses it if the user named it. */
    private boolean leavesOut(Goal goal, List<LeftOut> leftOut) {
        String why = "needs faults of the kind " + goal.fault
                + (goal == Goal.SERVER_KILLS && LinkedUrl.hasServer(storeOption.url())
                        ? ", for which --server-command must say how to start the server"
                        : "");
        refuse(!soak, "--until " + goal + " " + why);
        return leftOut.add(new LeftOut("goal " + goal, why));
    }

    private Set<FaultKind> possible(String url, List<LeftOut> leftOut) {
        Set<FaultKind> possible = EnumSet.noneOf(FaultKind.class);
        if (noFaults) {
            return possible;
        }
        for (FaultKind kind : faults == null ? List.of(FaultKind.values()) : faults) {
            try {
                check(kind, url);
                possible.add(kind);
            } catch (Misconfigured e) {
                if (faults != null) {
                    throw e;
                }
                leftOut.add(new LeftOut("faults of the kind " + kind, String.valueOf(e.getMessage())));
            }
        }
        return possible;
    }

    /** Refuses a kind of fault that is not possible here. */
    private void check(FaultKind kind, String url) {
        if (kind == FaultKind.STOP) {
            ChildProcesses.checkSuspension();
        } else if (kind == FaultKind.LINK) {
            LinkedUrl.parse(url);
        } else if (kind == FaultKind.SERVER && serverCommand == null) {
            throw new Misconfigured(
                    LinkedUrl.hasServer(url)
                            ? "--server-command does not say how to start the server"
                            : "this store has no server");
        }
    }

    private boolean answers() {
        try (OpenStore store = StoreDriver.open(storeOption.url())) {
            answered = !store.toString().isEmpty();
        } catch (Unavailable | Overloaded e) {
            if (stop.get() && !answered) { // later, a restarted server is needed for the report
                throw new Unavailable("stopped before the server of --server-command answered", e);
            }
            return false;
        } catch (SequenceException e) {
            answered = true; // the trial reports the failure
        }
        return true;
    }

    private static Path serverOutput() {
        try {
            return Files.createTempFile("seriatim-verify-server-", ".log");
        } catch (IOException e) {
            throw new Unavailable("cannot create a temporary file for the server's output (" + e + ")", e);
        }
    }
}
