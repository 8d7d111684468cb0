import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { z } from 'zod'
import type { ObjectStore } from '../../../infra/buckets/store.ts'
import { hiddenBucket } from '../../objects/buckets.ts'
import { type PredictionKey, tally } from './store.ts'

/** How far a prediction is with a part's last row: blocks of the file that are done, and the tally of all their rows. */
const mark = z.object({ blocks: z.number().int(), bytesRead: z.number(), tally })

export type Mark = z.infer<typeof mark>

const lineFeed = 0x0a

/** The lines of a result as far as they are predicted, in parts that outlive the process: each begins with its mark. */
export function createParts(objects: ObjectStore) {
  const prefixOf = ({ schema, model, file, prediction }: PredictionKey): string =>
    `${schema}/${model}/predictions/${prediction}/${file}/`
  // The block's number in a fixed width: keys are listed in their order as text.
  const keyOf = (key: PredictionKey, { blocks }: Mark): string => `${prefixOf(key)}${String(blocks).padStart(12, '0')}`

  async function* keysOf(key: PredictionKey): AsyncGenerator<string> {
    for await (const part of objects.list(hiddenBucket, prefixOf(key))) yield part.key
  }

  async function read(key: string): Promise<{ mark: Mark; text: Buffer }> {
    const object = await objects.get(hiddenBucket, key)
    if (object === undefined) throw new Error(`a part of a prediction is gone: ${key}`)
    const content = await buffer(object.stream)
    const end = content.indexOf(lineFeed)
    return { mark: mark.parse(JSON.parse(content.toString('utf8', 0, end))), text: content.subarray(end + 1) }
  }

  return {
    async write(key: PredictionKey, mark: Mark, lines: readonly string[]): Promise<void> {
      const content = Readable.from([
        Buffer.from(`${JSON.stringify(mark)}\n`),
        ...lines.map((text) => Buffer.from(text)),
      ])
      await objects.put(hiddenBucket, keyOf(key, mark), content)
    },
    /** Where to go on; undefined where nothing is done yet. */
    async last(key: PredictionKey): Promise<Mark | undefined> {
      let last: string | undefined
      for await (const part of keysOf(key)) last = part
      return last === undefined ? undefined : (await read(last)).mark
    },
    /** All lines in order. */
    async *lines(key: PredictionKey): AsyncGenerator<Buffer> {
      for await (const part of keysOf(key)) yield (await read(part)).text
    },
    async clear(key: PredictionKey): Promise<void> {
      for await (const part of keysOf(key)) await objects.remove(hiddenBucket, part)
    },
  }
}

export type Parts = ReturnType<typeof createParts>
