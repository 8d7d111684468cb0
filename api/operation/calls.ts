import { z } from 'zod'
import { anyObject, bytes, type Call, count, dry, force, instant, json, long, success, text } from '../http/call.ts'
import { reconcileOnWire } from './decode-reconcile.ts'

const part = z.looseObject({
  status: z.string(),
  takes: z.boolean().meta({ description: 'false: it keeps the service from taking events' }),
  answers: z.boolean().meta({ description: 'false: calls that need it are not answered, or not in full' }),
  reason: z.string().optional(),
  since: instant.optional(),
})

export const about: Call = {
  id: 'about',
  group: 'service',
  summary: 'The service, its parts, and where to go on; browsers, which ask for HTML, get the console',
  answers: [
    json(
      z.object({
        name: z.literal('weir'),
        version: z.string(),
        /** Of the build; absent where it was made without git. */
        commit: z.string().optional(),
        parts: z.record(z.string(), z.string()),
        links: z.record(z.string(), z.string()),
      }),
    ),
  ],
}

export const live: Call = {
  id: 'live',
  group: 'service',
  summary: 'Whether the process lives',
  answers: [json(z.object({ status: z.literal('live') }))],
}

const report = z.object({
  status: z.enum(['ready', 'not ready', 'stopping', 'starting']),
  takes: z.boolean().optional(),
  answers: z.boolean().optional(),
  parts: z.record(z.string(), part).optional(),
})

export const ready: Call = {
  id: 'ready',
  group: 'service',
  summary: 'Whether it takes events, or answers queries; with a key that may read everywhere, each part',
  query: {
    for: {
      says: 'What it is to be ready for: `takes`, events, which is what counts where it is left out, or `answers`, queries',
      schema: z.enum(['takes', 'answers']).optional(),
    },
  },
  refuses: ['invalid'],
  answers: [json(report)],
  also: { 503: { says: 'it does not', contents: [json(report)] } },
}

export const metrics: Call = {
  id: 'metrics',
  group: 'service',
  summary: 'Metrics for Prometheus',
  answers: [text('one metric a line', 'text/plain')],
}

const streamCounts = z.array(z.object({ stream: z.string(), events: long }))

export const figures: Call = {
  id: 'figures',
  group: 'service',
  summary: 'The figures of this process: events since its start, what waits, memory and disk',
  answers: [
    json(
      z.object({
        started: instant,
        now: instant,
        events: z.object({ accepted: long, refused: long, rejected: long }),
        busiest: streamCounts.meta({ description: 'the 20 streams with most accepted events, most first' }),
        refused: streamCounts.meta({ description: 'the 20 streams with most refused events, most first' }),
        log: z.object({ waiting_bytes: long, lag_ms: long }),
        live_readers: count,
        memory: z.object({ used_bytes: long, heap_bytes: long, total_bytes: long }),
        disk: z.object({ free_bytes: long, total_bytes: long }),
      }),
    ),
  ],
}

export const openApi: Call = {
  id: 'openApi',
  group: 'service',
  summary: 'This document',
  answers: [json(anyObject)],
}

export const openApiEarlier: Call = {
  id: 'openApiEarlier',
  group: 'service',
  summary: 'This document as OpenAPI 3.0, for generators of clients',
  answers: [json(anyObject)],
}

export const docsPage: Call = {
  id: 'docsPage',
  group: 'service',
  summary: 'A page that shows this document',
  parameters: 'any',
  answers: [text('HTML', 'text/html')],
}

export const docsFile: Call = {
  id: 'docsFile',
  group: 'service',
  summary: 'A file of that page',
  parameters: 'any',
  answers: [text('a script', 'text/javascript'), text('a style sheet', 'text/css')],
  also: { 304: { says: 'it is as it was' } },
}

export const takeBackup: Call = {
  id: 'takeBackup',
  group: 'service',
  summary: 'A copy of all data of one moment, of an embedded service; npm run backup keeps it',
  answers: [bytes('a tar archive', 'application/x-tar')],
  refuses: ['conflict'],
}

export const backupProgress: Call = {
  id: 'backupProgress',
  group: 'service',
  summary:
    'How the latest backup stands, and how much of it is sent; where BACKUP_TO is set, how far the log is shipped',
  answers: [
    json(
      z.object({
        state: z.enum(['none', 'taking', 'sending', 'done', 'failed']),
        started: instant.optional(),
        ended: instant.optional(),
        sent_bytes: count.optional(),
        total_bytes: count.optional(),
        /** Absent where `BACKUP_TO` is not set. */
        shipped: z
          .object({
            status: z.enum(['up', 'failing']),
            waiting_bytes: count,
            shipped_until: instant.optional(),
            last_copy: instant.optional(),
            reason: z.string().optional(),
          })
          .optional(),
      }),
    ),
  ],
}

export const reconcile: Call = {
  id: 'reconcile',
  group: 'service',
  summary: 'Compares what is derived from events with them, and repairs it; of one schema, or of all',
  query: { ...dry, ...force },
  body: { contents: [json(reconcileOnWire)], isOptional: true },
  refuses: ['conflict'],
  answers: [
    json(
      z.object({
        errcode: success,
        streams: z.array(
          z.object({
            schema: z.string(),
            stream: z.string(),
            table: z.string(),
            checked: count,
            wrong: count,
            repaired: count,
            /** With `dry`: how many of the wrong counts are higher than the events give. */
            lowered: count.optional(),
          }),
        ),
      }),
    ),
  ],
}
