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
  /** No more will be written; what was written can still be read. */
  end(): void
  /** Resolved once nobody reads, so that the place can be used again. */
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
      const reading = openSync(place, constants.O_RDONLY | constants.O_NONBLOCK)
      // A writer of our own: without one the pipe would be at its end before ClickHouse opens it.
      const writing = openSync(place, constants.O_WRONLY | constants.O_NONBLOCK)
      const output = new Socket({ fd: reading, readable: true, writable: false })
      output.on('error', () => {})
      let isEnded = false
      return {
        output,
        end() {
          if (!isEnded) closeSync(writing)
          isEnded = true
        },
        closed: once(output, 'close'),
      }
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

export type Pipes = Awaited<ReturnType<typeof createPipes>>
