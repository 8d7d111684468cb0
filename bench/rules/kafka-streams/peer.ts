import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('Peer.java', import.meta.url))

export type StreamsPeer = {
  /** Events a second, of each stream, from the first that is produced until all results are committed. */
  readonly round: () => Promise<number>
  readonly close: () => Promise<void>
}

/** Kafka Streams in a process of its own, over topics of its own. */
export async function startStreamsPeer(options: {
  readonly jars: string
  readonly brokers: string
  readonly what: 'pattern' | 'join'
  /** The folder for the peer's state. */
  readonly folder: string
  /** Events of a round and stream. */
  readonly batch: number
}): Promise<StreamsPeer> {
  const { jars, brokers, what, folder, batch } = options
  const java = ['-Dorg.slf4j.simpleLogger.defaultLogLevel=error', '-cp', join(jars, '*')]
  const child = spawn('java', [...java, program, brokers, what, folder, String(batch)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill)
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const line = async (): Promise<string> => {
    const { value, done } = await lines.next()
    if (done) throw new Error('Kafka Streams has ended; it says why above')
    return value
  }
  await line()
  return {
    async round() {
      child.stdin.write('\n')
      return Number(await line())
    },
    async close() {
      child.stdin.end()
      if (child.exitCode === null) await once(child, 'exit')
      process.off('exit', kill)
    },
  }
}
