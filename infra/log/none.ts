import { fault } from '../../base/faults.ts'
import { createClock } from '../clock.ts'
import type { EventLog, LogSource } from './port.ts'

/** The log of a process that takes no events. */
export function createNoLog() {
  const log: EventLog = {
    append: async () => {
      throw fault(
        'unavailable',
        'this process has the role worker and takes no events; send them to one with the role api',
      )
    },
    answered: () => undefined,
    close: async () => {},
  }
  const source: LogSource = {
    queues: () => [],
    end: () => 0,
    chunks: () => [],
    begun: () => undefined,
    begin: async () => {},
    finish: async () => {},
    doubts: () => [],
    settle: async () => {},
    oldest: () => undefined,
    fails: () => {},
    wellBytes: () => 0,
    drop: async () => {},
    bytes: () => 0,
    onAppend: () => {},
  }
  return { log, source, clock: createClock() }
}
