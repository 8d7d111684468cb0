import { isUtf8 } from 'node:buffer'
import { type Event, type Json, writeJson } from '../../base/json.ts'
import type { KafkaRecord } from '../../infra/sources/topic.ts'
import { valueAt } from '../../sql/hook/path.ts'
import { senderTime } from '../events/sender-time.ts'
import type { Source } from './definition.ts'

/** The line of NDJSON that a message becomes; a `Refusal` says why it becomes none. */
export type MessageToEvent = (value: Event, partition: number, message: KafkaRecord) => string

/** Makes events of messages, by the definition of their source. */
export function createMessageToEvent({ map, time }: Pick<Source, 'map' | 'time'>): MessageToEvent {
  const places = map && Object.entries(map)
  return (value, partition, message) => {
    const at = (path: string): Json | undefined => {
      if (path.startsWith('$')) return besideValue(path, partition, message)
      return Object.hasOwn(value, path) ? value[path] : valueAt(value, path.split('.'))
    }
    const event: Event = places ? {} : value
    for (const [attribute, path] of places ?? []) {
      const own = at(path)
      if (own !== undefined) event[attribute] = own
    }
    const own = time === undefined ? event._pk : senderTime(at(time))
    const pk = own ?? timestampOf(message)
    if (pk === undefined) delete event._pk
    else event._pk = pk
    return writeJson(event)
  }
}

/** Microseconds since 1970; undefined for messages of a time when Kafka kept none. */
const timestampOf = ({ appended_ms }: KafkaRecord): number | undefined =>
  appended_ms > 0 ? appended_ms * 1000 : undefined

function besideValue(path: string, partition: number, message: KafkaRecord): Json | undefined {
  switch (path) {
    case '$key':
      return textOf(message.key)
    case '$partition':
      return partition
    case '$offset':
      return message.offset
    case '$timestamp':
      return timestampOf(message)
    default: {
      const found = message.headers?.[path.slice('$headers.'.length)]
      return textOf(Array.isArray(found) ? found.at(-1) : found)
    }
  }
}

/** Bytes that are no text, in base64. */
function textOf(bytes: Buffer | string | null | undefined): string | undefined {
  if (bytes === null || bytes === undefined || typeof bytes === 'string') return bytes ?? undefined
  return bytes.toString(isUtf8(bytes) ? 'utf8' : 'base64')
}
