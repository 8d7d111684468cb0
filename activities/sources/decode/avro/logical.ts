/** Logical types of Avro that stand on an int or a long (specification 1.12, "Logical Types"). */
import { isoDate, isoText } from '../../../../base/instant.ts'
import type { Json } from '../../../../base/json.ts'

/** The value by the name of the type, or the number where its time has no text. */
export const ofInteger: ReadonlyMap<string, (value: number | bigint) => Json> = new Map([
  ['date', (days) => isoDate(BigInt(days)) ?? days],
  ['time-millis', (ms) => timeOfDay(BigInt(ms) * 1_000n) ?? ms],
  ['time-micros', (us) => timeOfDay(BigInt(us)) ?? us],
  ['timestamp-millis', (ms) => isoText(BigInt(ms) * 1_000n) ?? ms],
  ['timestamp-micros', (us) => isoText(BigInt(us)) ?? us],
  ['timestamp-nanos', (ns) => isoText(inMicros(ns)) ?? ns],
  ['local-timestamp-millis', (ms) => local(BigInt(ms) * 1_000n) ?? ms],
  ['local-timestamp-micros', (us) => local(BigInt(us)) ?? us],
  ['local-timestamp-nanos', (ns) => local(inMicros(ns)) ?? ns],
] satisfies [string, (value: number | bigint) => Json][])

/** The whole microseconds, those before 1970 too. */
function inMicros(value: number | bigint): bigint {
  const ns = BigInt(value)
  return (ns - (((ns % 1_000n) + 1_000n) % 1_000n)) / 1_000n
}

const local = (us: bigint): string | undefined => isoText(us)?.slice(0, -1)

/** A text such as `12:34:56.789000`. */
const timeOfDay = (us: bigint): string | undefined => isoText(us)?.slice(11, -1)

/** The text of 16 bytes. */
export const uuid = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
