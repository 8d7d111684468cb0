import type { Random } from '../../support/random/random.ts'
import type { Request } from '../asking.ts'
import { doubled, type Finding, lost, wrong } from '../ledger.ts'
import { createCells } from './cells.ts'
import type { Load, LoadDeps } from './load.ts'

const keys = Array.from({ length: 40 }, (_, i) => `k${i}`)

/** Records of a table with an index, replaced, updated and deleted; and of one that keeps every version. */
export function createRecords({ asker, ledger, generation }: LoadDeps): Load {
  const [kept, versions] = [`kept${generation}`, `versions${generation}`]
  const { cells, onFree } = createCells<number>(keys)
  const added = new Map<number, { key: string; isAcknowledged: boolean }>()
  let made = 0

  const statement = (sql: string): Request => ({
    what: 'records',
    method: 'POST',
    path: '/db/mydb/query',
    body: { sql },
  })
  const documentOf = (n: number): string => JSON.stringify({ n, twice: n, text: `number ${n}` })

  /** A key is written by one process: what reads before it writes is exact within one only. */
  const processOf = (key: string): number => Number(key.slice(1))

  function change(random: Random): Promise<void> {
    return onFree(random, async (key, cell) => {
      const n = ++made
      const send = (request: Request) => asker.once(processOf(key), request)
      const doc = (method: string): Request => ({
        what: 'records',
        method,
        path: `/db/mydb/${kept}/doc`,
        body: { _pk: key, doc: JSON.parse(documentOf(n)) },
        refusals: [404],
      })
      const kind = random.pick(['put', 'put', 'replace', 'insert', 'update', 'delete'] as const)
      const before = cell.possible
      const present = before.filter((value) => value !== undefined)
      if (kind === 'put' || kind === 'replace') {
        const { answer, isAnswered } = await send(doc(kind === 'put' ? 'POST' : 'PUT'))
        if (!isAnswered) cell.possible = [...before, n]
        else if (answer?.status === 404) cell.possible = without(key, before, present)
        else cell.possible = [n]
        return
      }
      if (kind === 'delete') {
        const { answer, isAnswered } = await send(statement(`delete from ${kept} where _pk = "${key}"`))
        if (!isAnswered) cell.possible = [...before, undefined]
        else if (answer?.body.retval === 1 && present.length === 0) told(`${key} was deleted, and was not there`)
        else cell.possible = [undefined]
        return
      }
      if (kind === 'insert') {
        const { answer, isAnswered } = await send(statement(`insert into ${kept} values "${key}" ${documentOf(n)}`))
        if (!isAnswered) cell.possible = [...before, n]
        else if (answer?.body.retval === 1) cell.possible = present.length > 0 ? present : [told(`${key} was there`)]
        else if (before.includes(undefined)) cell.possible = [n]
        else told(`${key} was inserted over ${before.join()}`)
        return
      }
      const { answer, isAnswered } = await send(
        statement(`update ${kept} set val = ${documentOf(n)} where _pk = "${key}"`),
      )
      if (!isAnswered) cell.possible = [...before, ...(present.length > 0 ? [n] : [])]
      else if (answer?.body.retval === 1) cell.possible = [n]
      else cell.possible = without(key, before, present)
    })
  }

  const told = (what: string): undefined => ledger.found(lost(`record ${kept}: ${what}`)) as undefined

  /** The key was said to be absent. */
  function without(
    key: string,
    before: (number | undefined)[],
    present: (number | undefined)[],
  ): (number | undefined)[] {
    if (!before.includes(undefined)) told(`${key} is not there, and must be one of ${present.join()}`)
    return [undefined]
  }

  async function add(random: Random): Promise<void> {
    const key = `v${random.whole(0, 9)}`
    if (random.chance(0.1)) return breakOff(random, key)
    const numbers = Array.from({ length: random.pick([1, 1, 20]) }, () => ++made)
    for (const n of numbers) added.set(n, { key, isAcknowledged: false })
    const lines = numbers.map((n) => `{"_pk":"${key}","doc":${documentOf(n)}}\n`)
    const isBatch = numbers.length > 1
    const { answer } = await asker.once(random.whole(0, asker.processes - 1), {
      what: 'records',
      method: 'POST',
      path: `/db/mydb/${versions}/doc`,
      body: isBatch ? lines.join('') : { _pk: key, doc: JSON.parse(documentOf(numbers[0] ?? 0)) },
      headers: isBatch ? { 'content-type': 'application/x-ndjson' } : {},
      weight: numbers.length,
    })
    if (answer?.status !== 200) return
    for (const n of numbers) added.set(n, { key, isAcknowledged: true })
  }

  /** No line of a body that breaks off may become a record. */
  async function breakOff(random: Random, key: string): Promise<void> {
    const body = Array.from(
      { length: random.whole(1, 50) },
      () => `{"_pk":"${key}","doc":${documentOf(++made)}}\n`,
    ).join('')
    const headers = { 'content-type': 'application/x-ndjson', 'content-length': `${body.length + 1}` }
    const path = `/db/mydb/${versions}/doc`
    const request = { what: 'records broken off', method: 'POST', path, headers, body: Buffer.from(body) }
    await asker.broken(random.whole(0, asker.processes - 1), { ...request, patience_ms: random.whole(0, 300) })
  }

  async function ofKept(): Promise<Finding[]> {
    const found = await asker.reader.documents(`select * from ${kept}`)
    const findings = found
      .filter(({ _pk }, i) => found.findIndex((other) => other._pk === _pk) !== i)
      .map(({ _pk }) => doubled(`record ${_pk} of ${kept}`))
    const there = new Map(found.map((document) => [document._pk, document]))
    for (const [key, cell] of cells) {
      const document = there.get(key)
      if (document && document.n !== document.twice) findings.push(wrong(`record ${key} of ${kept} is a mixture`))
      if (!cell.possible.includes(document?.n)) {
        findings.push(lost(`record ${key} of ${kept} is ${document?.n}, and must be one of ${cell.possible.join()}`))
      } else cell.possible = [document?.n]
    }
    const indexed = await asker.reader.count(`select count(*) from ${kept} where n >= 0`)
    if (indexed !== found.length) findings.push(wrong(`the index of ${kept} has ${indexed} of ${found.length} records`))
    return findings
  }

  async function ofVersions(): Promise<Finding[]> {
    const findings: Finding[] = []
    const seen = new Set<number>()
    for (const { _pk, n } of await asker.reader.documents(`select * from ${versions}`)) {
      if (seen.has(n)) findings.push(doubled(`version ${n} of ${_pk} of ${versions}`))
      if (added.get(n)?.key !== _pk) findings.push(wrong(`version ${n} of ${_pk} was never sent to ${versions}`))
      seen.add(n)
    }
    for (const [n, { key, isAcknowledged }] of added) {
      if (isAcknowledged && !seen.has(n)) findings.push(lost(`version ${n} of ${key} of ${versions}`))
    }
    return findings
  }

  return {
    async open() {
      const table = { table_type: 1, key_type: 1 }
      const make = (body: object): Request => ({
        what: 'tables',
        method: 'POST',
        path: '/db/mydb/table',
        body,
        refusals: [409],
      })
      await asker.surely(0, make({ table_name: kept, ...table }))
      await asker.surely(0, make({ table_name: versions, ...table, allow_duplicate: 1 }))
      const body = { index_name: 'n', key_type: 10, key_size: 8 }
      await asker.surely(0, { what: 'indexes', method: 'POST', path: `/db/mydb/${kept}/index`, body, refusals: [409] })
    },
    act: (random) => (random.chance(0.7) ? change(random) : add(random)),
    check: async () => [...(await ofKept()), ...(await ofVersions())],
  }
}
