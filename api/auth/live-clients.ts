import type { Context } from 'koa'
import { nameOf } from '../../activities/keys/doors.ts'
import type { KeyEngine } from '../../activities/keys/engine.ts'
import type { Client } from '../../activities/live/readers.ts'
import { clientOf } from '../http/ask.ts'
import { callerIn } from './permit.ts'

/** The reader of a stream: it goes away with its connection, and its key may end before. */
export type LiveClients = (context: Pick<Context, 'req' | 'res' | 'state'>) => Client

export const createLiveClients =
  (keys: Pick<KeyEngine, 'isGood'>): LiveClients =>
  (context) => {
    const caller = callerIn(context)
    return {
      gone: clientOf(context),
      isGood: () => keys.isGood(caller),
      user: nameOf(caller, context.req.socket.remoteAddress),
    }
  }
