import { type Answerer, openHook } from '../hook.ts'

export type TakenSpan = {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[]
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[]
  readonly status: { readonly code?: number }
}

const thankful: Answerer = (_, response) => {
  response.setHeader('content-type', 'application/json')
  response.end('{}')
}

type Taken = {
  readonly resource: Pick<TakenSpan, 'attributes'>
  readonly scopeSpans: readonly { readonly spans: readonly TakenSpan[] }[]
}

/** A collector of OpenTelemetry's traces: OTLP over HTTP, as JSON. */
export async function openCollector(answer: Answerer = thankful) {
  const hook = await openHook(answer)
  const taken = (): Taken[] => hook.all.flatMap(({ body }): Taken[] => body?.resourceSpans ?? [])
  const spans = (): TakenSpan[] => taken().flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
  return {
    /** Settings of a service that sends each span at once. */
    settings: {
      OTEL_EXPORTER_OTLP_ENDPOINT: hook.url(''),
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '20',
    },
    types: () => hook.all.map(({ headers }) => headers['content-type']),
    /** How often it was asked to take spans. */
    asked: () => hook.all.length,
    spans,
    resources: () => taken().map(({ resource }) => valuesOf(resource)),
    /** The spans of a trace, each as the names from the first of its spans that came here down to it. */
    paths(traceId: string): string[] {
      const all = new Map(spans().map((span) => [span.spanId, span]))
      const pathOf = (span: TakenSpan): string => {
        const parent = all.get(span.parentSpanId ?? '')
        return parent ? `${pathOf(parent)} > ${span.name}` : span.name
      }
      return [...all.values()].filter((span) => span.traceId === traceId).map(pathOf)
    },
    close: hook.close,
  }
}

export const valuesOf = ({ attributes }: Pick<TakenSpan, 'attributes'>): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
