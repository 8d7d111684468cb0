import { exception } from './exceptions.ts'

/** `CREATE QUOTA ... FOR INTERVAL seconds MAX ...` for the one user there is; a kind that is not named has no bound. */
export type Quota = {
  readonly seconds: number
  readonly queries?: number
  readonly query_selects?: number
  readonly query_inserts?: number
}

type Kind = Exclude<keyof Quota, 'seconds'>

const isFree = /^\s*(?:SET|USE|SHOW\s+PROCESSLIST)\b/i

/** The kinds that a statement counts as, in the order in which a server counts. */
function kindsOf(statement: string): readonly Kind[] {
  if (isFree.test(statement)) return []
  if (/^[\s(]*(?:SELECT|WITH|SHOW|EXISTS)\b/i.test(statement)) return ['query_selects', 'queries']
  return /^\s*INSERT\b/i.test(statement) ? ['query_inserts', 'queries'] : ['queries']
}

/**
 * Counts statements as ClickHouse's `EnabledQuota` does: intervals follow each other from 1970 on, and a statement that is
 * refused is counted too. Rows, bytes and time are not counted.
 */
export function createQuota(user: string) {
  let quota: Quota | undefined
  let end_ms = 0
  let used: Partial<Record<Kind, number>> = {}
  let refused = 0

  function count(kind: Kind, { seconds, [kind]: most = 0 }: Quota): void {
    const sum = (used[kind] ?? 0) + 1
    used[kind] = sum
    if (most === 0 || sum <= most) return
    refused++
    const end = new Date(end_ms).toISOString().slice(0, 19).replace('T', ' ')
    const text = `Quota for user \`${user}\` for ${seconds}s has been exceeded: ${kind} = ${sum}/${most}`
    throw exception(201, 'QUOTA_EXCEEDED', `${text}. Interval will end at ${end}. Name of quota template: \`test\``)
  }

  return {
    set(wanted: Quota | undefined): void {
      quota = wanted
      end_ms = 0
    },
    /** Throws where the statement is one too many. */
    use(whole: Buffer): void {
      if (!quota) return
      const length_ms = quota.seconds * 1000
      if (Date.now() >= end_ms) {
        end_ms = (Math.floor(Date.now() / length_ms) + 1) * length_ms
        used = {}
      }
      for (const kind of kindsOf(whole.subarray(0, 200).toString('latin1'))) count(kind, quota)
    },
    /** How many statements it has refused. */
    refused: (): number => refused,
  }
}

export type QuotaOfUser = ReturnType<typeof createQuota>
