import type { Context } from 'koa'
import type { KeyEngine } from '../../activities/keys/engine.ts'
import type { Client } from '../../activities/live/readers.ts'
import { clientOf } from '../http/ask.ts'
import { callerIn } from './permit.ts'

/** The reader of a stream: it goes away with its connection, and its key may end before. */
export type LiveClients = (context: Pick<Context, 'res' | 'state'>) => Client

export const createLiveClients =
  (keys: Pick<KeyEngine, 'isGood'>): LiveClients =>
  (context) => {
    const caller = callerIn(context)
    return { gone: clientOf(context), isGood: () => keys.isGood(caller) }
  }
