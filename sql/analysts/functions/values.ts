/** Functions of values alone: nothing they do reaches past their arguments. */

export const numbers = `
    abs avg2 byteSwap divide divideDecimal divideOrNull gcd ifNotFinite intDiv intDivOrNull intDivOrZero isFinite
    isInfinite isNaN lcm max2 midpoint min2 minus modulo moduloLegacy moduloOrNull moduloOrZero multiply
    multiplyDecimal negate plus positiveModulo positiveModuloOrNull sqr bitAnd bitCount bitHammingDistance bitNot
    bitOr bitRotateLeft bitRotateRight bitShiftLeft bitShiftRight bitSlice bitTest bitTestAll bitTestAny bitXor
    equals globalIn globalInIgnoreSet globalNotIn globalNotInIgnoreSet globalNotNullIn globalNotNullInIgnoreSet
    globalNullIn globalNullInIgnoreSet greater greaterOrEquals in inIgnoreSet isDistinctFrom isNotDistinctFrom less
    lessOrEquals notEquals notIn notInIgnoreSet notNullIn notNullInIgnoreSet nullIn nullInIgnoreSet clamp greatest
    if least multiIf and not or xor acos acosh asin asinh atan atan2 atanh cbrt cos cosh degrees e erf erfc exp
    exp10 exp2 factorial hypot intExp10 intExp2 isPrime isProbablePrime lgamma log log10 log1p log2 pi pow
    proportionsZTest radians sigmoid sign sin sinh sqrt tan tanh tgamma widthBucket assumeNotNull coalesce
    firstNonDefault ifNull isNotNull isNull isNullable isZeroOrNull nullIf toNullable ceil floor round roundAge
    roundBankers roundDown roundDuration roundToExp2 trunc fuzzBits rand rand64 randBernoulli randBinomial
    randCanonical randChiSquared randConstant randExponential randFisherF randLogNormal randNegativeBinomial
    randNormal randomFixedString randomPrintableASCII randomString randomStringUTF8 randPoisson randStudentT
    randUniform financialInternalRateOfReturn financialInternalRateOfReturnExtended financialNetPresentValue
    financialNetPresentValueExtended
`

export const times = `
    addDate addDays addHours addInterval addMicroseconds addMilliseconds addMinutes addMonths addNanoseconds
    addQuarters addSeconds addTupleOfIntervals addWeeks addYears age changeDay changeHour changeMinute changeMonth
    changeSecond changeYear dateDiff dateName dateTrunc formatDateTime formatDateTimeInJodaSyntax
    fromDaysSinceYearZero fromDaysSinceYearZero32 fromModifiedJulianDay fromModifiedJulianDayOrNull
    fromUnixTimestamp fromUnixTimestampInJodaSyntax fromUTCTimestamp localtime makeDate makeDate32 makeDateTime
    makeDateTime64 monthName now now64 nowInBlock nowInBlock64 serverTimezone subDate subtractDays subtractHours
    subtractInterval subtractMicroseconds subtractMilliseconds subtractMinutes subtractMonths subtractNanoseconds
    subtractQuarters subtractSeconds subtractTupleOfIntervals subtractWeeks subtractYears timeDiff timeSlot
    timeSlots timestamp timezone timezoneOf timezoneOffset today toDayOfMonth toDayOfWeek toDayOfYear toDaysInMonth
    toDaysSinceYearZero toHour toISOWeek toISOYear toLastDayOfMonth toLastDayOfWeek toMicrosecond toMillisecond
    toMinute toModifiedJulianDay toModifiedJulianDayOrNull toMonday toMonth toMonthNumSinceEpoch toNanosecond
    toQuarter toRelativeDayNum toRelativeHourNum toRelativeMinuteNum toRelativeMonthNum toRelativeQuarterNum
    toRelativeSecondNum toRelativeWeekNum toRelativeYearNum toSecond toStartOfDay toStartOfFifteenMinutes
    toStartOfFiveMinutes toStartOfHour toStartOfInterval toStartOfISOYear toStartOfMicrosecond toStartOfMillisecond
    toStartOfMinute toStartOfMonth toStartOfNanosecond toStartOfQuarter toStartOfSecond toStartOfTenMinutes
    toStartOfWeek toStartOfYear toTimeWithFixedDate toTimezone toUnixTimestamp toUTCTimestamp toWeek toYear
    toYearNumSinceEpoch toYearWeek toYYYYMM toYYYYMMDD toYYYYMMDDhhmmss UTCTimestamp yesterday
    YYYYMMDDhhmmssToDateTime YYYYMMDDhhmmssToDateTime64 YYYYMMDDToDate YYYYMMDDToDate32 hop hopEnd hopStart tumble
    tumbleEnd tumbleStart windowID seriesDecomposeSTL seriesOutliersDetectTukey timeSeriesFromGrid timeSeriesRange
`

export const conversions = `
    accurateCast accurateCastOrDefault accurateCastOrNull CAST DATE fromUnixTimestamp64Micro
    fromUnixTimestamp64Milli fromUnixTimestamp64Nano fromUnixTimestamp64Second parseDateTime
    parseDateTime32BestEffort parseDateTime32BestEffortOrNull parseDateTime32BestEffortOrZero parseDateTime64
    parseDateTime64BestEffort parseDateTime64BestEffortOrNull parseDateTime64BestEffortOrZero
    parseDateTime64BestEffortUS parseDateTime64BestEffortUSOrNull parseDateTime64BestEffortUSOrZero
    parseDateTime64InJodaSyntax parseDateTime64InJodaSyntaxOrNull parseDateTime64InJodaSyntaxOrZero
    parseDateTime64OrNull parseDateTime64OrZero parseDateTimeBestEffort parseDateTimeBestEffortOrNull
    parseDateTimeBestEffortOrZero parseDateTimeBestEffortUS parseDateTimeBestEffortUSOrNull
    parseDateTimeBestEffortUSOrZero parseDateTimeInJodaSyntax parseDateTimeInJodaSyntaxOrNull
    parseDateTimeInJodaSyntaxOrZero parseDateTimeOrNull parseDateTimeOrZero reinterpret reinterpretAsDate
    reinterpretAsDateTime reinterpretAsFixedString reinterpretAsFloat32 reinterpretAsFloat64 reinterpretAsInt128
    reinterpretAsInt16 reinterpretAsInt256 reinterpretAsInt32 reinterpretAsInt64 reinterpretAsInt8
    reinterpretAsString reinterpretAsUInt128 reinterpretAsUInt16 reinterpretAsUInt256 reinterpretAsUInt32
    reinterpretAsUInt64 reinterpretAsUInt8 reinterpretAsUUID toBFloat16 toBFloat16OrNull toBFloat16OrZero toBool
    toDate toDate32 toDate32OrDefault toDate32OrNull toDate32OrZero toDateOrDefault toDateOrNull toDateOrZero
    toDateTime toDateTime32 toDateTime64 toDateTime64OrDefault toDateTime64OrNull toDateTime64OrZero
    toDateTimeOrDefault toDateTimeOrNull toDateTimeOrZero toDecimal128 toDecimal128OrDefault toDecimal128OrNull
    toDecimal128OrZero toDecimal256 toDecimal256OrDefault toDecimal256OrNull toDecimal256OrZero toDecimal32
    toDecimal32OrDefault toDecimal32OrNull toDecimal32OrZero toDecimal64 toDecimal64OrDefault toDecimal64OrNull
    toDecimal64OrZero toDecimalString toFixedString toFloat32 toFloat32OrDefault toFloat32OrNull toFloat32OrZero
    toFloat64 toFloat64OrDefault toFloat64OrNull toFloat64OrZero toInt128 toInt128OrDefault toInt128OrNull
    toInt128OrZero toInt16 toInt16OrDefault toInt16OrNull toInt16OrZero toInt256 toInt256OrDefault toInt256OrNull
    toInt256OrZero toInt32 toInt32OrDefault toInt32OrNull toInt32OrZero toInt64 toInt64OrDefault toInt64OrNull
    toInt64OrZero toInt8 toInt8OrDefault toInt8OrNull toInt8OrZero toInterval toIntervalDay toIntervalHour
    toIntervalMicrosecond toIntervalMillisecond toIntervalMinute toIntervalMonth toIntervalNanosecond
    toIntervalQuarter toIntervalSecond toIntervalWeek toIntervalYear toLowCardinality toString toStringCutToZero
    toTime toTime64 toTime64OrNull toTime64OrZero toTimeOrNull toTimeOrZero toUInt128 toUInt128OrDefault
    toUInt128OrNull toUInt128OrZero toUInt16 toUInt16OrDefault toUInt16OrNull toUInt16OrZero toUInt256
    toUInt256OrDefault toUInt256OrNull toUInt256OrZero toUInt32 toUInt32OrDefault toUInt32OrNull toUInt32OrZero
    toUInt64 toUInt64OrDefault toUInt64OrNull toUInt64OrZero toUInt8 toUInt8OrDefault toUInt8OrNull toUInt8OrZero
    toUnixTimestamp64Micro toUnixTimestamp64Milli toUnixTimestamp64Nano toUnixTimestamp64Second toUUID toUUIDOrZero
    bin bitmaskToArray bitmaskToList bitPositionsToArray char hex hilbertDecode hilbertEncode mortonDecode
    mortonEncode sqidDecode sqidEncode unbin unhex aes_decrypt_mysql aes_encrypt_mysql decrypt encrypt HMAC
    tryDecrypt dateTime64ToSnowflakeID dateTimeToSnowflakeID dateTimeToUUIDv7 generateSnowflakeID generateUUIDv4
    generateUUIDv7 snowflakeIDToDateTime snowflakeIDToDateTime64 toUUIDOrDefault toUUIDOrNull UUIDNumToString
    UUIDStringToNum UUIDToNum UUIDv7ToDateTime
`

export const texts = `
    appendTrailingCharIfAbsent ascii base32Decode base32Encode base58Decode base58Encode base64Decode base64Encode
    base64URLDecode base64URLEncode basename byteHammingDistance caseFoldUTF8 compareSubstrings concat
    concatAssumeInjective concatWithSeparator concatWithSeparatorAssumeInjective conv convertCharset CRC32 CRC32IEEE
    CRC64 damerauLevenshteinDistance decodeHTMLComponent decodeXMLComponent editDistance editDistanceUTF8
    encodeXMLComponent endsWith endsWithCaseInsensitive endsWithCaseInsensitiveUTF8 endsWithUTF8 extractTextFromHTML
    firstLine initcap initcapUTF8 isValidASCII isValidUTF8 jaroSimilarity jaroWinklerSimilarity left leftPad
    leftPadUTF8 leftUTF8 lengthUTF8 lower lowerUTF8 naturalSortKey normalizeUTF8NFC normalizeUTF8NFD
    normalizeUTF8NFKC normalizeUTF8NFKCCasefold normalizeUTF8NFKD regexpExtract regexpPosition removeDiacriticsUTF8
    repeat reverseUTF8 right rightPad rightPadUTF8 rightUTF8 soundex space sparseGrams sparseGramsHashes
    sparseGramsHashesUTF8 sparseGramsUTF8 startsWith startsWithCaseInsensitive startsWithCaseInsensitiveUTF8
    startsWithUTF8 stringBytesEntropy stringBytesUniq stringJaccardIndex stringJaccardIndexUTF8 substring
    substringIndex substringIndexUTF8 substringUTF8 toValidUTF8 trimBoth trimLeft trimRight tryBase32Decode
    tryBase58Decode tryBase64Decode tryBase64URLDecode upper upperUTF8 format overlay overlayUTF8 printf
    regexpQuoteMeta replaceAll replaceOne replaceRegexpAll replaceRegexpOne translate translateUTF8 countMatches
    countMatchesCaseInsensitive countSubstrings countSubstringsCaseInsensitive countSubstringsCaseInsensitiveUTF8
    extract extractAll extractAllGroupsHorizontal extractGroups hasAllTokens hasAnyTokens hasPhrase hasSubsequence
    hasSubsequenceCaseInsensitive hasSubsequenceCaseInsensitiveUTF8 hasSubsequenceUTF8 hasToken
    hasTokenCaseInsensitive hasTokenCaseInsensitiveOrNull hasTokenOrNull highlight ilike like locate match
    multiFuzzyMatchAllIndices multiFuzzyMatchAny multiFuzzyMatchAnyIndex multiMatchAllIndices multiMatchAny
    multiMatchAnyIndex multiSearchAllPositions multiSearchAllPositionsCaseInsensitive
    multiSearchAllPositionsCaseInsensitiveUTF8 multiSearchAllPositionsUTF8 multiSearchAny
    multiSearchAnyCaseInsensitive multiSearchAnyCaseInsensitiveUTF8 multiSearchAnyUTF8 multiSearchFirstIndex
    multiSearchFirstIndexCaseInsensitive multiSearchFirstIndexCaseInsensitiveUTF8 multiSearchFirstIndexUTF8
    multiSearchFirstPosition multiSearchFirstPositionCaseInsensitive multiSearchFirstPositionCaseInsensitiveUTF8
    multiSearchFirstPositionUTF8 ngramDistance ngramDistanceCaseInsensitive ngramDistanceCaseInsensitiveUTF8
    ngramDistanceUTF8 ngramSearch ngramSearchCaseInsensitive ngramSearchCaseInsensitiveUTF8 ngramSearchUTF8 notILike
    notLike position positionCaseInsensitive positionCaseInsensitiveUTF8 positionUTF8 alphaTokens arrayStringConcat
    extractAllGroupsVertical naiveBayesNgrams ngrams reverseBySeparator splitByChar splitByNonAlpha splitByRegexp
    splitByString splitByWhitespace tokens tokensForLikePattern cityHash64 farmFingerprint64 farmHash64
    gccMurmurHash halfMD5 hiveHash icebergHash intHash32 intHash64 javaHash javaHashUTF16LE jumpConsistentHash
    kafkaMurmurHash keccak256 kostikConsistentHash MD4 MD5 metroHash64 murmurHash2_32 murmurHash2_64 murmurHash3_128
    murmurHash3_32 murmurHash3_64 ngramMinHash ngramMinHashArg ngramMinHashArgCaseInsensitive
    ngramMinHashArgCaseInsensitiveUTF8 ngramMinHashArgUTF8 ngramMinHashCaseInsensitive
    ngramMinHashCaseInsensitiveUTF8 ngramMinHashUTF8 ngramSimHash ngramSimHashCaseInsensitive
    ngramSimHashCaseInsensitiveUTF8 ngramSimHashUTF8 RIPEMD160 SHA1 SHA224 SHA256 SHA384 SHA512 SHA512_256
    sipHash128 sipHash128Keyed sipHash128Reference sipHash128ReferenceKeyed sipHash64 sipHash64Keyed URLHash
    wordShingleMinHash wordShingleMinHashArg wordShingleMinHashArgCaseInsensitive
    wordShingleMinHashArgCaseInsensitiveUTF8 wordShingleMinHashArgUTF8 wordShingleMinHashCaseInsensitive
    wordShingleMinHashCaseInsensitiveUTF8 wordShingleMinHashUTF8 wordShingleSimHash
    wordShingleSimHashCaseInsensitive wordShingleSimHashCaseInsensitiveUTF8 wordShingleSimHashUTF8 wyHash64 xxh3
    xxh3_128 xxHash32 xxHash64 xxHash64Spark
`
