/** Google's well-known types as ProtoJSON writes them, and Confluent's decimal as its number. */
import { checkedScale, decimalOfBytes } from '../../../../base/decimal.ts'
import { isoText } from '../../../../base/instant.ts'
import type { Event, Json } from '../../../../base/json.ts'

const whole = (value: Json | undefined): bigint =>
  typeof value === 'number' || typeof value === 'bigint' ? BigInt(value) : 0n

/** The value of a wrapper. */
const bare = ({ value = null }: Event): Json => value

/** Seconds with no digits behind the point, or three, six or nine. */
function duration({ seconds, nanos }: Event): string {
  const total = whole(seconds) * 1_000_000_000n + whole(nanos)
  const size = total < 0n ? -total : total
  const fraction = String(size % 1_000_000_000n).padStart(9, '0')
  const digits = [0, 3, 6].find((length) => Number(fraction.slice(length)) === 0) ?? 9
  const point = digits === 0 ? '' : `.${fraction.slice(0, digits)}`
  return `${total < 0n ? '-' : ''}${size / 1_000_000_000n}${point}s`
}

/** One of `null_value`, `number_value` and so on; parsers write their names in two ways. */
function anyValue(fields: Event): Json {
  const [only] = Object.entries(fields)
  return only === undefined || /^null_?value$/i.test(only[0]) ? null : only[1]
}

export const wellKnown: ReadonlyMap<string, (fields: Event) => Json> = new Map<string, (fields: Event) => Json>([
  [
    '.google.protobuf.Timestamp',
    ({ seconds, nanos }) => isoText(whole(seconds) * 1_000_000n + whole(nanos) / 1_000n) ?? null,
  ],
  ['.google.protobuf.Duration', duration],
  ['.google.protobuf.Struct', ({ fields = {} }) => fields],
  ['.google.protobuf.Value', anyValue],
  ['.google.protobuf.ListValue', ({ values = [] }) => values],
  ['.google.protobuf.FieldMask', ({ paths }) => (Array.isArray(paths) ? paths.join(',') : '')],
  ['.google.protobuf.Any', ({ type_url = '', value = '' }) => ({ '@type': type_url, value })],
  ...['Double', 'Float', 'Int64', 'UInt64', 'Int32', 'UInt32', 'Bool', 'String', 'Bytes'].map(
    (name) => [`.google.protobuf.${name}Value`, bare] as const,
  ),
  [
    '.confluent.type.Decimal',
    ({ value, scale }) =>
      decimalOfBytes(Buffer.from(typeof value === 'string' ? value : '', 'base64'), checkedScale(scale ?? 0)),
  ],
])
