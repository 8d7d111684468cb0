import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { fileName } from './copy-log.ts'
import { createLmdbLog } from './log.ts'

const megabyte = 1024 * 1024

/** Throws where an embedded log still has events, before another log is opened: no feeder would take them. */
export async function refuseLeftover({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): Promise<void> {
  const path = join(DATA_DIR, 'log')
  if (!existsSync(join(path, fileName))) return
  const { source, log } = createLmdbLog({ path, maxBytes: megabyte })
  const waiting = source.bytes()
  await log.close()
  if (waiting > 0) {
    throw new Error(
      `the embedded log in ${path} holds ${waiting} bytes of events: start once without KAFKA_BROKERS, stop, then set it`,
    )
  }
}
