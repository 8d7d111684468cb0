/** Values at both sides of a gap whose range decides how wide the gap is, and the worth of a part of its own. */
const [beside, apartWidths, maxPivots, sampleSize] = [8, 16, 8, 4095]

/**
 * The pivot of a kept event's moments of `value`, an expression over the rows `from`: of the medians of the parts into
 * which those values fall, and 0 in place of one that is close to it, the nearest one. So groups with offsets of their own
 * keep their moments, as by ingest (activities/events/pivot.ts), and a median leaves sums of whole numbers exact.
 */
export function nearestPivot(value: string, from: string): string {
  return `arraySort(pivot -> abs(pivot - toFloat64(ifNull(${value}, 0))), ${medians(value, from)})[1]`
}

/** In distances between quarters, 1.35 deviations of a normal distribution each. */
const nearZero = 16
const quarter = (which: number): string => `part[intDiv(${which} * length(part) + 3, 4)]`

function medians(value: string, from: string): string {
  const left = `if(i > ${beside}, sorted[i - 1] - sorted[i - ${beside}], inf)`
  const right = `if(i + ${beside - 1} <= length(sorted), sorted[i + ${beside - 1}] - sorted[i], inf)`
  const gap = 'i > 1 AND sorted[i] - sorted[i - 1]'
  const cuts = `arrayMap(i -> ${gap} > ${apartWidths} * greatest(least(${left}, ${right}), step), arrayEnumerate(sorted))`
  const parts = `arraySort(part -> -length(part), arraySplit((x, isFirst) -> isFirst, sorted, ${cuts}))`
  const sample = `groupArraySampleIf(${sampleSize}, 1)(toFloat64(ifNull(${value}, 0)), isNotNull(${value}))`
  return [
    `(SELECT arrayMap(part -> if(abs(${quarter(2)}) <= ${nearZero} * (${quarter(3)} - ${quarter(1)}), 0., ${quarter(2)}), arraySlice(${parts}, 1, ${maxPivots}))`,
    `FROM (SELECT arraySort(${sample}) AS sorted,`,
    `arrayMin(arrayFilter(gap -> gap > 0, arrayDifference(sorted))) AS step FROM ${from}))`,
  ].join(' ')
}
