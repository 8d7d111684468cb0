import { z } from 'zod'
import { Refusal } from '../../../base/refusal.ts'
import { createBadRows } from '../../../learn/encoding/bad-rows.ts'
import { createNumberReader } from '../../../learn/encoding/number-reader.ts'
import { formats } from '../../../learn/formats/index.ts'
import type { Source } from '../../../learn/formats/read-rows.ts'
import { isBroken, placeOf, type Row } from '../../../learn/formats/row.ts'
import { createHolder, type Held } from '../../../learn/holdout/holder.ts'
import { readMarkedRows } from '../../../learn/holdout/marked-rows.ts'
import type { Layout } from '../../../learn/layout.ts'
import type { TrainingRequest } from '../decode/request.ts'
import { finishHolder, UnfitFormat } from '../refusals.ts'

/** The data that a script gets, in the format it expects; counts rows, and the means of numeric attributes. */
export function createScriptData({
  input,
  expected,
  layout,
  reading,
  holdout,
}: Pick<TrainingRequest, 'input' | 'expected' | 'layout' | 'reading' | 'holdout'>) {
  const rule = holdout?.rule.by === 'file' ? undefined : holdout?.rule
  const holder = rule && createHolder(rule, layout.missing)
  let held: Held | undefined
  const means = createMeans(layout)
  const bad = createBadRows(reading)
  let rows = 0
  let left: string | undefined

  const lineOf = (row: Row): string => {
    try {
      return `${formats[expected].write(row, layout)}\n`
    } catch (error) {
      throw error instanceof Refusal ? new UnfitFormat(error.message) : error
    }
  }

  return {
    async *pieces(sources: readonly (() => Promise<Source>)[], signal: AbortSignal): AsyncGenerator<Buffer> {
      const options = { purpose: 'training', target: layout.target !== undefined, header: reading.header } as const
      for (const open of sources) {
        for await (const batch of readMarkedRows(await open(), input, layout, options, rule)) {
          signal.throwIfAborted()
          const lines = batch.flatMap((row) => {
            if (isBroken(row)) {
              bad.add(placeOf(row))
              return []
            }
            if (layout.target !== undefined && row.target === undefined) return []
            const unplaced = holder?.wrong(row.mark)
            if (unplaced !== undefined) {
              bad.add(placeOf({ line: row.line, reason: unplaced }))
              return []
            }
            holder?.add(row.mark)
            means.add(row)
            rows += 1
            return [lineOf(row)]
          })
          yield Buffer.from(lines.join(''))
        }
      }
      left = bad.finish(rows)
      if (rows === 0) throw new Refusal('the training data hold no row')
      held = holder && finishHolder(holder, { kind: 'none' })
    },
    rows: (): number => rows,
    /** A line for the log where rows were left out. */
    left: (): string | undefined => left,
    /** Sentences about the rows held out. */
    notes: (): readonly string[] => held?.notes ?? [],
    facts: (): Buffer =>
      Buffer.from(JSON.stringify({ rows, means: means.all(), ...(held && { held: Array.from(held.rows) }) })),
  }
}

const facts = z.object({
  rows: z.number(),
  means: z.record(z.string(), z.number()),
  held: z.array(z.number()).optional(),
})

/** The facts in a file: the number of rows, and by attribute the number that stands for a missing one. */
export function readScriptFacts(bytes: Uint8Array): {
  readonly rows: number
  readonly means: ReadonlyMap<string, number>
  readonly held: Int32Array | undefined
} {
  const { rows, means, held } = facts.parse(JSON.parse(Buffer.from(bytes).toString()))
  return { rows, means: new Map(Object.entries(means)), held: held && Int32Array.from(held) }
}

/** The mean of the present cells of each attribute whose cells are numbers. */
function createMeans({ columns, missing }: Layout) {
  const read = createNumberReader({ missing })
  const sums = columns.map(() => ({ count: 0, mean: 0, isNumber: true }))
  return {
    add: ({ cells }: Row): void => {
      for (const [i, sum] of sums.entries()) {
        const number = read(cells[i])
        if (number === undefined) sum.isNumber = false
        else if (!Number.isNaN(number)) {
          sum.count += 1
          sum.mean += (number - sum.mean) / sum.count
        }
      }
    },
    all: (): Record<string, number> =>
      Object.fromEntries(
        columns.flatMap(({ name }, i) => {
          const sum = sums[i]
          return sum?.isNumber && sum.count > 0 ? [[name, sum.mean]] : []
        }),
      ),
  }
}
