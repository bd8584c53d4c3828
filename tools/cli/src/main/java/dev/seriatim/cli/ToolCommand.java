// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import java.util.concurrent.Callable;

/** A picocli command of another jar. Found by the service loader: name it in {@code META-INF/services/dev.seriatim.cli.ToolCommand}. */
public interface ToolCommand extends Callable<Integer> {}
