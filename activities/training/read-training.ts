import { resourceLimits } from 'node:worker_threads'
import { Refusal } from '../../base/refusal.ts'
import { hint } from '../../base/suggest.ts'
import { algorithmOf } from '../../learn/algorithms/index.ts'
import {
  kindOfRows,
  type LabelledTexts,
  readLabelledTexts,
  readTaggedTexts,
  type TextKind,
} from '../../learn/algorithms/text/index.ts'
import type { FitWatch, Room, Target } from '../../learn/dataset.ts'
import { labelNotes } from '../../learn/encoding/alike.ts'
import { appendSparse, readSparse, type SparseTable } from '../../learn/encoding/sparse.ts'
import { createTableBuilder, type Kinds, type Table } from '../../learn/encoding/table.ts'
import { discoverNames } from '../../learn/formats/discover.ts'
import { createNameFinder } from '../../learn/formats/header.ts'
import { formats } from '../../learn/formats/index.ts'
import { isBroken, type ReadRow, type Row } from '../../learn/formats/row.ts'
import { createHolder, type Holder } from '../../learn/holdout/holder.ts'
import { readMarkedRows } from '../../learn/holdout/marked-rows.ts'
import type { HoldoutRule } from '../../learn/holdout/rule.ts'
import { createLayout, type Layout } from '../../learn/layout.ts'
import { isPartOf } from '../../sql/schema/answers.ts'
import type { Holdout, TrainingRequest } from './decode/request.ts'
import { learntRows, learntTarget } from './fit/hold-out.ts'
import type { Prepared, Split } from './fit/prepared.ts'
import { isLearnt, type NamedSource, named } from './named-source.ts'
import { readSeries } from './read-series.ts'
import { finishHolder, HoldoutRefusal, TargetRefusal, TooLarge, UnfitFormat } from './refusals.ts'

/** The first rows are kept as they are, to check the model with; as many as hold `sampleCells` cells. */
const sampleRows = 32
const sampleCells = 100_000

/** Texts are in JavaScript's heap, which ends the process where it is filled. */
const heapBytes = (resourceLimits.maxOldGenerationSizeMb ?? 2048) * 2 ** 20
const shareOfTexts = 1 / 4

/** Hears what may be meant otherwise than it is read, beside the log. */
type DoubtingWatch = FitWatch & { readonly doubt: (sentence: string) => void }

/**
 * Reads and checks all training data; throws a `Refusal` that names file, line and column. `doubt` hears what may be meant
 * otherwise than it is read, where the answer is no table, which has its own notes.
 */
export async function readTraining(
  request: TrainingRequest,
  sources: readonly NamedSource[],
  watch: FitWatch,
  room: Room = () => {},
  doubt: (sentence: string) => void = () => {},
): Promise<Prepared> {
  const algorithm = algorithmOf(request.algorithm)
  if (algorithm.learnsFrom === 'texts') return readTexts(request, sources, algorithm.kind, { ...watch, doubt }, room)
  const { series } = request
  if (series !== undefined) return readSeries({ ...request, series }, sources, watch, room)
  if (request.isSparse) return readSparseRows(request, sources, { ...watch, doubt }, room)
  const { layout, holdout } = await layoutOfData(request, sources, watch)
  const notes = new Set<string>()
  const heard = { ...watch, log: (line: string) => void notes.add(line) }
  const asked = { ...request, layout, ...(holdout && { holdout }) }
  const first = await readTable(asked, sources, heard, room)
  const read = 'again' in first ? await readTable(asked, sources, heard, room, first.again) : first
  if ('again' in read) throw new Error('the kinds of the columns are not those that an earlier reading found')
  for (const note of notes) watch.log(note)
  return read
}

/** The attributes of the data, which name them themselves where the request does not. */
async function layoutOfData(
  { layout, namedByData, input, holdout }: TrainingRequest,
  sources: readonly NamedSource[],
  watch: FitWatch,
): Promise<Pick<TrainingRequest, 'layout' | 'holdout'>> {
  const [source] = sources
  if (namedByData === undefined || source === undefined) return { layout, ...(holdout && { holdout }) }
  const found = await discoverNames(source.open(), input, layout.separator)
  const { target, kind, without = [], predicted = [] } = namedByData
  const wanted = target === undefined ? undefined : found[createNameFinder(found)(target)]
  if (target !== undefined && wanted === undefined)
    throw new Refusal(`the data have no attribute '${target}'${hint(target, found)}`)
  const isAnswer = (name: string): boolean => predicted.some((each) => isPartOf(name, each))
  const names = found.filter((name) => name === wanted || !(without.includes(name) || isAnswer(name)))
  const left = found.some((name) => without.includes(name)) ? `, without the key ${without.join(', ')}` : ''
  watch.log(
    `the data name ${names.length} attributes${left}: ${names.slice(0, 20).join(', ')}${names.length > 20 ? ', ...' : ''}`,
  )
  const own = createLayout({
    attributes: names.map((name, position) => ({ name, position })),
    attributeKind: kind,
    targetIndex: wanted === undefined ? undefined : names.indexOf(wanted),
    separator: layout.separator,
    missing: layout.missing,
  })
  return { layout: own, ...(holdout && { holdout: namedHoldout(holdout, found, own) }) }
}

/** The rule with the attribute as the data spell it, read aside where it is none to learn from. */
function namedHoldout(holdout: Holdout, found: readonly string[], { columns }: Layout): Holdout {
  const { rule } = holdout
  if (rule.by !== 'time' && rule.by !== 'group') return holdout
  const place = createNameFinder(found)(rule.attribute)
  const attribute = found[place]
  if (attribute === undefined) {
    throw new HoldoutRefusal(
      `holdout.${rule.by} is '${rule.attribute}', which the data do not have${hint(rule.attribute, found)}`,
    )
  }
  const isLearnt = columns.some(({ name }) => name === attribute)
  return { rule: { ...rule, attribute, ...(!isLearnt && { column: { name: attribute, position: place } }) } }
}

/** The rows held out by the rule, and their sentences for the log; undefined where a fifth is, as usual. */
function splitOf(
  rule: HoldoutRule | undefined,
  holder: Pick<Holder, 'finish'> | undefined,
  target: Target,
  { log }: FitWatch,
): { readonly split?: Split } {
  if (rule === undefined || holder === undefined) return {}
  const { rows, notes, together } = finishHolder(holder, target)
  for (const note of notes) log(note)
  if ((rule.by === 'group' || rule.by === 'time') && rule.column === undefined) {
    const unlike =
      rule.by === 'group'
        ? 'whose values held out it has never seen'
        : 'and the times held out are later than all that it learns from'
    log(`the model learns from '${rule.attribute}' as well, ${unlike}; "learn": 0 in attr_list leaves it out`)
  }
  return { split: { held: rows, isFile: rule.by === 'file', ...(together && { together }) } }
}

type ReadTable = {
  readonly kind: 'table'
  readonly table: Table
  readonly sample: readonly Row[]
  readonly split?: Split
}

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
  const rule = request.holdout?.rule
  const holder = rule && createHolder(rule, layout.missing)
  const max = Math.max(1, Math.min(sampleRows, Math.floor(sampleCells / layout.columns.length)))
  const builder = createTableBuilder(layout, { ...reading, task, kinds, holder, sample: max })
  const header = request.namedByData === undefined ? reading.header : 'present'
  const doubts = new Set<string>()
  const options = {
    purpose: 'training',
    target: layout.target !== undefined,
    header,
    note: watch.log,
    doubt: (sentence: string) => void doubts.add(sentence),
  } as const
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
  for (const { name, open, isHeld } of sources) {
    await named(name, sources.length, async () => {
      for await (const rows of readMarkedRows(open(), input, layout, options, rule, isHeld)) {
        if (isChecked) rows.forEach(fits)
        builder.add(rows, sources.length > 1 ? name : '')
        room(builder.bytes())
      }
    })
  }
  const found = builder.finish()
  if ('again' in found) return found
  const table = { ...found, notes: [...doubts, ...found.notes] }
  if (table.rows === 0) throw new Refusal(noRow(table.dropped, layout.target?.name))
  if (table.columns.every(({ missing }) => missing === table.rows)) throw new Refusal(noValue(layout))
  refuseOneClass(table.target)
  const read = {
    kind: 'table' as const,
    table,
    sample: builder.sample(),
    ...splitOf(rule, holder, table.target, watch),
  }
  const learnt = learntRows(read)
  if (learnt !== undefined) refuseOneClass(learntTarget(table.target, learnt))
  return read
}

const noRow = (dropped: number, target: string | undefined): string =>
  dropped === 0
    ? 'the training data hold no row'
    : `the training data hold no row with a value of ${target ?? 'the target'}: ${dropped} without one`

function noValue({ columns }: Layout): string {
  const names = columns.slice(0, 20).map(({ name }) => name)
  return `no row has a value of any attribute: ${names.join(', ')}${columns.length > 20 ? ', ...' : ''}`
}

async function readSparseRows(
  { layout, parameters, algorithm, reading, holdout }: TrainingRequest,
  sources: readonly NamedSource[],
  watch: DoubtingWatch,
  room: Room,
) {
  const { log, doubt } = watch
  const known = algorithmOf(algorithm)
  const own = known.learnsFrom === 'rows' ? known.task(parameters) : undefined
  const training = await readSparse(joined(sources.filter(isLearnt)), own ?? reading.task, room)
  const tell = (notes: readonly string[] = []): void => {
    for (const note of notes) {
      log(note)
      doubt(note)
    }
  }
  tell(training.notes)
  if (training.features.rows === 0) throw new Refusal('the training data hold no row')
  if (training.features.columns === 0) throw new Refusal('no row has a feature')
  refuseOneClass(training.target)
  const other = sources.find(({ isHeld }) => isHeld)
  const added = other && appendSparse(training, await readHeld(other, training.target.kind, room))
  tell(added?.notes)
  const { features, target } = added ?? training
  const holder = holdout && createHolder(holdout.rule)
  for (let row = 0; row < features.rows; row += 1) holder?.add(row < training.features.rows ? undefined : 'held')
  const columns = Array.from({ length: features.columns }, (_, i) => ({
    name: `f${i + 1}`,
    position: i + 1,
    kind: 'number' as const,
  }))
  const split = splitOf(holdout?.rule, holder, target, watch)
  return { kind: 'sparse' as const, features, target, layout: { ...layout, columns }, ...split }
}

const readHeld = async ({ name, open }: NamedSource, task: Target['kind'], room: Room): Promise<SparseTable> => {
  try {
    return await readSparse(open(), task, room)
  } catch (error) {
    throw error instanceof Refusal ? new Refusal(`${name}: ${error.message}`) : error
  }
}

async function readTexts(
  { layout, input, reading, holdout }: TrainingRequest,
  sources: readonly NamedSource[],
  asked: TextKind | undefined,
  watch: DoubtingWatch,
  room: Room,
): Promise<Prepared> {
  const all = joined(sources.filter(isLearnt))
  const other = sources.find(({ isHeld }) => isHeld)
  const rule = holdout?.rule
  const holder = rule && createHolder(rule, layout.missing)
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
    const attribute = rule !== undefined && 'attribute' in rule ? rule.attribute : ''
    const holding = holder && { attribute, holder }
    const own = await readTaggedTexts(source, watch.log, roomForTexts, { ...reading, holding })
    const marked = holding && { ...holding, holder: markedHeld(holding.holder) }
    const held = other
      ? await readTaggedTexts(other.open(), watch.log, roomForTexts, { ...reading, holding: marked })
      : []
    const texts = [...own, ...held]
    const split = splitOf(rule, holder, { kind: 'none' }, watch)
    return { kind, texts, layout: { columns, separator: layout.separator }, ...split }
  }
  const told = (sentence: string): void => {
    watch.log(sentence)
    watch.doubt(sentence)
  }
  const how = { ...reading, format: input, layout, rule, doubt: told }
  const own = await readLabelledTexts(source, { ...how, holder }, watch.log, roomForTexts)
  refuseOneClass(own.target)
  for (const note of labelNotes(own.target.labels)) told(`target '${layout.target?.name ?? 'target'}': ${note}`)
  const marked = holder && markedHeld(holder)
  const { texts, target } =
    other === undefined
      ? own
      : joinTexts(own, await readLabelledTexts(other.open(), { ...how, holder: marked }, watch.log, roomForTexts))
  return { kind, texts, target, layout, ...splitOf(rule, holder, target, watch) }
}

/** A holder of rows that are all of the file held out. */
const markedHeld = ({ wrong, add }: Holder): Pick<Holder, 'wrong' | 'add'> => ({ wrong, add: () => add('held') })

function joinTexts(own: LabelledTexts, held: LabelledTexts): LabelledTexts {
  const labels = [...new Set([...own.target.labels, ...held.target.labels])]
  const places = held.target.labels.map((label) => labels.indexOf(label))
  const classes = Int32Array.from([...own.target.classes, ...held.target.classes.map((index) => places[index] ?? 0)])
  return { texts: [...own.texts, ...held.texts], target: { kind: 'classes', labels, classes } }
}

function refuseOneClass(target: Target): void {
  if (target.kind !== 'classes' || target.labels.length > 1) return
  throw new TargetRefusal(`the target has one class alone, '${target.labels[0]}'; a classifier needs two`)
}

const newline = Uint8Array.of(10)

/** All files one behind the other, a line's end between. */
async function* joined(sources: readonly NamedSource[]): AsyncGenerator<Uint8Array> {
  for (const [i, { open }] of sources.entries()) {
    if (i > 0) yield newline
    yield* open()
  }
}
