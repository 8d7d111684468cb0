import { randomBytes } from 'node:crypto'
import { fault } from '../../base/faults.ts'
import { isObject, parseJson, writeJson } from '../../base/json.ts'
import type { Exclusively } from '../../base/mutex.ts'
import type { DoorCatalogue, DoorRecord } from '../../infra/catalogue/doors.ts'
import { recordFollower } from '../../infra/processes/catalogue-follower.ts'
import { decodeSource, type SentSource, type Source, type SourceSecrets, sourceToWire } from './definition.ts'
import type { Begin } from './progress.ts'

export type SourcesDeps = {
  readonly catalogue: DoorCatalogue
  /** Makes one change at a time, in all processes. */
  readonly exclusively: Exclusively
  readonly now_us: () => number
  /** A source was made, changed or deleted, by any process. */
  readonly changed: (name: string) => void
}

/** A source under its name, with its secrets, the author of its latest change and the time of that. */
export type NamedSource = Begin & {
  readonly name: string
  readonly source: Source
  readonly secrets: SourceSecrets
  readonly on: boolean
  readonly at: number
  readonly author: string
}

const maxSources = 100
/** Names of deleted sources are remembered for a day. */
const gone_us = 86_400_000_000

const newRun = (): string => randomBytes(8).toString('hex')

type Kept = Omit<NamedSource, 'name' | 'at' | 'author'>

const bodyOf = ({ source, secrets, on, run, starts }: Kept): string =>
  writeJson({ ...sourceToWire(source), kept: JSON.stringify({ secrets, on, run, starts }) })

function sourceIn({ name, body, at, author }: DoorRecord): NamedSource {
  const wire = parseJson(body, 'the source')
  if (!isObject(wire) || typeof wire.kept !== 'string') throw new Error(`the record of source ${name} is damaged`)
  const { kept: text, ...rest } = wire
  const kept: Omit<Kept, 'source'> = JSON.parse(text)
  return { name, at, author, source: decodeSource(rest).source, ...kept }
}

export type SourceChange = { readonly isNew: boolean; readonly isChanged: boolean; readonly beginsAnew: boolean }

/** The topics of others that are read; all of their definitions are in memory (docs/doors.md). */
export function createSources({ catalogue, exclusively, now_us, changed }: SourcesDeps) {
  const sources = new Map<string, NamedSource>()

  function follow(record: DoorRecord): void {
    if (record.state === 'live') sources.set(record.name, sourceIn(record))
    else sources.delete(record.name)
    changed(record.name)
  }

  const missing = (name: string) =>
    fault('missing', `there is no source ${JSON.stringify(name.slice(0, 64))}; GET /source lists them`)

  const follower = recordFollower({ all: catalogue.all, since: catalogue.since, clear: () => sources.clear(), follow })

  /**
   * The secrets of a definition: its own, or those that the source has. A secret is kept for those whom it was given for:
   * another broker could ask for it in plain text.
   */
  function secretsOf(name: string, { source: { kafka, registry }, secrets }: SentSource): SourceSecrets {
    const before = sources.get(name)
    const isSame = JSON.stringify(before?.source.kafka.brokers) === JSON.stringify(kafka.brokers)
    const password = secrets.password ?? (isSame && kafka.sasl ? before?.secrets.password : undefined)
    if (kafka.sasl && password === undefined)
      throw fault('invalid', 'kafka.sasl.password: is missing: send it with a new user, and whenever brokers change')
    const cert = kafka.tls === true ? undefined : kafka.tls?.cert
    const certBefore = before?.source.kafka.tls === true ? undefined : before?.source.kafka.tls?.cert
    const key = secrets.key ?? (cert !== undefined && cert === certBefore ? before?.secrets.key : undefined)
    if (cert !== undefined && key === undefined)
      throw fault('invalid', 'kafka.tls.key: is missing: a certificate goes with its key')
    const isSameRegistry = registry?.url === before?.source.registry?.url && registry?.user !== undefined
    const ofRegistry = secrets.registry ?? (isSameRegistry ? before?.secrets.registry : undefined)
    return {
      ...(kafka.sasl && password !== undefined && { password }),
      ...(key !== undefined && { key }),
      ...(ofRegistry !== undefined && { registry: ofRegistry }),
    }
  }

  /** The change that a definition would be; a fault where it cannot be made. */
  function wouldPut(name: string, sent: SentSource): SourceChange & { readonly secrets: SourceSecrets } {
    const present = sources.get(name)
    const secrets = secretsOf(name, sent)
    if (!present && sources.size >= maxSources)
      throw fault('conflict', `there are ${maxSources} sources, which is the most; delete those that nobody needs`)
    const beginsAnew = present?.source.kafka.topic !== sent.source.kafka.topic
    const isChanged = !present || bodyOf({ ...present, source: sent.source, secrets }) !== bodyOf(present)
    return { isNew: !present, isChanged, beginsAnew, secrets }
  }

  async function write(name: string, kept: Kept, author: string): Promise<void> {
    const record: DoorRecord = { name, body: bodyOf(kept), author, at: now_us(), state: 'live' }
    await catalogue.put(record)
    follow(record)
  }

  return {
    follower,
    find: (name: string): NamedSource | undefined => sources.get(name),
    missing,
    list: (): NamedSource[] => [...sources.values()].sort((one, other) => (one.name < other.name ? -1 : 1)),
    /** The names of the sources that feed a stream, or any stream of a schema. */
    feeding: (schema: string, stream?: string): string[] =>
      [...sources.values()]
        .filter(({ source: { into } }) => into.schema === schema && (stream === undefined || into.stream === stream))
        .map(({ name }) => name)
        .sort(),

    wouldPut,
    /** `starts`: where each partition begins, if it begins anew. */
    put: (name: string, sent: SentSource, starts: Begin['starts'], author: string): Promise<SourceChange> =>
      exclusively(async () => {
        const { secrets, ...change } = wouldPut(name, sent)
        if (!change.isChanged) return change
        const present = sources.get(name)
        const begin =
          change.beginsAnew || !present ? { run: newRun(), starts } : { run: present.run, starts: present.starts }
        await write(name, { source: sent.source, secrets, on: present?.on ?? true, ...begin }, author)
        return change
      }),

    /** False where it is so already. */
    turn: (name: string, on: boolean, author: string): Promise<boolean> =>
      exclusively(async () => {
        const present = sources.get(name)
        if (!present) throw missing(name)
        if (present.on === on) return false
        await write(name, { ...present, on }, author)
        return true
      }),

    /** Begins the reading anew, from there. */
    restart: (name: string, starts: Begin['starts'], author: string): Promise<void> =>
      exclusively(async () => {
        const present = sources.get(name)
        if (!present) throw missing(name)
        await write(name, { ...present, run: newRun(), starts }, author)
      }),

    remove: (name: string, author: string): Promise<void> =>
      exclusively(async () => {
        if (!sources.has(name)) throw missing(name)
        const at = now_us()
        const record: DoorRecord = { name, body: '', author, at, state: 'gone' }
        await catalogue.put(record)
        follow(record)
        await catalogue.forgetGone(at - gone_us)
      }),
  }
}

export type Sources = ReturnType<typeof createSources>
