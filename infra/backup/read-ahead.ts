import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

const filesAhead = 32
/** A larger file is read as it is sent. */
const smallBytes = 256 * 1024

/** `content` is there of a small file. */
export type Read = { readonly path: string; readonly size: number; readonly content?: Buffer }

async function readSmall(folder: string, path: string): Promise<Read> {
  if (path.endsWith('/')) return { path, size: 0 }
  const { size } = await stat(join(folder, path))
  return size > smallBytes ? { path, size } : { path, size, content: await readFile(join(folder, path)) }
}

/** Reads small files some time before their turn: on a busy machine each step of a read waits for its own. */
export async function* readAhead(folder: string, paths: AsyncIterable<string>): AsyncGenerator<Read> {
  const waiting: Promise<Read>[] = []
  try {
    for await (const path of paths) {
      const reading = readSmall(folder, path)
      reading.catch(() => {}) // Told when its turn comes.
      waiting.push(reading)
      const first = waiting.length > filesAhead ? waiting.shift() : undefined
      if (first) yield await first
    }
    for (let first = waiting.shift(); first; first = waiting.shift()) yield await first
  } finally {
    await Promise.allSettled(waiting)
  }
}
