/**
 * The name that Kafka's protocol gives to a broker's refusal, such as `MESSAGE_TOO_LARGE`; undefined for any other
 * failure.
 */
export function refusalOf(error: unknown): string | undefined {
  for (let each = error; each instanceof Error; each = each.cause) {
    if ('type' in each && typeof each.type === 'string') return each.type
    if ('errors' in each && Array.isArray(each.errors)) return refusalOf(each.errors[0])
  }
  return undefined
}

/** Whether a broker, or this process, ended the connection with a request under way. */
export function isConnectionClosed(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each.name === 'KafkaJSConnectionClosedError') return true
  }
  return false
}

/**
 * Whether a request may succeed when it is sent again: at once (`busy`), or once it is known anew which broker leads
 * (`elsewhere`). A request that bears what the one before bore is taken once.
 */
export function isPassing(error: unknown): 'busy' | 'elsewhere' | undefined {
  for (let each = error; each instanceof Error; each = each.cause) {
    if ('type' in each && each.type === 'CONCURRENT_TRANSACTIONS') return 'busy'
    // Another part of the request was refused.
    if ('type' in each && each.type === 'OPERATION_NOT_ATTEMPTED') return 'elsewhere'
    if ('retriable' in each && each.retriable === true) return 'elsewhere'
  }
  return undefined
}
