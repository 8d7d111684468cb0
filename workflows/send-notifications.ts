import type { SendActivities } from '../activities/notifications/send-activities.ts'
import type { Workflow } from '../infra/orchestration/workflow.ts'
import { ids, type SendingKey } from './ids.ts'

/** A history ends somewhere; who looks after the sending begins it again. */
const mostTurns = 500

/**
 * Makes sends of what filters matched, and delivers them, in one process after the other. One run does it for all: a
 * thousand sends a second could not each be a run. What waits, and when it is tried again, stands in ClickHouse, so that
 * the next process goes on where the last one stood.
 */
export const sendNotifications: Workflow<SendActivities, SendingKey, SendingKey, never, void> = {
  id: ids.sendNotifications,
  title: () => 'Send notifications',
  steps: { sendNotifications: () => 'make sends of what filters matched, and deliver them' },
  marks: () => ({}),
  attempts: 1_000,

  async run({ activities }) {
    for (let turn = 0; turn < mostTurns; turn++) await activities.sendNotifications({})
  },
}
