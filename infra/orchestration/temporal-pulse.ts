/** A pending activity, as far as its pulse. */
export type PendingActivity = {
  readonly heartbeatDetails?:
    | { readonly payloads?: readonly { readonly data?: Uint8Array | null }[] | null }
    | null
    | undefined
}

/** The latest pulse of an activity that is under way; undefined where none has told any. */
export function pulseOf(pending: readonly PendingActivity[] | null | undefined): unknown {
  for (const { heartbeatDetails } of pending ?? []) {
    const data = heartbeatDetails?.payloads?.[0]?.data
    if (data) return parsed(data)
  }
  return undefined
}

function parsed(data: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(data).toString('utf8'))
  } catch {
    return undefined
  }
}
