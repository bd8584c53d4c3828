// SPDX-License-Identifier: Apache-2.0
/** PostgreSQL and Aurora DSQL. */
@NullMarked
package dev.seriatim.jdbc.postgres;

import org.jspecify.annotations.NullMarked;
