import { filterSettings } from './filters.ts'
import { StatementRefusal } from './refusal.ts'

/** They say what an expression means, and reach nothing. */
const names: ReadonlySet<string> = new Set(
  `allow_deprecated_error_prone_window_functions allow_experimental_correlated_subqueries allow_nonconst_timezone_arguments
  allow_suspicious_types_in_group_by allow_suspicious_types_in_order_by date_time_overflow_behavior
  enable_extended_results_for_datetime_functions formatdatetime_e_with_space_padding formatdatetime_f_prints_scale_number_of_digits
  formatdatetime_f_prints_single_zero formatdatetime_format_without_leading_zeros formatdatetime_parsedatetime_m_is_month_name
  function_json_value_return_type_allow_complex function_json_value_return_type_allow_nullable function_visible_width_behavior
  geo_distance_returns_float64_on_float64_arguments geotoh3_argument_order h3togeo_lon_lat_result_order json_type_escape_dots_in_keys
  least_greatest_legacy_null_behavior legacy_column_name_of_tuple_literal parsedatetime_e_requires_space_padding
  parsedatetime_parse_without_leading_zeros regexp_max_matches_per_row rewrite_count_distinct_if_with_count_distinct_implementation
  short_circuit_function_evaluation short_circuit_function_evaluation_for_nulls short_circuit_function_evaluation_for_nulls_threshold
  splitby_max_substrings_includes_remaining_string use_legacy_to_time use_variant_as_common_type validate_enum_literals_in_operators
  validate_polygons`.split(/\s+/),
)

const saysMeaning = (name: string): boolean => names.has(name)

/** Settings with a bound of their own, which hold only where a client asks for them. */
const bounds: Readonly<Record<string, number>> = {
  max_bytes_before_external_group_by: 1024 * 1024 * 1024,
  max_bytes_before_external_sort: 1024 * 1024 * 1024,
  max_recursive_cte_evaluation_depth: 10_000,
}

/** The value of such a setting within its bound; undefined where it is none. */
function bounded(name: string, value: string): number | undefined {
  const bound = Object.hasOwn(bounds, name) ? bounds[name] : undefined
  if (bound === undefined) return undefined
  const number = Number(value)
  return value !== '' && Number.isInteger(number) && number >= 0 && number <= bound ? number : bound
}

/** The first fence and the second are made for the analyzer that is on. */
const isAnalyzerOn = (name: string, value: string): boolean =>
  /^(enable_analyzer|allow_experimental_analyzer)$/.test(name) && /^(1|true)$/i.test(value)

/** The limits of one query. A client may ask for less, never for more. */
export const limits = {
  max_execution_time: 60,
  max_memory_usage: 1024 * 1024 * 1024,
  max_rows_to_read: 2_000_000_000,
  max_bytes_to_read: 200_000_000_000,
  max_result_rows: 50_000_000,
  max_result_bytes: 10_000_000_000,
  max_rows_in_set: 10_000_000,
  max_rows_in_join: 50_000_000,
  max_temporary_data_on_disk_size_for_query: 10_000_000_000,
  max_threads: 1,
  max_block_size: 65_409,
  max_ast_elements: 50_000,
  max_expanded_ast_elements: 500_000,
  max_ast_depth: 1000,
} as const

/** Written on every query, whatever a client asks. */
const fixed = {
  // 1 would tell clients that they may set nothing.
  readonly: 2,
  allow_ddl: 0,
  allow_introspection_functions: 0,
  // The limits of reading once more, under a mode of their own: they refuse where a client's own limits break.
  max_rows_to_read_leaf: limits.max_rows_to_read,
  max_bytes_to_read_leaf: limits.max_bytes_to_read,
  read_overflow_mode_leaf: 'throw',
  max_subquery_depth: 50,
  max_concurrent_queries_for_user: 0,
  output_format_parallel_formatting: 0,
  // Behind the feeder's threads, where the process may say so.
  os_threads_nice_value_query: 10,
} as const

/** Hold where a client sets no other value: `SELECT *` has the columns that DESCRIBE lists, `_v` and `_time` among them. */
const defaults = { asterisk_include_alias_columns: 1 } as const

/** The ways to meet a limit. A client may choose `break` for its own limits; those of the service refuse. */
const overflowModes = {
  timeout_overflow_mode: ['max_execution_time'],
  read_overflow_mode: ['max_rows_to_read', 'max_bytes_to_read'],
  result_overflow_mode: ['max_result_rows', 'max_result_bytes'],
} as const satisfies Readonly<Record<string, readonly (keyof typeof limits)[]>>

/** They shape an answer or the meaning of an expression, and reach nothing. */
const allowed =
  /^(output_format_(?!schema)\w+|format_(csv|tsv|custom|binary)_\w+|bool_(true|false)_representation|date_time_(in|out)put_format|interval_output_format|session_timezone|join_use_nulls|group_by_use_nulls|join_algorithm|join_default_strictness|any_join_distinct_right_table_keys|union_default_mode|(in|ex)tersect_default_mode|transform_null_in|prefer_column_name_to_alias|count_distinct_implementation|cast_(keep_nullable|string_to_dynamic_use_inference|string_to_variant_use_inference)|aggregate_functions_null_for_empty|empty_result_for_aggregation_by_empty_set|totals_mode|extremes|final|limit|offset|decimal_check_overflow|enable_positional_arguments|asterisk_include_(alias|materialized)_columns|describe_compact_output|describe_include_subcolumns|print_pretty_type_names|http_make_head_request|low_cardinality_allow_in_native_format)$/

/** Clients send these of their own accord, and they change nothing here: the rights of a query are settled. */
const ignored: ReadonlySet<string> = new Set(
  `readonly allow_ddl priority use_query_cache use_uncompressed_cache receive_timeout max_query_size
  load_balancing skip_unavailable_shards compression enable_json_type
  throw_on_unsupported_query_inside_transaction poll_interval mutations_sync alter_sync lightweight_deletes_sync
  allow_nondeterministic_mutations replication_alter_partitions_sync select_sequential_consistency
  use_hedged_requests max_estimated_execution_time network_compression_method network_zstd_compression_level
  async_insert weir_wait`.split(/\s+/),
)
/** Settings that begin with these are ignored too. */
const ignoredBegins =
  `log_ send_ http_ wait_ insert_ input_format_ max_insert_ query_cache_ connect_ cancel_ distributed_
  database_replicated_ query_plan_ optimize_ param_ async_insert_`.split(/\s+/)

const isIgnored = (name: string): boolean =>
  ignored.has(name) ||
  /^allow_experimental_\w+_type$/.test(name) ||
  ignoredBegins.some((begin) => name.startsWith(begin))

export type Settings = Readonly<Record<string, string | number>>

/** The settings under which a query runs: a client's own where they are allowed, within the limits. */
export function grantSettings(asked: Readonly<Record<string, string>>): Settings {
  const granted: Record<string, string | number> = {}
  for (const [name, value] of Object.entries(asked)) {
    if (isLimit(name)) granted[name] = lesser(name, value)
    else if (isOverflowMode(name)) continue
    else if (Object.hasOwn(fixed, name) || isIgnored(name)) continue
    else if (isAnalyzerOn(name, value) || filterSettings.some((filter) => filter === name)) continue
    else if (allowed.test(name) || saysMeaning(name)) granted[name] = value
    else if (bounded(name, value) !== undefined) granted[name] = bounded(name, value) ?? 0
    else throw refuseSetting(name)
  }
  return { ...limits, ...defaults, ...granted, ...modes(asked, granted), ...fixed }
}

/** A mode holds for the limits of a client's own; without one it changes nothing. */
function modes(asked: Readonly<Record<string, string>>, granted: Settings): Settings {
  const all = Object.entries(overflowModes).map(([mode, names]) => {
    const wanted = asked[mode]?.toLowerCase() ?? 'throw'
    if (wanted !== 'throw' && wanted !== 'break') {
      throw new StatementRefusal(36, 'BAD_ARGUMENTS', `the setting ${mode} is 'throw' or 'break'`)
    }
    const hasOwn = names.some((name) => granted[name] !== undefined && granted[name] !== limits[name])
    return [mode, hasOwn ? wanted : 'throw']
  })
  return Object.fromEntries(all)
}

/**
 * Settings under which an answer that may end early has as many rows as its client asked for: `break` alone gives whole
 * blocks. For statements that have no limit themselves.
 */
export function withRows(settings: Settings): Settings {
  const { result_overflow_mode, max_result_rows, limit = 0 } = settings
  if (result_overflow_mode !== 'break' || max_result_rows === limits.max_result_rows) return settings
  return {
    ...settings,
    limit: Number(limit) > 0 ? Math.min(Number(limit), Number(max_result_rows)) : Number(max_result_rows),
  }
}

/**
 * The limits that a whole result may not exceed. ClickHouse has one mode for rows and bytes, and says nothing of the
 * service's own limit where the client chose `break`; and it looks at no limit of the rows of a statement in which a SELECT
 * without FROM stands behind UNION ALL or by itself (`SELECT arrayJoin(range(100))`).
 */
export const resultLimits = (settings: Settings): { readonly rows: number; readonly bytes: number } => ({
  rows: settings.result_overflow_mode === 'break' ? limits.max_result_rows : Number(settings.max_result_rows),
  bytes: limits.max_result_bytes,
})

/** How long a query may take, reading of its answer included, in seconds. */
export const longest_s = (settings: Settings): number =>
  settings.timeout_overflow_mode === 'break' ? limits.max_execution_time : Number(settings.max_execution_time)

const isLimit = (name: string): name is keyof typeof limits => Object.hasOwn(limits, name)

const isOverflowMode = (name: string): name is keyof typeof overflowModes => Object.hasOwn(overflowModes, name)

/** 0 is no limit of the client's own. */
function lesser(name: keyof typeof limits, asked: string): number {
  const number = Number(asked)
  if (asked.trim() === '' || Number.isNaN(number))
    throw new StatementRefusal(36, 'BAD_ARGUMENTS', `the setting ${name} is a number, and not '${asked.slice(0, 40)}'`)
  return number > 0 && number < limits[name] ? number : limits[name]
}

const refuseSetting = (name: string): StatementRefusal =>
  new StatementRefusal(
    164,
    'READONLY',
    `Cannot modify '${name.slice(0, 100)}' setting in readonly mode: analysts may set formats, what expressions mean, and lower limits`,
  )
