import { setTimeout as sleep } from 'node:timers/promises'
import { createProbe } from '../../health/probe.ts'
import type { Logger } from '../../logger.ts'
import { reasonOf } from '../../unfinished.ts'
import type { LogTrouble } from '../opened.ts'

const patience_ms = 2_000
const [shortestPause_ms, longestPause_ms] = [250, 5_000]

/** Whether the brokers answer. From the start on they are asked until they did once, which the log tells where it takes a while. */
export function createReach(ask: () => Promise<void>, logger: Logger) {
  const late = { takes: `Kafka has not answered within ${patience_ms} ms` }
  const trouble = createProbe<LogTrouble>({
    ask: async () => {
      await ask()
      return {}
    },
    failed: (reason) => ({ takes: reason, answers: reason }),
    patience_ms,
    late: { ...late, answers: late.takes },
  })
  let isClosed = false

  async function untilReached(): Promise<void> {
    let wasTold = false
    for (let pause_ms = shortestPause_ms; !isClosed; pause_ms = Math.min(longestPause_ms, 2 * pause_ms)) {
      try {
        await ask()
        if (wasTold) logger.info('Kafka is reached')
        return
      } catch (error) {
        if (!wasTold && !isClosed) logger.warn({ reason: reasonOf(error) }, 'Kafka is not reached, retrying')
        wasTold = true
        await sleep(pause_ms, undefined, { ref: false })
      }
    }
  }

  void untilReached()
  return {
    trouble,
    close(): void {
      isClosed = true
    },
  }
}
