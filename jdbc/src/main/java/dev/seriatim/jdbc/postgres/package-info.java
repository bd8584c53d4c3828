// SPDX-License-Identifier: Apache-2.0
/** PostgreSQL and the engines that speak its protocol: Aurora DSQL, CockroachDB, YugabyteDB. */
@NullMarked
package dev.seriatim.jdbc.postgres;

import org.jspecify.annotations.NullMarked;
