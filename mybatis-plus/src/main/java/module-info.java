// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** Identifiers of MyBatis-Plus entities. */
@NullMarked
module dev.seriatim.mybatisplus {
    requires transitive dev.seriatim;
    requires static org.jspecify;
}
