import type { Config } from '../config.ts'
import type { Logger } from '../logger.ts'
import type { Tracing } from './tracing.ts'

/** Traces as OpenTelemetry's settings say; undefined where no setting names a place to send them to. */
export async function openTracing(config: Config, logger: Logger): Promise<Tracing | undefined> {
  if (!isAsked(config)) return undefined
  // A service that traces nothing need not load it.
  const { startTracing } = await import('./sdk.ts')
  return startTracing(config, logger)
}

function isAsked(config: Config): boolean {
  if (config.OTEL_SDK_DISABLED || config.OTEL_TRACES_EXPORTER === 'none') return false
  const endpoint = config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? config.OTEL_EXPORTER_OTLP_ENDPOINT
  return config.OTEL_TRACES_EXPORTER === 'otlp' || endpoint !== undefined
}
