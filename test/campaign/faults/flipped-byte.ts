import { closeSync, cpSync, openSync, readdirSync, readFileSync, readSync, rmSync, writeSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Random } from '../../support/random/random.ts'
import { type Client, createClient } from '../../support/requests/client.ts'
import { until } from '../../support/until.ts'
import { patientClient } from '../asking.ts'
import { type Finding, type Ledger, wrong } from '../ledger.ts'
import { createWeir, type Weir } from '../parts/weir.ts'

const [patience_ms, answer_ms] = [120_000, 20_000]
/** Bytes about an event in the log, in which most flips are: other pages are free, or of things that seldom matter. */
const near = 200

/** The faults of a service that has the data as they were when this was made. */
export type Compare = (client: Client) => Promise<readonly Finding[]>

/**
 * A copy of a service's folder, as a kill has left it, in which one byte is another, and a service of its own on it:
 * what it answers is as it was sent, and it says what is not.
 */
export async function flipInCopy({ folder }: Weir, random: Random, ledger: Ledger, compare: Compare): Promise<string> {
  const copy = `${folder}-flipped`
  rmSync(copy, { recursive: true, force: true })
  cpSync(folder, copy, { recursive: true })
  const where = flip(copy, random)
  return inspect(copy, where, ledger, compare)
}

/** Changes one bit pattern of one byte: of the log, or of the values in a part of ClickHouse. */
function flip(folder: string, random: Random): string {
  const values = random.chance(0.25) ? valuesIn(folder) : []
  const path = values.length > 0 ? random.pick(values) : 'log/log.mdb'
  const content = readFileSync(join(folder, path))
  const at =
    (path.endsWith('.mdb') && random.chance(0.7) ? nearAnEvent(content, random) : undefined) ??
    random.whole(0, content.length - 1)
  const handle = openSync(join(folder, path), 'r+')
  const byte = Buffer.alloc(1)
  readSync(handle, byte, 0, 1, at)
  byte[0] = (byte[0] ?? 0) ^ random.whole(1, 255)
  writeSync(handle, byte, 0, 1, at)
  closeSync(handle)
  return `byte ${at} of ${path}`
}

const valuesIn = (folder: string): string[] =>
  readdirSync(join(folder, 'clickhouse/store'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.bin'))
    .map((path) => join('clickhouse/store', path))

function nearAnEvent(content: Buffer, random: Random): number | undefined {
  const begin = random.whole(0, content.length - 1)
  const found = content.indexOf('"_seq":', begin)
  const event = found < 0 ? content.indexOf('"_seq":') : found
  return event < 0 ? undefined : Math.min(content.length - 1, Math.max(0, event + random.whole(-near, near)))
}

async function inspect(folder: string, where: string, ledger: Ledger, compare: Compare): Promise<string> {
  const log = `${folder}.log`
  // Its deliveries would come to the endpoints of the service that it is a copy of.
  const weir = await createWeir(`Weir with ${where} flipped`, log, folder, { NOTIFY_PRIVATE: '0' })
  const refusal = await weir.refused()
  if (refusal !== undefined) {
    // By a signal, or without the reason, an operator has a crash loop and no name of a file.
    const isTold = refusal.code !== null && /weir cannot start/.test(refusal.said)
    if (!isTold)
      ledger.found(wrong(`with ${where} flipped Weir ended with ${refusal.code}: ${refusal.said.slice(-2000)}`))
    return done('refused', isTold)
  }
  const client = patientClient(createClient(weir.url), answer_ms)
  let findings: readonly Finding[] = []
  let isTold = false
  await until(
    `a comparison with ${where} flipped`,
    async () => {
      try {
        findings = await compare(client)
      } catch (error) {
        // A damaged part of ClickHouse is answered by a refusal.
        isTold = readFileSync(log, 'utf8').includes('Checksum doesn')
        if (isTold) return true
        findings = [wrong(`asked with ${where} flipped: ${error instanceof Error ? error.message : String(error)}`)]
      }
      return findings.length === 0
    },
    patience_ms,
  ).catch(() => {
    for (const { kind, what } of findings) ledger.found({ kind, what: `with ${where} flipped: ${what}` })
  })
  await weir.kill()
  return done(isTold ? 'refused to answer' : 'answered rightly', ledger.findings.length === 0)

  function done(outcome: string, isGood: boolean): string {
    ledger.killed(`flipped byte: ${outcome}`)
    if (isGood) rmSync(folder, { recursive: true, force: true })
    return `a copy with a byte of ${basename(where)} flipped ${outcome}`
  }
}
