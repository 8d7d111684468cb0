import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, openSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export type Pipe = {
  readonly output: Socket
  /** For a reader that leaves: bytes that ClickHouse still writes are thrown away, until the end. */
  discard(): void
  /** Ends the writing; bytes that were written can still be read. */
  end(): void
  /** Resolves once the pipe has no reader, so that its place can be used again. */
  readonly closed: Promise<unknown>
}

/**
 * Named pipes, into which ClickHouse writes answers (INTO OUTFILE) while they are read: bounded memory, and a reader
 * that is slow slows its query alone. chDB's own streams begin on the event loop, which then waits for subqueries.
 */
export async function createPipes(within: string) {
  await mkdir(within, { recursive: true })
  const folder = await mkdtemp(join(within, 'answers-'))

  return {
    /** A place for one answer at a time. */
    async place(name: string): Promise<string> {
      const place = join(folder, name)
      await run('mkfifo', ['-m', '600', place])
      return place
    },
    open(place: string): Pipe {
      const output = reader(place)
      // A writer of our own: without one the pipe would be at its end before ClickHouse opens it.
      const writing = openSync(place, constants.O_WRONLY | constants.O_NONBLOCK)
      let isEnded = false
      let drain: Socket | undefined
      return {
        output,
        // Without a reader ClickHouse would wait for one where it opens the pipe, even if its query is killed.
        discard() {
          if (!isEnded) drain ??= reader(place).resume()
          output.destroy()
        },
        end() {
          if (!isEnded) closeSync(writing)
          isEnded = true
          drain?.destroy()
        },
        closed: once(output, 'close'),
      }
    },
    // A query that has not opened its place yet makes a file there, once: amid the removal it would fail that.
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 }),
  }
}

function reader(place: string): Socket {
  const fd = openSync(place, constants.O_RDONLY | constants.O_NONBLOCK)
  return new Socket({ fd, readable: true, writable: false }).on('error', () => {})
}

export type Pipes = Awaited<ReturnType<typeof createPipes>>
