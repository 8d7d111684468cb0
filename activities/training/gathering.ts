import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { z } from 'zod'
import { Refusal } from '../../base/refusal.ts'
import { algorithmOf } from '../../learn/algorithms/index.ts'
import type { Source } from '../../learn/formats/read-rows.ts'
import { textOf } from '../../learn/parameters.ts'
import { type Answer, isPartOf } from '../../sql/schema/answers.ts'
import { trainingState } from '../models/training-states.ts'
import {
  isGathered,
  type StreamOfTraining,
  type TableOfTraining,
  type TrainingRequest,
  type TrainingSource,
} from './decode/request.ts'
import type { TrainingDeps } from './deps.ts'
import { hearing, waitingFor } from './hearing.ts'
import { readingBytes } from './memory.ts'
import { firstOf } from './notes.ts'
import { stateOfData, TrainingFailure } from './refusals.ts'
import { scriptBucket } from './script/run-script.ts'
import { createScriptData } from './script/script-data.ts'
import {
  findStream,
  findTable,
  isOfEntities,
  keyOfRows,
  listSources,
  openObject,
  predictedIn,
  type SourceObject,
} from './sources.ts'
import type { Step, StepContext } from './step.ts'
import { openStream, openTable, refuseTakingOf, refuseTakingOfTable, type TakenRows } from './taken-rows.ts'
import { tellTaken } from './tell-taken.ts'

const sourceList = z.array(z.object({ bucket: z.string(), key: z.string(), size: z.number() }))

const leftNote = (left: readonly Answer[]): string => {
  const names = left.map(({ name }) => name).join(', ')
  const why = left.some(({ isDerived }) => isDerived)
    ? 'which models answered (PRED), or which come from such answers'
    : 'which models answered (PRED)'
  return `not learnt from: ${names}, ${why}; attr_list can name what a model is to learn from`
}

const learntNote = ({ name, model, isDerived }: Answer, own: string): string => {
  const of = model === own ? 'this very model' : `model ${model}`
  const what = isDerived ? `which comes from what ${of} answered (PRED)` : `which ${of} answered (PRED)`
  return `attr_list names ${name}, ${what}: where that model learnt from these events, the figures are too good`
}

/** A `TrainingFailure` for a refusal of the request that the data's source alone can show. */
function fitting(check: () => void): void {
  try {
    check()
  } catch (error) {
    throw error instanceof Refusal ? new TrainingFailure(trainingState.badInput, error.message) : error
  }
}

/** The steps that bring the data together. */
export function createGathering(deps: TrainingDeps) {
  const { clickhouse, objects, files, threads, memory, stream, table } = deps

  /** The file whose rows are held out; a failure where it is not there. */
  async function heldOut({ holdout }: TrainingRequest): Promise<SourceObject | undefined> {
    if (holdout?.file === undefined) return undefined
    const [found] = await listSources(objects, { type: 'FILE', ...holdout.file }, 'file held out')
    return found
  }

  /** The training files, without the held-out file. */
  async function sourcesBeside(held: SourceObject | undefined, source: TrainingSource) {
    const found = (await listSources(objects, source)).filter(
      ({ bucket, key }) => bucket !== held?.bucket || key !== held.key,
    )
    if (found.length > 0 || isGathered(source)) return found
    throw new TrainingFailure(trainingState.sourceAbsent, 'there is no training file beside the file held out')
  }

  const verify: Step = {
    share: [0, 0.01],
    failing: trainingState.badInput,
    work: async ({ request, journal }) => {
      const held = await heldOut(request)
      const { source, schema, algorithm, parameters } = request
      if (source.type === 'STREAM')
        fitting(() => refuseTakingOf(findStream(stream, schema, source.stream), request, source.taking))
      else if (source.type === 'TABLE')
        fitting(() => refuseTakingOfTable(findTable(table, source), request, source.taking))
      else await sourcesBeside(held, source)
      if (algorithmOf(algorithm).learnsFrom === 'script') {
        const key = textOf(parameters, 'script')
        if ((await objects.stat(scriptBucket, key)) === undefined) {
          throw new TrainingFailure(trainingState.sourceAbsent, `there is no script ${key} in bucket ${scriptBucket}`)
        }
      }
      journal.log('verification done')
      return undefined
    },
  }

  /** The rows of a stream or a table, and their name for people. */
  async function openRows(
    { key, request, signal }: Pick<StepContext, 'key' | 'request' | 'signal'>,
    source: StreamOfTraining | TableOfTraining,
  ): Promise<TakenRows & { readonly what: string }> {
    const taken = { clickhouse, heard: () => signal.throwIfAborted() }
    if (source.type === 'TABLE') {
      const rows = await openTable(taken, findTable(table, source), source.taking)
      return { ...rows, what: `records of the table [ ${source.database}.${source.table} ]` }
    }
    const found = findStream(stream, request.schema, source.stream)
    const rows = await openStream(taken, found, request, source.taking, key.training)
    const kind = isOfEntities(found) ? 'rows of the entity stream' : 'events of the stream'
    return { ...rows, what: `${kind} [ ${request.schema}.${source.stream} ]` }
  }

  const gather: Step = {
    share: [0.01, 0.05],
    reaches: trainingState.fetched,
    failing: trainingState.objectStore,
    work: async ({ key, request, journal, signal }) => {
      const { source } = request
      const held = await heldOut(request)
      if (held !== undefined) await files.write(key, 'held', Buffer.from(JSON.stringify([held])))
      const tellHeld = (): void => {
        if (held !== undefined) journal.log(`retrieved the file held out [ ${held.key} ]`)
      }
      if (isGathered(source)) {
        const rows = await openRows({ key, request, signal }, source)
        await files.write(key, 'events', Readable.from(rows.lines))
        const [taken, all] = [rows.taken(), rows.all]
        journal.log(tellTaken(source, { what: rows.what, taken, all }))
        tellHeld()
        return { source_rows: all, taken_rows: taken }
      }
      const found = await sourcesBeside(held, source)
      await files.write(key, 'sources', Buffer.from(JSON.stringify(found)))
      const [first] = found
      journal.log(
        found.length === 1 && first
          ? `retrieved the training file [ ${first.key} ]`
          : `retrieved ${found.length} training files of bucket [ ${source.bucket} ]`,
      )
      tellHeld()
      return undefined
    },
  }

  async function heldSource({ key, request }: StepContext) {
    if (request.holdout?.file === undefined) return undefined
    const [object] = sourceList.parse(JSON.parse(Buffer.from(await files.read(key, 'held')).toString()))
    if (object === undefined) throw new TrainingFailure(trainingState.objectStore, 'the file held out is gone')
    return { name: object.key, bytes: object.size, open: (): Promise<Source> => openObject(objects, object) }
  }

  /** The files of the data, each opened when it is its turn. */
  async function sourcesOf({ key, request }: StepContext) {
    if (isGathered(request.source)) {
      const events = async (): Promise<Source> => {
        const found = await files.stream(key, 'events')
        if (found === undefined) throw new TrainingFailure(trainingState.objectStore, 'the gathered events are gone')
        return found
      }
      return { names: ['events'], open: [events], bytes: await files.size(key, 'events') }
    }
    const listed = JSON.parse(Buffer.from(await files.read(key, 'sources')).toString())
    const found: readonly SourceObject[] = sourceList.parse(listed)
    const open = found.map((object) => (): Promise<Source> => openObject(objects, object))
    const bytes = found.reduce((sum, { size }) => sum + size, 0)
    return { names: found.map((object) => object.key), open, bytes }
  }

  /**
   * Rows of an entity stream name their key, too, and events what models have answered: those knew the targets of these very
   * events, so that a model which learns from their answers seems far too good. Notes name the answers.
   */
  function withoutTold(request: TrainingRequest): { readonly request: TrainingRequest; readonly notes: string[] } {
    const { source, schema, model, namedByData, layout } = request
    if (source.type !== 'STREAM') return { request, notes: [] }
    const found = findStream(stream, schema, source.stream)
    const predicted = predictedIn(found)
    if (namedByData === undefined) {
      const learnt = predicted.filter(({ name }) => layout.columns.some((column) => isPartOf(column.name, name)))
      return { request, notes: learnt.map((each) => learntNote(each, model)) }
    }
    const left = predicted.filter(({ name }) => name !== namedByData.target)
    const names = left.map(({ name }) => name)
    return {
      request: { ...request, namedByData: { ...namedByData, without: keyOfRows(found), predicted: names } },
      notes: left.length === 0 ? [] : [leftNote(left)],
    }
  }

  /** The rows of the file held out, in the format that the script expects. */
  async function writeHeldData({ key, request, journal, signal }: StepContext, open: () => Promise<Source>) {
    const data = createScriptData(request)
    await files.write(key, 'heldData', Readable.from(data.pieces([open], signal))).catch((error: unknown) => {
      throw error instanceof Refusal
        ? new TrainingFailure(trainingState.badTestData, `the file held out: ${error.message}`)
        : error
    })
    journal.log(`${data.rows()} rows of the file held out are measured, and never learnt from`)
  }

  const reformat: Step = {
    share: [0.05, 0.1],
    reaches: trainingState.reformatted,
    failing: trainingState.parse,
    work: async (context) => {
      const { key, request, journal, signal } = context
      const { names, bytes, ...sources } = await sourcesOf(context)
      const held = await heldSource(context)
      const { open, fingerprint } = createFingerprint(names, sources.open)
      const factsOf = (rows: number) => {
        const found = fingerprint()
        return { rows, ...(found !== undefined && { fingerprint: found }) }
      }
      const told = withoutTold(request)
      if (algorithmOf(request.algorithm).learnsFrom === 'script') {
        const data = createScriptData(request)
        await files.write(key, 'data', Readable.from(data.pieces(open, signal))).catch((error: unknown) => {
          throw error instanceof Refusal ? new TrainingFailure(stateOfData(error), error.message) : error
        })
        await files.write(key, 'check', data.facts())
        const left = data.left()
        for (const line of [...(left === undefined ? [] : [left]), ...data.notes()]) journal.log(line)
        if (held !== undefined) await writeHeldData(context, held.open)
        journal.log(`file reformat done, ${data.rows()} rows`)
        for (const note of told.notes) journal.log(note)
        return { ...factsOf(data.rows()), ...(told.notes.length > 0 && { notes: firstOf(told.notes) }) }
      }
      const { max } = memory
      const readWithin = (given: number) =>
        memory.within(given, waitingFor(context), async () => {
          const task = {
            kind: 'read',
            request: told.request,
            files: held === undefined ? names : [...names, held.name],
            given: Math.min(given, max),
            max,
          } as const
          const answer = await threads.run(
            task,
            hearing(context, (state) => state),
            held === undefined ? open : [...open, held.open],
          )
          if ('read' in answer) await files.write(key, 'prepared', answer.read.prepared)
          return answer
        })
      const first = await readWithin(readingBytes(bytes + (held?.bytes ?? 0)))
      const answer = 'outOfRoom' in first ? await readWithin(max) : first
      if (!('read' in answer)) throw new Error('the thread has not read')
      await files.write(key, 'needs', Buffer.from(JSON.stringify(answer.read.needs)))
      journal.log(`file reformat done, ${answer.read.rows} rows`)
      for (const note of told.notes) journal.log(note)
      const notes = firstOf([...told.notes, ...answer.read.notes])
      return { ...factsOf(answer.read.rows), ...(notes.length > 0 && { notes }) }
    },
  }

  return { verify, gather, reformat }
}

type Open = () => Promise<Source>

/**
 * Hashes files as they are read. The fingerprint of one file is the SHA-256 of its bytes; of several, that of the lines
 * that `sha256sum` writes about them.
 */
function createFingerprint(names: readonly string[], open: readonly Open[]) {
  const digests: (string | undefined)[] = names.map(() => undefined)

  async function* hashed(source: Source, file: number): AsyncGenerator<Uint8Array> {
    const hash = createHash('sha256')
    for await (const chunk of source) {
      hash.update(chunk)
      yield chunk
    }
    digests[file] = hash.digest('hex')
  }

  return {
    open: open.map(
      (opened, file): Open =>
        async () =>
          hashed(await opened(), file),
    ),

    /** Undefined where a file was not read to its end. */
    fingerprint(): string | undefined {
      if (digests.some((digest) => digest === undefined)) return undefined
      const [first] = digests
      if (digests.length === 1) return `sha256:${first}`
      const lines = names.map((name, file) => `${digests[file]}  ${name}\n`)
      return `sha256:${createHash('sha256').update(lines.join('')).digest('hex')}`
    },
  }
}
