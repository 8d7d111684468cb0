import { createHash } from 'node:crypto'

const blockBytes = 64 * 1024

/** `length` bytes that only this key and length have. */
export function* chunksOf(key: string, length: number): Generator<Buffer> {
  const mark = createHash('sha512').update(`${key} ${length}`).digest()
  for (let start = 0; start < length; start += blockBytes) {
    yield Buffer.alloc(Math.min(blockBytes, length - start), mark)
  }
}

export const contentOf = (key: string, length: number): Buffer => Buffer.concat([...chunksOf(key, length)])
