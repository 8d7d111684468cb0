/** A fault that a campaign has found: `lost`, `doubled` and `wrong` (anything else) are each a broken promise. */
export type Finding = { readonly kind: 'lost' | 'doubled' | 'wrong'; readonly what: string }

export const lost = (what: string): Finding => ({ kind: 'lost', what })
export const doubled = (what: string): Finding => ({ kind: 'doubled', what })
export const wrong = (what: string): Finding => ({ kind: 'wrong', what })

/** Counts over all rounds. */
export function createLedger() {
  const acknowledged = new Map<string, number>()
  const unanswered = new Map<string, number>()
  const unavailable = new Map<string, number>()
  const refused = new Map<string, number>()
  const kills = new Map<string, number>()
  /** Texts of 5xx, by the kind of request. */
  const reasons = new Map<string, number>()
  const findings: Finding[] = []
  const add = (counts: Map<string, number>, name: string, by = 1): void =>
    void counts.set(name, (counts.get(name) ?? 0) + by)
  let [answers, ahead_ms] = [0, 0]
  return {
    acknowledged(what: string, by = 1): void {
      answers++
      add(acknowledged, what, by)
    },
    /** Requests that were acknowledged so far, whatever each was about. */
    answers: (): number => answers,
    unanswered: (what: string, by = 1): void => add(unanswered, what, by),
    /** Answered by a 5xx: it may have been done or not, as a request that was not answered. */
    unavailable(what: string, by = 1, text = ''): void {
      add(unavailable, what, by)
      const reason = `${what}: ${text.slice(0, 200)}`
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
    },
    /** Answered by a 4xx that may come: nothing of it was done. */
    refused: (what: string, by = 1): void => add(refused, what, by),
    killed: (part: string): void => add(kills, part),
    /** How far the clock of a service was set ahead by less than it passes over, at most: its times stay there. */
    setAhead(ms: number): void {
      ahead_ms = Math.max(ahead_ms, ms)
    },
    ahead: (): number => ahead_ms,
    found: (finding: Finding): void => void findings.push(finding),
    counts: { acknowledged, refused, unanswered, unavailable, kills },
    reasons: reasons as ReadonlyMap<string, number>,
    findings: findings as readonly Finding[],
  }
}

export type Ledger = ReturnType<typeof createLedger>

export const total = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0)
