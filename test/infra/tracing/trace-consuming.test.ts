import { setImmediate as turn } from 'node:timers/promises'
import { context, SpanStatusCode } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import test from 'ava'
import { fault } from '../../../base/faults.ts'
import type { DeliveryDeps, OpenedLog } from '../../../infra/log/opened.ts'
import type { TurnCommit } from '../../../infra/log/port.ts'
import { traceConsuming } from '../../../infra/tracing/trace-consuming.ts'
import { traceTurns } from '../../../infra/tracing/trace-log.ts'
import { inSpan } from '../../../infra/tracing/tracing.ts'

context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())

type Look = { readonly queue: string; seen(): void; fail(reason: unknown): void }

/** A log that takes everything at once; a caller that asks whether it is in ClickHouse waits for the test. */
function open() {
  const looks: Look[] = []
  const caughtUp = ([queue = '']: readonly string[]): Promise<void> =>
    new Promise((seen, fail) => looks.push({ queue, seen, fail }))
  const appends: unknown[][] = []
  const opened = {
    log: {
      append: async (...append: unknown[]) => {
        appends.push(append)
      },
      answered: () => undefined,
      close: async () => {},
    },
    deliver: () => ({ feeder: { caughtUp } }),
  } as unknown as OpenedLog
  const exporter = new InMemorySpanExporter()
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  const tracer = provider.getTracer('test')
  const { log, deliver } = traceConsuming(opened, tracer)
  deliver({} as DeliveryDeps)
  const ended = () => exporter.getFinishedSpans().filter(({ name }) => name.startsWith('consume'))
  const append = (queue: string) => inSpan(tracer, 'request', {}, () => log.append(queue, Buffer.from('{}\n'), 1))
  return { log, tracer, append, appends, looks, ended, exporter }
}

test('what is appended while ClickHouse is asked is asked for next, and each span ends when its own was seen', async (t) => {
  const { append, looks, ended, exporter } = open()
  await append('s.a')
  await append('s.a')
  t.deepEqual([looks.length, ended().length], [1, 0])
  looks[0]?.seen()
  await turn()
  t.deepEqual([looks.length, ended().length], [2, 1])
  looks[1]?.seen()
  await turn()
  t.deepEqual([looks.length, ended().length], [2, 2])
  for (const span of ended()) {
    const parent = exporter
      .getFinishedSpans()
      .find((each) => each.spanContext().spanId === span.parentSpanContext?.spanId)
    t.is(parent?.name, 'append s.a')
    t.is(parent?.spanContext().traceId, span.spanContext().traceId)
    t.is(span.status.code, SpanStatusCode.UNSET)
  }
  await append('s.a')
  t.is(looks.length, 3)
})

test('one stream does not wait for another, and what is not seen in time is told by its span', async (t) => {
  const { append, looks, ended } = open()
  await append('s.a')
  await append('s.b')
  t.deepEqual(
    looks.map(({ queue }) => queue),
    ['s.a', 's.b'],
  )
  looks[1]?.fail(fault('late', 'not there yet'))
  await turn()
  const [span] = ended()
  t.is(span?.name, 'consume s.b')
  t.is(span?.status.code, SpanStatusCode.ERROR)
  t.is(span?.attributes['error.type'], 'late')
})

test('of a stream 1,000 appends are followed at a time, and an untraced one never', async (t) => {
  const { log, append, looks, ended } = open()
  await log.append('s.a', Buffer.from('{}\n'), 1)
  t.is(looks.length, 0)
  for (let n = 0; n < 1_100; n++) await append('s.a')
  looks[0]?.seen()
  await turn()
  looks[1]?.seen()
  await turn()
  t.is(ended().length, 1_000)
  await append('s.a')
  t.is(looks.length, 3)
})

test('an append in a trace is made in the turn in which it is asked for, with all that belongs to it', async (t) => {
  const { log, tracer, appends } = open()
  const whole = ['s.a', Buffer.from('{}\n'), 1, [], ['key']] as const
  const traced = inSpan(tracer, 'request', {}, () => log.append(...whole))
  const plain = log.append(...whole)
  t.deepEqual(appends, [[...whole], [...whole]])
  await Promise.all([traced, plain])
})

test('a turn of rules in a trace is committed in the turn in which it is asked for, as a span of its first queue', async (t) => {
  const { tracer, exporter } = open()
  const commits: TurnCommit[] = []
  const done: unknown[] = []
  const commit = async (given: TurnCommit): Promise<number> => commits.push(given)
  const log = traceTurns({ commit }, tracer, (...of) => done.push(of))
  const ofRules = { lines: [{ queue: 's.a', lines: Buffer.from('{}\n'), rows: 1 }], changes: [] }
  const ofState = { lines: [], changes: [] }
  const under = [
    inSpan(tracer, 'request', {}, () => log.commit(ofRules)),
    inSpan(tracer, 'request', {}, () => log.commit(ofState)),
    log.commit(ofRules),
  ]
  t.deepEqual(commits, [ofRules, ofState, ofRules])
  t.is(commits[0], ofRules)
  await Promise.all(under)
  t.deepEqual(done, [['s.a', 1]])
  t.is(exporter.getFinishedSpans().filter(({ name }) => name === 'append s.a').length, 1)
})
