import type { KafkaRecord } from '../partition.ts'

/** A record of a topic, and the rows that it makes in the table of its stream's delivered events: lines of JSONEachRow. */
export type Delivered = {
  readonly partition: number
  readonly offset: number
  readonly value: Buffer
  readonly lines: Buffer
  readonly rows: number
  /** The rows among them that are no events. */
  readonly rejected: number
}

/** Every line that Weir writes begins so. */
const ofWeir = /^\{"_pk":-?\d{1,19},"_seq":[1-9]/

/**
 * The rows of a record at a partition's `offset`: `position` is its place among all that the lane ever had. Rows of one record
 * have one position, and have to come into ClickHouse by one insert.
 */
export function deliveredRows(
  { offset, value }: Pick<KafkaRecord, 'offset' | 'value'>,
  partition: number,
  position: number,
): Delivered {
  const begin = beginOf(partition, position)
  const [made, others]: [string[], string[]] = [[], []]
  // One character a byte: the texts in the lines pass through as they are.
  for (const line of value?.toString('latin1').split('\n') ?? []) {
    if (ofWeir.test(line)) made.push(`${begin},${line.slice(1)}\n`)
    else if (line.trim() !== '') others.push(line)
  }
  // Together they are one row: a short line makes a long one, and a record may have a million of them.
  const rejected = others.length === 0 ? 0 : 1
  if (rejected === 1) {
    const text = Buffer.from(others.join('\n'), 'latin1')
    made.push(rejection(begin, text, `${placeOf(partition, offset)}: ${foreign}`))
  }
  const lines = Buffer.from(made.join(''), 'latin1')
  return { partition, offset, value: value ?? none, lines, rows: made.length, rejected }
}

/** The same for a record that ClickHouse does not take, whose rows cannot come one by one. */
export function refusedRow({ partition, offset, value }: Delivered, position: number, reason: string): Buffer {
  const text = rejection(beginOf(partition, position), value, `${placeOf(partition, offset)}: ${reason}`)
  return Buffer.from(text, 'latin1')
}

const none = Buffer.alloc(0)
const foreign = "none of Weir's lines, it has no _seq"

const placeOf = (partition: number, offset: number): string => `partition ${partition}, offset ${offset}`
const beginOf = (partition: number, position: number): string => `{"_lane":${partition},"_position":${position}`

/** One character a byte. */
function rejection(begin: string, line: Buffer, reason: string): string {
  const said = `"_line":${JSON.stringify(line.toString('utf8'))},"_reason":${JSON.stringify(reason)}`
  return `${begin},${Buffer.from(said).toString('latin1')}}\n`
}
