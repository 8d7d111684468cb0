import type { MessagePort } from 'node:worker_threads'
import type { Source } from '../../../learn/formats/read-rows.ts'

/**
 * A thread asks for the next piece of a file, or for the first one, and gets it, nothing at its end, or word that it
 * cannot be read.
 */
export type Wanted = { readonly next: number; readonly isFirst: boolean }
export type Piece = { readonly chunk: Uint8Array } | { readonly end: true } | { readonly broken: true }

/** In the thread: the bytes of a file, one piece asked for at a time. */
export async function* receiveFile(port: MessagePort, file: number): AsyncGenerator<Uint8Array> {
  for (let isFirst = true; ; isFirst = false) {
    const piece = await new Promise<Piece>((resolve) => {
      port.once('message', resolve)
      port.postMessage({ next: file, isFirst } satisfies Wanted)
    })
    if ('end' in piece) return
    if ('broken' in piece) throw new Error('the training data could not be read')
    yield piece.chunk
  }
}

/** Outside of it: answers with the pieces; `failed` hears why a file cannot be read. */
export function sendFiles(
  port: MessagePort,
  open: readonly (() => Promise<Source>)[],
  failed: (error: unknown) => void,
) {
  const opened = new Map<number, AsyncIterator<Uint8Array>>()

  async function pieceOf({ next: file, isFirst }: Wanted): Promise<Piece> {
    if (isFirst) {
      await opened.get(file)?.return?.()
      opened.delete(file)
    }
    const pieces = opened.get(file) ?? (await open[file]?.())?.[Symbol.asyncIterator]()
    if (pieces === undefined) return { end: true }
    opened.set(file, pieces)
    const { done, value } = await pieces.next()
    return done ? { end: true } : { chunk: value }
  }

  return {
    send: (wanted: Wanted): void => {
      void pieceOf(wanted)
        .catch((error: unknown): Piece => {
          failed(error)
          return { broken: true }
        })
        .then((piece) => port.postMessage(piece))
    },
    /** Gives up files that are half read. */
    close: async (): Promise<void> => {
      for (const pieces of opened.values()) await pieces.return?.()
    },
  }
}
