import { createTakeMessages, type TakeMessagesDeps } from './take-messages.ts'
import { createWriteLines } from './write-lines.ts'

/** Doors for the clients of vendors, which send events in the vendors' forms (docs/doors.md). */
export function createCaptureEngine(deps: TakeMessagesDeps) {
  return { writeLines: createWriteLines(deps), takeMessages: createTakeMessages(deps) }
}

export type CaptureEngine = ReturnType<typeof createCaptureEngine>
