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

export const saysMeaning = (name: string): boolean => names.has(name)

/** Settings with a bound of their own, which hold only where a client asks for them. */
const bounds: Readonly<Record<string, number>> = {
  max_bytes_before_external_group_by: 1024 * 1024 * 1024,
  max_bytes_before_external_sort: 1024 * 1024 * 1024,
  max_recursive_cte_evaluation_depth: 10_000,
}

/** The value of such a setting within its bound; undefined where it is none. */
export function bounded(name: string, value: string): number | undefined {
  const bound = Object.hasOwn(bounds, name) ? bounds[name] : undefined
  if (bound === undefined) return undefined
  const number = Number(value)
  return value !== '' && Number.isInteger(number) && number >= 0 && number <= bound ? number : bound
}

/** The first fence and the second are made for the analyzer that is on. */
export const isAnalyzerOn = (name: string, value: string): boolean =>
  /^(enable_analyzer|allow_experimental_analyzer)$/.test(name) && /^(1|true)$/i.test(value)
