// Runs in a worker thread of `open-parquet-threads.ts`: decodes a Parquet file, whose bytes come through the port, and hands its rows
// over, as many at a time as are asked for.

import type { MessagePort } from 'node:worker_threads'
import { Refusal } from '../../../base/refusal.ts'
import { type ParquetPart, partsOfParquet, type Wanted } from '../parquet-rows.ts'

export type Task = {
  readonly port: MessagePort
  readonly bytes: number
  readonly wanted: Wanted
  readonly after: number
}

/** A thread waits for the answer to each: the bytes from `start` to `end`, or a word that it may go on. */
export type Told = { readonly start: number; readonly end: number } | ParquetPart
export type Reply = { readonly bytes: ArrayBuffer } | { readonly isBroken: true } | { readonly goesOn: boolean }

/** A refusal keeps its words: classes of errors do not cross threads. */
export type Answer = { readonly refused?: string }

// biome-ignore lint/style/noDefaultExport: Piscina calls the default export.
export default async function readParquet({ port, bytes, wanted, after }: Task): Promise<Answer> {
  const ask = (told: Told): Promise<Reply> =>
    new Promise((resolve) => {
      port.once('message', resolve)
      port.postMessage(told)
    })
  const slice = async (start: number, end: number): Promise<ArrayBuffer> => {
    const reply = await ask({ start, end })
    if ('bytes' in reply) return reply.bytes
    throw Object.assign(new Error('the file could not be read'), { code: 'BROKEN' })
  }
  try {
    for await (const some of partsOfParquet({ bytes, slice: inTurn(slice) }, wanted, after)) {
      const reply = await ask(some)
      if (!('goesOn' in reply && reply.goesOn)) break
    }
    return {}
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.message }
    throw error
  } finally {
    port.close()
  }
}

/** The reader asks for the bytes of several columns at once, and the port has one question at a time. */
function inTurn(slice: (start: number, end: number) => Promise<ArrayBuffer>) {
  let last: Promise<unknown> = Promise.resolve()
  return (start: number, end: number): Promise<ArrayBuffer> => {
    const bytes = last.then(() => slice(start, end))
    last = bytes.catch(() => {})
    return bytes
  }
}
