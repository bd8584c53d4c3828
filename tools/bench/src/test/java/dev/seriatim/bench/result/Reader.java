// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import dev.seriatim.servers.Browser;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;

/** Opens pages in a browser without a window, and says what is wrong with them. Not thread-safe. */
final class Reader implements AutoCloseable {

    /** Where pictures are kept. */
    static final Path SCREENSHOTS = Path.of("target/screenshots");

    // It warns of browsers that are newer than itself, for the sake of calls that are not made here.
    private static final Logger TALK = Logger.getLogger("org.openqa.selenium");

    private final ChromeDriver driver;
    private final String script;

    /** Skips the test where no browser is installed. */
    Reader() {
        Browser browser = Browser.installed();
        TALK.setLevel(Level.SEVERE);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(browser.program().toFile());
        options.addArguments("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars");
        driver = new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(browser.driver().toFile())
                        .usingAnyFreePort()
                        .build(),
                options);
        script = resource("page-faults.js");
    }

    /** Shows a file as it is to be looked at, and lists what is wrong; a picture of it is kept. */
    List<String> faults(Path file, View view) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", view.width, "height", 900, "deviceScaleFactor", 1, "mobile", false));
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of(
                        "media",
                        view.medium,
                        "features",
                        List.of(Map.of("name", "prefers-color-scheme", "value", view.scheme))));
        driver.get(file.toAbsolutePath().toUri().toString());
        keepPicture(String.valueOf(file.getFileName()).replace(".html", "") + "-"
                + view.name().toLowerCase(Locale.ROOT));
        List<?> faults = (List<?>) Objects.requireNonNull(driver.executeScript(script), "no answer");
        return faults.stream().map(String::valueOf).distinct().toList();
    }

    private void keepPicture(String name) {
        Map<String, Object> answer =
                driver.executeCdpCommand("Page.captureScreenshot", Map.of("captureBeyondViewport", true));
        try {
            Files.createDirectories(SCREENSHOTS);
            Files.write(
                    SCREENSHOTS.resolve(name + ".png"), Base64.getDecoder().decode(String.valueOf(answer.get("data"))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String resource(String name) {
        try (InputStream text = Objects.requireNonNull(Reader.class.getResourceAsStream(name), name)) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        driver.quit();
    }
}
