import { randomBytes } from 'node:crypto'
import { fault } from '../../base/faults.ts'
import { writeJson } from '../../base/json.ts'
import type { Config } from '../../infra/config.ts'
import { homeIn } from '../../infra/data-folder/home.ts'
import type { World } from '../../infra/world.ts'
import { type FileImport, importToWire, type SentImport } from '../../sql/import/definition.ts'
import { type Accept, ingestOf } from '../ingest/accept.ts'
import type { BucketKeys } from '../objects/buckets.ts'
import type { ObjectEngine } from '../objects/engine.ts'
import type { Registry } from '../registry/registry.ts'
import { type Asked, definitionOf, type ImportRecord, isUnderWay, type Progress, stateOf } from './record.ts'
import { createImportRunner, maxUnderWay } from './runner.ts'
import { filesOf } from './source.ts'
import { createImportStore } from './store.ts'
import { placesOf } from './to-event.ts'

export type ImportEngineDeps = {
  readonly config: Pick<Config, 'DATA_DIR'>
  readonly world: Pick<World, 'clickhouse' | 'sharing' | 'metrics' | 'logger'>
  readonly registry: Registry
  readonly objects: Pick<ObjectEngine, 'objects' | 'buckets'>
  readonly accept: Accept
}

const maxRecords = 200
const maxFiles = 100_000

/** An import as its readers see it; `waits`: why it stands still. */
export type ShownImport = {
  readonly id: string
  readonly definition: FileImport
  readonly asked: Asked
  readonly state: Progress['state']
  readonly progress: Progress
  readonly waits?: string
}

type Begun = { readonly id: string; readonly isNew: boolean }

/**
 * Brings the rows of files to streams. The process that is asked does so: its log remembers the batches, so that each row comes
 * once whenever the process ends and starts again. An import that another process left without a batch on its way goes on in any process.
 */
export function createImportEngine({ config, world, registry, objects, accept }: ImportEngineDeps) {
  const { clickhouse, sharing, metrics, logger } = world
  const store = createImportStore(clickhouse)
  const home = homeIn(config.DATA_DIR, 'imports')
  const runner = createImportRunner({ store, objects: objects.objects, accept, home, sharing, metrics, logger })

  const missing = (id: string) =>
    fault('missing', `there is no import ${JSON.stringify(id.slice(0, 64))}; GET /import lists them`)

  async function sizesOf(definition: FileImport): Promise<{ readonly num_files: number; readonly bytes: number }> {
    let [num_files, bytes] = [0, 0]
    for await (const { size } of filesOf(objects.objects, definition)) {
      bytes += size
      if (++num_files > maxFiles)
        throw fault('invalid', `from.prefix: over ${maxFiles} objects begin with it; name a longer prefix`)
    }
    if (num_files === 0 && 'prefix' in definition.from)
      throw fault(
        'missing',
        `no object of bucket ${definition.from.bucket} begins with ${JSON.stringify(definition.from.prefix)}`,
      )
    return { num_files, bytes }
  }

  /** The import of that name; a fault `conflict` where it is another one. */
  async function isThere(name: string | undefined, definition: FileImport): Promise<Begun | undefined> {
    const before = name === undefined ? undefined : await store.find(name)
    if (name === undefined || !before) return undefined
    if (before.asked.definition === writeJson(importToWire(definition))) return { id: name, isNew: false }
    throw fault('conflict', `id: there is an import ${name} of something else; choose another name`)
  }

  /** Forgets the oldest imports that have ended, where there are too many. */
  async function makeRoom(records: readonly ImportRecord[]): Promise<void> {
    const under = records.filter(isUnderWay).length
    if (under >= maxUnderWay)
      throw fault('conflict', `${maxUnderWay} imports are under way, which is the most; wait for one of them to end`)
    const ended = records
      .filter((record) => record.progress.state !== 'running')
      .sort((one, other) => one.asked.at_us - other.asked.at_us)
    for (const { id } of ended.slice(0, Math.max(0, records.length + 1 - maxRecords))) await store.forget(id)
  }

  function shown(record: ImportRecord, living: ReadonlySet<string>): ShownImport {
    const { id, asked, progress } = record
    const isLeft = isUnderWay(record) && progress.home !== home && progress.isAhead && !living.has(progress.process)
    const waits = isLeft
      ? 'the process whose log has its latest rows is away; it goes on when that is back'
      : progress.waits
    const state = stateOf(record)
    return {
      id,
      definition: definitionOf(asked),
      asked,
      state,
      progress,
      ...(state === 'running' && waits !== undefined && { waits }),
    }
  }

  return {
    /** Begins an import and returns its id; one that is there under its id with the same definition stays as it is. */
    async start({ id: name, definition }: SentImport, keys: BucketKeys, by: string): Promise<Begun> {
      const before = await isThere(name, definition)
      if (before) return before
      const target = registry.stream(definition.into.schema, definition.into.stream)
      ingestOf(target)
      await objects.buckets.admit(definition.from.bucket, keys)
      const files = await sizesOf(definition)
      const types = Object.fromEntries(target.stream.attributes.map(({ name: attribute, type }) => [attribute, type]))
      const id = name ?? `import_${randomBytes(8).toString('hex')}`
      const asked: Asked = {
        ...{ definition: writeJson(importToWire(definition)), by, at_us: Date.now() * 1000 },
        ...{ run: randomBytes(8).toString('hex'), types },
      }
      const progress: Progress = {
        ...{ state: 'running', home, process: sharing.id, isAhead: false, tries: 0, ...files },
        ...{ files_done: 0, bytes_done: 0, accepted: 0, repeated: 0, refused: 0, errors: [], notes: [] },
        unseen: placesOf(definition),
      }
      // Of requests under one id, in any process, one begins.
      return sharing.changeRuns(async () => {
        const meanwhile = await isThere(name, definition)
        if (meanwhile) return meanwhile
        await makeRoom(await store.list())
        await store.begin(id, asked, progress)
        runner.launch({ id, asked, progress, isCancelled: false })
        return { id, isNew: true }
      })
    },

    async find(id: string): Promise<ShownImport | undefined> {
      const record = await store.find(id)
      return record && shown(record, await sharing.living())
    },
    missing,

    /** The newest first. */
    async list(): Promise<ShownImport[]> {
      const living = await sharing.living()
      const all = (await store.list()).map((record) => shown(record, living))
      return all.sort((one, other) => other.asked.at_us - one.asked.at_us)
    },

    /** Ends an import that is under way, and forgets one that has ended. Its events stay in the stream. */
    async remove(id: string): Promise<'cancelled' | 'forgotten'> {
      const record = await store.find(id)
      if (!record) throw missing(id)
      if (record.progress.state !== 'running') {
        await store.forget(id)
        return 'forgotten'
      }
      await store.cancel(id)
      await runner.end(id)
      return 'cancelled'
    },

    open: runner.open,
    close: runner.close,
  }
}

export type ImportEngine = ReturnType<typeof createImportEngine>
