import type { RegisteredStream } from '../activities/registry/registry.ts'
import type { StreamDataWritten } from '../activities/stream-data/write-stream-data.ts'
import { fault } from '../base/faults.ts'
import type { Clock } from '../infra/clock.ts'
import type { Feeder } from '../infra/log/port.ts'
import type { Orchestrator } from '../infra/orchestration/orchestrator.ts'
import type { workflows } from '../workflows/index.ts'

export type Upload = {
  readonly model: string
  readonly file: string
  /** Events of this many seconds up to now. */
  readonly duration_s: number
  /** Whether to go without events that are not in ClickHouse yet. */
  readonly eventual: boolean
}

export type UploadDeps = {
  readonly feeder: Pick<Feeder, 'caughtUp'>
  readonly clock: Clock
  readonly orchestrator: Orchestrator<typeof workflows>
}

/** Writes the events of a stream into a training file. */
export function createStreamUpload({ feeder, clock, orchestrator }: UploadDeps) {
  return async (target: RegisteredStream, upload: Upload): Promise<StreamDataWritten> => {
    const { schema, stream, queues } = target
    const { model, file, duration_s, eventual } = upload
    if (stream.kind === 'entity')
      throw fault('invalid', `${schema.name}.${stream.name} is an entity stream: it holds aggregates, and no events`)
    const lastSeq = clock.last()
    if (!eventual) await feeder.caughtUp(queues)
    const from_us = Math.max(0, Date.now() * 1000 - duration_s * 1_000_000)
    const request = { schema: schema.name, stream: stream.name, model, file, from_us, lastSeq }
    return orchestrator.run('writeStreamData', request)
  }
}

export type StreamUpload = ReturnType<typeof createStreamUpload>
