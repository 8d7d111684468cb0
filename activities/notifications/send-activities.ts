import type { Sender } from './sender.ts'

/** Below a day, which is the longest that Temporal lets an activity take. */
const turn_ms = 20 * 3_600_000

/** Sending as a workflow has it: an activity that goes on for as long as its process does. */
export function createSendActivities(sender: Pick<Sender, 'run'>, stopped: AbortSignal) {
  return {
    /** Ends well where its process stops: the next turn is another's then, at once. */
    sendNotifications: (_: Record<string, never>, signal: AbortSignal): Promise<void> =>
      sender.run(AbortSignal.any([signal, stopped, AbortSignal.timeout(turn_ms)])),
  }
}

export type SendActivities = ReturnType<typeof createSendActivities>
