import { resourceLimits } from 'node:worker_threads'
import { Refusal } from '../../../base/refusal.ts'
import { hint } from '../../../base/suggest.ts'
import { algorithmOf } from '../../../learn/algorithms/index.ts'
import { kindOfRows, readLabelledTexts, readTaggedTexts, type TextKind } from '../../../learn/algorithms/text/index.ts'
import type { FitWatch, Room, Target } from '../../../learn/dataset.ts'
import { readSparse } from '../../../learn/encoding/sparse.ts'
import { createTableBuilder, type Kinds, type Table } from '../../../learn/encoding/table.ts'
import { discoverNames } from '../../../learn/formats/discover.ts'
import { createNameFinder } from '../../../learn/formats/header.ts'
import { formats } from '../../../learn/formats/index.ts'
import { readRows, type Source } from '../../../learn/formats/read-rows.ts'
import { isBroken, type ReadRow, type Row } from '../../../learn/formats/row.ts'
import { createLayout, type Layout } from '../../../learn/layout.ts'
import type { TrainingRequest } from './decode/request.ts'
import type { Prepared } from './fit/prepared.ts'
import { TargetRefusal, TooLarge, UnfitFormat } from './refusals.ts'

/** A file of the training data. */
export type NamedSource = { readonly name: string; readonly open: () => Source }

/** The first rows are kept as they are, to check the model with; as many as hold `sampleCells` cells. */
const sampleRows = 32
const sampleCells = 100_000

/** Texts are in JavaScript's heap, which ends the process where it is filled. */
const heapBytes = (resourceLimits.maxOldGenerationSizeMb ?? 2048) * 2 ** 20
const shareOfTexts = 1 / 4

/** Reads and checks all training data; throws a `Refusal` that names file, line and column. */
export async function readTraining(
  request: TrainingRequest,
  sources: readonly NamedSource[],
  watch: FitWatch,
  room: Room = () => {},
): Promise<Prepared> {
  const algorithm = algorithmOf(request.algorithm)
  if (algorithm.learnsFrom === 'texts') return readTexts(request, sources, algorithm.kind, watch, room)
  if (request.isSparse) return readSparseRows(request, sources, watch, room)
  const layout = await layoutOfData(request, sources, watch)
  const notes = new Set<string>()
  const heard = { ...watch, log: (line: string) => void notes.add(line) }
  const first = await readTable({ ...request, layout }, sources, heard, room)
  const read = 'again' in first ? await readTable({ ...request, layout }, sources, heard, room, first.again) : first
  if ('again' in read) throw new Error('the kinds of the columns are not those that an earlier reading found')
  for (const note of notes) watch.log(note)
  return read
}

/** The attributes of the data, which name them themselves where the request does not. */
async function layoutOfData(
  { layout, namedByData, input, reading }: TrainingRequest,
  sources: readonly NamedSource[],
  watch: FitWatch,
): Promise<Layout> {
  const [source] = sources
  if (namedByData === undefined || source === undefined) return layout
  if (reading.header === 'absent' && input === 'CSV') {
    throw new Refusal('attr_list is absent and header is 0: nothing names the attributes')
  }
  const found = await discoverNames(source.open(), input, layout.separator)
  const { target, kind, without = [] } = namedByData
  const wanted = target === undefined ? undefined : found[createNameFinder(found)(target)]
  if (target !== undefined && wanted === undefined)
    throw new Refusal(`the data have no attribute '${target}'${hint(target, found)}`)
  const names = found.filter((name) => name === wanted || !without.includes(name))
  const left = found.length === names.length ? '' : `, without the key ${without.join(', ')}`
  watch.log(
    `the data name ${names.length} attributes${left}: ${names.slice(0, 20).join(', ')}${names.length > 20 ? ', ...' : ''}`,
  )
  return createLayout({
    attributes: names.map((name, position) => ({ name, position })),
    attributeKind: kind,
    targetIndex: wanted === undefined ? undefined : names.indexOf(wanted),
    separator: layout.separator,
    missing: layout.missing,
  })
}

type ReadTable = { readonly kind: 'table'; readonly table: Table; readonly sample: readonly Row[] }

async function readTable(
  request: TrainingRequest,
  sources: readonly NamedSource[],
  watch: FitWatch,
  room: Room,
  kinds?: Kinds,
): Promise<ReadTable | { readonly again: Kinds }> {
  const { layout, input, expected, parameters, reading } = request
  const algorithm = algorithmOf(request.algorithm)
  const own = algorithm.learnsFrom === 'rows' ? algorithm.task(parameters) : undefined
  const task = own ?? reading.task
  const most = Math.max(1, Math.min(sampleRows, Math.floor(sampleCells / layout.columns.length)))
  const builder = createTableBuilder(layout, { ...reading, task, kinds, sample: most })
  const header = request.namedByData === undefined ? reading.header : 'present'
  const options = { purpose: 'training', target: layout.target !== undefined, header, note: watch.log } as const
  const { write } = formats[expected]
  // A fit takes a word as numbers, as LIBSVM's lines hold them; a script is handed the lines themselves.
  const isChecked = expected !== input && expected !== 'SVM'
  const fits = (row: ReadRow): void => {
    if (isBroken(row)) return
    try {
      write(row, layout)
    } catch (error) {
      throw error instanceof Refusal ? new UnfitFormat(error.message) : error
    }
  }
  for (const { name, open } of sources) {
    await named(name, sources.length, async () => {
      for await (const rows of readRows(open(), input, layout, options)) {
        if (isChecked) rows.forEach(fits)
        builder.add(rows, sources.length > 1 ? name : '')
        room(builder.bytes())
      }
    })
  }
  const table = builder.finish()
  if ('again' in table) return table
  if (table.rows === 0) throw new Refusal(noRow(table.dropped, layout.target?.name))
  refuseOneClass(table.target)
  return { kind: 'table', table, sample: builder.sample() }
}

const noRow = (dropped: number, target: string | undefined): string =>
  dropped === 0
    ? 'the training data hold no row'
    : `the training data hold no row with a value of ${target ?? 'the target'}: ${dropped} without one`

async function readSparseRows(
  { layout, parameters, algorithm, reading }: TrainingRequest,
  sources: readonly NamedSource[],
  watch: FitWatch,
  room: Room,
) {
  const known = algorithmOf(algorithm)
  const own = known.learnsFrom === 'rows' ? known.task(parameters) : undefined
  const { features, target, notes = [] } = await readSparse(joined(sources), own ?? reading.task, room)
  for (const note of notes) watch.log(note)
  if (features.rows === 0) throw new Refusal('the training data hold no row')
  if (features.columns === 0) throw new Refusal('no row has a feature')
  refuseOneClass(target)
  const columns = Array.from({ length: features.columns }, (_, i) => ({
    name: `f${i + 1}`,
    position: i + 1,
    kind: 'number' as const,
  }))
  return { kind: 'sparse' as const, features, target, layout: { ...layout, columns } }
}

async function readTexts(
  { layout, input, reading }: TrainingRequest,
  sources: readonly NamedSource[],
  asked: TextKind | undefined,
  watch: FitWatch,
  room: Room,
): Promise<Prepared> {
  const all = joined(sources)
  const roomForTexts = (bytes: number): void => {
    if (bytes > heapBytes * shareOfTexts)
      throw new TooLarge(
        `the texts take more than ${Math.floor((heapBytes * shareOfTexts) / 2 ** 20)} MB; a training takes fewer or shorter ones`,
      )
    room(bytes)
  }
  const found = asked === undefined && input === 'JSON' ? await kindOfRows(all) : undefined
  const kind = asked ?? found?.kind ?? 'classes'
  const source = found?.source ?? all
  if (kind === 'entities') {
    const columns = [{ name: 'text', position: 0, kind: 'word' as const }]
    return {
      kind,
      texts: await readTaggedTexts(source, watch.log, roomForTexts, reading),
      layout: { columns, separator: layout.separator },
    }
  }
  const { texts, target } = await readLabelledTexts(
    source,
    { ...reading, format: input, layout },
    watch.log,
    roomForTexts,
  )
  refuseOneClass(target)
  return { kind, texts, target, layout }
}

function refuseOneClass(target: Target): void {
  if (target.kind !== 'classes' || target.labels.length > 1) return
  throw new TargetRefusal(`the target has one class alone, '${target.labels[0]}'; a classifier needs two`)
}

/** A fault names its file where there are several. */
async function named(name: string, count: number, read: () => Promise<void>): Promise<void> {
  try {
    await read()
  } catch (error) {
    if (count === 1 || !(error instanceof Refusal) || error instanceof UnfitFormat) throw error
    throw new Refusal(`${name}: ${error.message}`)
  }
}

const newline = Uint8Array.of(10)

/** All files one behind the other, a line's end between. */
async function* joined(sources: readonly NamedSource[]): AsyncGenerator<Uint8Array> {
  for (const [i, { open }] of sources.entries()) {
    if (i > 0) yield newline
    yield* open()
  }
}
