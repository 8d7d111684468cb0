/** `others` describe a query, its types and its place in the result; `aliases` are other names of functions in these files. */

export const others = `
    bar blockNumber blockSize byteSize colorOKLABToSRGB colorOKLCHToSRGB colorSRGBToOKLAB colorSRGBToOKLCH
    connectionId countDigits currentDatabase currentQueryID currentSchemas currentUser defaultValueOfArgumentType
    defaultValueOfTypeName digits dumpColumnStructure finalizeAggregation flipCoordinates formatQuery
    formatQueryOrNull formatQuerySingleLine formatQuerySingleLineOrNull formatReadableDecimalSize
    formatReadableQuantity formatReadableSize formatReadableTimeDelta getSizeOfEnumType getSubcolumn identity ignore
    indexHint initializeAggregation isConstant isDecimalOverflow lowCardinalityIndices lowCardinalityKeys
    MACNumToString MACStringToNum MACStringToOUI materialize minSampleSizeContinuous minSampleSizeConversion
    neighbor parseReadableSize parseReadableSizeOrNull parseReadableSizeOrZero parseTimeDelta queryID revision
    rowNumberInAllBlocks rowNumberInBlock runningAccumulate runningConcurrency runningDifference
    runningDifferenceStartingWithFirstValue throwIf toColumnTypeName toTypeName transform variantElement
    variantType version visibleWidth
`

export const aliases = `
    anova any_value any_value_respect_nulls anyLastRespectNulls anyRespectNulls anyValueRespectNulls
    approx_top_count array_agg array_remove array_to_string arrayAUC arrayPRAUC BIT_AND BIT_OR BIT_XOR byteSlice
    CARDINALITY caseWithoutExpr caseWithoutExpression ceiling CHAR_LENGTH CHARACTER_LENGTH concat_ws COVAR_POP
    COVAR_SAMP curdate current_database current_date current_query_id current_schemas current_timestamp current_user
    DATABASE date_bin date_diff DATE_DIFF DATE_FORMAT DATE_TRUNC DAY DAYOFMONTH DAYOFWEEK DAYOFYEAR dense_rank
    distanceCosine distanceCosineTransposed distanceL1 distanceL2 distanceL2Squared distanceL2Transposed
    distanceLinf distanceLp extractAllGroups first_value first_value_respect_nulls firstValueRespectNulls flatten
    FORMAT_BYTES FROM_BASE64 FROM_DAYS FROM_UNIXTIME from_utc_timestamp group_concat hasAllToken hasAnyToken HOUR
    INET6_ATON INET6_NTOA INET_ATON INET_NTOA instr isASCII JSON_ARRAY_LENGTH jsonMergePatch LAST_DAY last_value
    last_value_respect_nulls lastValueRespectNulls lcase levenshteinDistance levenshteinDistanceUTF8 ln
    localtimestamp lpad ltrim lttb MAP_FROM_ARRAYS mapContains mapFromString matchPhrase max_by median
    medianBFloat16 medianBFloat16Weighted medianDD medianDeterministic medianExact medianExactHigh medianExactLow
    medianExactWeighted medianExactWeightedInterpolated medianGK medianInterpolatedWeighted medianTDigest
    medianTDigestWeighted medianTiming medianTimingWeighted MICROSECOND mid MILLISECOND min_by
    minSampleSizeContinous MINUTE mismatches mod modOrNull MONTH NANOSECOND NATURAL_SORT_KEY normalizeL1 normalizeL2
    normalizeLinf normalizeLp normL1 normL2 normL2Squared normLinf normLp OCTET_LENGTH percent_rank pmod pmodOrNull
    positive_modulo positive_modulo_or_null power QUARTER query_id rand32 readWkb readWkt REGEXP_EXTRACT
    regexp_instr REGEXP_MATCHES REGEXP_REPLACE REGEXP_SUBSTR regexpInstr removeAccentsUTF8 replace rpad rtrim
    scalarProduct scalarProductTransposed SCHEMA SECOND serverTimeZone session_user sparkBar splitByAlpha sqid
    ST_AsMVT ST_AsMVTGeom ST_LineFromWKB ST_MLineFromWKB ST_MPolyFromWKB ST_PointFromWKB ST_PolyFromWKB STD STDDEV
    STDDEV_POP STDDEV_SAMP str_to_date str_to_map string_agg substr SUBSTRING_INDEX SVG time_bucket
    timeSeriesLastToGrid timestamp_diff TIMESTAMP_DIFF timestampDiff timeZone timeZoneOf timeZoneOffset TO_BASE64
    TO_DAYS TO_UNIXTIME to_utc_timestamp toStartOfFiveMinute toTimeZone trim truncate ucase unnest user
    UTC_timestamp VAR_POP VAR_SAMP vectorDifference vectorSum visitParamExtractBool visitParamExtractFloat
    visitParamExtractInt visitParamExtractRaw visitParamExtractString visitParamExtractUInt visitParamHas week
    width_bucket WKB WKT yandexConsistentHash YEAR yearweek
`
