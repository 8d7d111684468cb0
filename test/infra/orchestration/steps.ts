import { setTimeout as sleep } from 'node:timers/promises'
import type { RebuildActivities } from '../../../activities/schemas/rebuild/rebuild.ts'
import type { StreamDataActivities } from '../../../activities/stream-data/write-stream-data.ts'
import type { Pulse } from '../../../infra/orchestration/workflow.ts'

type Given = Parameters<RebuildActivities['fillAggregate']>
export type Steps = Omit<RebuildActivities, 'fillAggregate'> &
  StreamDataActivities & { fillAggregate(...given: [...Given, pulse?: Pulse]): Promise<boolean> }

/** Activities that do nothing but write down that they ran, some of which a test replaces. */
export function createSteps() {
  const ran: string[] = []
  const replaced = new Map<string, Partial<Steps>>()
  const own = ({ schema }: { readonly schema: string }): Partial<Steps> => replaced.get(schema) ?? {}
  const note = (name: string, { schema }: { readonly schema: string }): void => {
    ran.push(`${schema} ${name}`)
  }
  const steps: Steps = {
    async beginRebuild(request) {
      note('begin', request)
      return (await own(request).beginRebuild?.(request)) ?? { token: 'abc', names: ['a', 'b'] }
    },
    async fillAggregate(request, signal, pulse) {
      note(`fill ${request.name}`, request)
      return (await own(request).fillAggregate?.(request, signal, pulse)) ?? true
    },
    async swapAggregates(request) {
      note('swap', request)
      return (await own(request).swapAggregates?.(request)) ?? true
    },
    async abandonRebuild(request) {
      note('abandon', request)
      await own(request).abandonRebuild?.(request)
    },
    async writeStreamData(request, signal) {
      note('write', request)
      return (await own(request).writeStreamData?.(request, signal)) ?? { lines: 1, bytes: 2 }
    },
  }
  return {
    steps,
    /** The steps that ran for a schema, in order. */
    ranFor: (schema: string) =>
      ran.filter((line) => line.startsWith(`${schema} `)).map((line) => line.split(' ').slice(1).join(' ')),
    /** From now on activities that are asked about a schema do this. */
    replace: (schema: string, by: Partial<Steps>): void => {
      replaced.set(schema, by)
    },
  }
}

export type TestSteps = ReturnType<typeof createSteps>

/** Resolves when it is released, or rejects when its caller has given up. */
export function createLatch() {
  let release: () => void = () => {}
  const open = new Promise<void>((resolve) => {
    release = resolve
  })
  return {
    release: () => release(),
    async wait(signal: AbortSignal): Promise<void> {
      const aborted = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      })
      await Promise.race([open, aborted, sleep(120_000, undefined, { ref: false })])
    },
  }
}
