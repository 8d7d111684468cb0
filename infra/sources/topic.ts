/** A topic of somebody else's Kafka, as `reader.ts` reads it. */
import type { KafkaRecord } from '../log/kafka/partition.ts'
import type { KafkaSettings } from '../log/kafka/settings.ts'
import type { Logger } from '../logger.ts'

export type { Range, Read } from './reader.ts'
export type { KafkaRecord }

/** The broker has not, or no longer, what was asked for. */
export const isOutOfRange = (error: unknown): boolean => typeOf(error) === 'OFFSET_OUT_OF_RANGE'
export const isUnknownTopic = (error: unknown): boolean => typeOf(error) === 'UNKNOWN_TOPIC_OR_PARTITION'

/** The code of a refusal of the broker's, also where kafkajs has given up trying. */
function typeOf(error: unknown): unknown {
  if (!(error instanceof Error)) return undefined
  if ('type' in error && error.type !== undefined) return error.type
  return typeOf(error.cause)
}

/** kafkajs takes as long to load as a tenth of a start: a service without sources does without it. */
export async function openTopic(settings: KafkaSettings, topic: string, logger: Logger) {
  const { createTopic } = await import('./reader.ts')
  return createTopic(settings, topic, logger)
}

export type Topic = Awaited<ReturnType<typeof openTopic>>
