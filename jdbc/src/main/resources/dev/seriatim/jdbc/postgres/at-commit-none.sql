SELECT format('no trigger numbers column %I.%I.%I at the commit; name one that is numbered', {place_text}::text, {name_text}::text, {column_text}::text)
WHERE coalesce(obj_description(to_regprocedure({function_text} || '()'), 'pg_proc'), '') <> {comment_text}
