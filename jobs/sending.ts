import { setTimeout as after } from 'node:timers/promises'
import { Fault } from '../base/faults.ts'
import { createToldOnce, type Logger } from '../infra/logger.ts'
import type { Orchestrator } from '../infra/orchestration/orchestrator.ts'
import type { workflows } from '../workflows/index.ts'

export type SendingDeps = {
  readonly orchestrator: Pick<Orchestrator<typeof workflows>, 'start' | 'lastRun'>
  readonly isWanted: () => Promise<boolean>
  readonly logger: Logger
}

const look_ms = 1_000
/** How often it is asked whether the run goes on that was seen the last time. */
const lookAgain_ms = 10_000

/** Sees to it that the workflow runs that sends notifications, from the first of them on. */
export function createSending({ orchestrator, isWanted, logger }: SendingDeps) {
  const stopped = new AbortController()
  let running: Promise<void> | undefined

  async function begin(): Promise<void> {
    if ((await orchestrator.lastRun('sendNotifications', {}))?.isRunning) return
    await orchestrator.start('sendNotifications', {}).catch((error: unknown) => {
      if (!(error instanceof Fault && error.kind === 'conflict')) throw error
    })
  }

  async function run(): Promise<void> {
    const told = createToldOnce({
      logger,
      begins: 'sending of notifications not begun on Temporal, retrying',
      ended: 'sending of notifications begun on Temporal',
    })
    while (!stopped.signal.aborted) {
      let pause_ms = look_ms
      await told(async () => {
        if (!(await isWanted())) return
        await begin()
        pause_ms = lookAgain_ms
      })
      await after(pause_ms, undefined, { ref: false, signal: stopped.signal }).catch(() => {})
    }
  }

  return {
    start(): void {
      running = run()
    },
    async stop(): Promise<void> {
      stopped.abort()
      await running
    },
  }
}
