// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** Identifiers of MyBatis-Plus entities. */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"}) // MyBatis-Plus has no module descriptors
@NullMarked
module dev.seriatim.mybatisplus {
    requires transitive dev.seriatim;
    requires transitive com.baomidou.mybatis.plus.core;
    requires com.baomidou.mybatis.plus.annotation;
    requires static org.jspecify;

    exports dev.seriatim.mybatisplus;
}
