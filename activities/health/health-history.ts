/** What is known of a part beside its status; times are microseconds since 1970. */
export type History = {
  /** Of a part that is ill: when this process first saw it so. */
  readonly since?: number
  /** It stays when the part is well again. */
  readonly last_error?: { readonly ts: number; readonly reason: string }
}

type Told = { readonly status: string; readonly reason?: string | undefined }
type Known = { readonly status: string; readonly since: number; readonly last_error?: History['last_error'] }

/** Remembers what the reports of this process said of each part. */
export function createHealthHistory(now_us: () => number = () => Date.now() * 1000) {
  const parts = new Map<string, Known>()

  return (part: string, { status, reason }: Told): History => {
    const before = parts.get(part)
    const now = now_us()
    const since = before?.status === status ? before.since : now
    const last_error = reason === undefined ? before?.last_error : { ts: now, reason }
    parts.set(part, { status, since, ...(last_error && { last_error }) })
    return { ...(status !== 'up' && { since }), ...(last_error && { last_error }) }
  }
}
