/**
 * What a transaction asks of the rows of one space, $1. Columns are named: a later version may add some while this one
 * runs, and PostgreSQL refuses a prepared query whose columns have changed.
 *
 * @module
 */
const DOCUMENT = `d.document_no, d.document, d.heads, d.position, d.max_op, d.retired_at, d.base_no, d.base_position,
    d.base_without`;
export const FIND_DOCUMENTS = `
WITH RECURSIVE found AS (
  SELECT ${DOCUMENT} FROM log_documents d WHERE d.space_no = $1 AND d.document = ANY ($2::bytea[])
  UNION
  SELECT ${DOCUMENT} FROM found f JOIN log_documents d ON d.space_no = $1 AND d.document_no = f.base_no
) SELECT ${DOCUMENT} FROM found d`;
export const FIND_ACTORS = `
SELECT actor_no, actor FROM log_actors WHERE space_no = $1 AND actor = ANY ($2::bytea[])
UNION ALL
SELECT actor_no, actor FROM log_actors WHERE space_no = $1 AND actor_no = ANY ($3::integer[])`;
const ENTRY = "e.position, e.document_no, e.actor_no, e.number, e.max_op, e.deps, e.hash";
export const FIND_ENTRIES = `
SELECT ${ENTRY} FROM unnest($2::integer[], $3::bytea[]) AS w (document_no, hash)
  JOIN log_entries e ON e.space_no = $1 AND e.document_no = w.document_no AND e.hash = w.hash
UNION ALL
SELECT ${ENTRY} FROM unnest($4::integer[], $5::integer[], $6::integer[]) AS w (document_no, actor_no, number)
  JOIN log_entries e ON e.space_no = $1 AND e.document_no = w.document_no
    AND e.actor_no = w.actor_no AND e.number = w.number`;
/** An actor's changes are numbered without gaps, and so are their operations in the same order: it halves the numbers. */
export const FIND_OPERATIONS = `
WITH RECURSIVE step (document_no, actor_no, counter, low, high, position) AS (
  SELECT w.*, (SELECT MIN(number) FROM log_entries e WHERE e.space_no = $1 AND e.document_no = w.document_no AND e.actor_no = w.actor_no),
    (SELECT MAX(number) FROM log_entries e WHERE e.space_no = $1 AND e.document_no = w.document_no AND e.actor_no = w.actor_no),
    NULL::bigint
  FROM unnest($2::integer[], $3::integer[], $4::bigint[]) AS w (document_no, actor_no, counter)
  UNION ALL
  SELECT s.document_no, s.actor_no, s.counter,
    CASE WHEN s.counter < e.start_op THEN s.low ELSE e.number + 1 END,
    CASE WHEN s.counter < e.start_op THEN e.number - 1 ELSE s.high END,
    CASE WHEN s.counter BETWEEN e.start_op AND e.max_op THEN e.position END
  FROM step s JOIN log_entries e ON e.space_no = $1 AND e.document_no = s.document_no AND e.actor_no = s.actor_no
    AND e.number = (s.low + s.high) / 2
  WHERE s.position IS NULL AND s.low <= s.high
) SELECT document_no, actor_no, counter, position FROM step WHERE position IS NOT NULL`;
/** With some before each: whoever asks for one walks down. */
export const FIND_AT = `
SELECT ${ENTRY} FROM unnest($2::bigint[]) AS w (position)
  JOIN log_entries e ON e.space_no = $1 AND e.position BETWEEN w.position - 63 AND w.position`;
export const FIND_STEPS = `
SELECT position, deps, joint FROM log_entries
WHERE space_no = $1 AND document_no = $2 AND position <= $3 AND actor_no IS NOT NULL ORDER BY position DESC LIMIT $4`;
export const FIND_FORKED = `
SELECT DISTINCT base_no FROM log_documents
WHERE space_no = $1 AND base_no = ANY ($2::integer[]) AND retired_at IS NULL`;
