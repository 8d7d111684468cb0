import { z } from 'zod'
import { anyObject, bytes, type Call, count, json, success, text } from '../http/call.ts'
import { reconcileOnWire } from './decode-reconcile.ts'

const part = z.looseObject({ status: z.string() })

export const about: Call = {
  id: 'about',
  group: 'service',
  summary: 'What this is, its parts, and where to go on; browsers, which ask for HTML, get the console',
  answers: [
    json(
      z.object({
        name: z.literal('weir'),
        version: z.string(),
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
  parts: z.record(z.string(), part).optional(),
})

export const ready: Call = {
  id: 'ready',
  group: 'service',
  summary: 'Whether it serves; with a key that may read everywhere, each part',
  answers: [json(report)],
  also: { 503: { says: 'it does not serve', contents: [json(report)] } },
}

export const metrics: Call = {
  id: 'metrics',
  group: 'service',
  summary: 'Metrics for Prometheus',
  answers: [text('one metric a line', 'text/plain')],
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
  answers: [text('HTML', 'text/html')],
}

export const docsFile: Call = {
  id: 'docsFile',
  group: 'service',
  summary: 'A file of that page',
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

export const reconcile: Call = {
  id: 'reconcile',
  group: 'service',
  summary: 'Compares what is derived from events with them, and repairs it; of one schema, or of all',
  body: { contents: [json(reconcileOnWire)], isOptional: true },
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
          }),
        ),
      }),
    ),
  ],
}
