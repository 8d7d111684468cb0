import { context, DiagLogLevel, diag, propagation } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base'
import type { Config } from '../config.ts'
import type { Logger } from '../logger.ts'
import { version } from '../version.ts'
import type { Tracing } from './tracing.ts'

/** A collector that hangs holds no stop up; spans that it has not taken by then are lost. */
const longestClose_ms = 2_000
/** Between two lines of log about a collector that is away. */
const quiet_ms = 60_000

/** OpenTelemetry's SDK, one a process; it reads its other settings itself. */
export async function startTracing(config: Config, logger: Logger): Promise<Tracing> {
  tellFaults(logger)
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'weir', 'service.version': version() }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(await exporterOf(config))],
  })
  return {
    tracer: provider.getTracer('weir', version()),
    async close() {
      let timer: NodeJS.Timeout | undefined
      const expired = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, longestClose_ms)
      })
      await Promise.race([provider.shutdown().catch(() => {}), expired])
      clearTimeout(timer)
      context.disable()
      propagation.disable()
    },
  }
}

async function exporterOf(config: Config): Promise<SpanExporter> {
  const protocol = config.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? config.OTEL_EXPORTER_OTLP_PROTOCOL
  const { OTLPTraceExporter } =
    protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto')
  return new OTLPTraceExporter()
}

/** Logs the SDK's complaints: about its settings, and about spans that could not be sent. */
function tellFaults(logger: Logger): void {
  const tell = (reason: string): void => logger.warn({ reason }, 'from the OpenTelemetry SDK')
  const nothing = (): void => {}
  diag.setLogger(
    { error: tell, warn: tell, info: nothing, debug: nothing, verbose: nothing },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
  let logged_ms = Number.NEGATIVE_INFINITY
  setGlobalErrorHandler((error) => {
    if (performance.now() - logged_ms < quiet_ms) return
    logged_ms = performance.now()
    logger.warn({ err: error }, 'traces could not be sent, they are lost')
  })
}
