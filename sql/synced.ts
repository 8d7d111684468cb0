/**
 * Settings of a table whose rows are on the disk when their insert is answered, and whose merged parts are there when they
 * take the place of others. A part that an insert has not ended with bears another name until then, and ClickHouse takes
 * it away at its start.
 *
 * ClickHouse by itself syncs none of it (docs/adr/0004-synced-before-the-answer.md), and after a power cut it would take
 * some damaged parts for whole: those whose checksums are lost, too.
 */
export const synced = 'fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1'
