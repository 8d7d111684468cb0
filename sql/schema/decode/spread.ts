import { quoted } from '../../../base/quoted.ts'
import { type Links, orderFlow } from '../check/flow-order.ts'
import type { Draft, Drafts } from './draft.ts'
import type { ReadEntity } from './entities.ts'
import { type Figures, figuresOf } from './figures.ts'
import { copyAttributes, type SentFilter } from './filter.ts'
import type { ReadGroupBy } from './group-bys.ts'
import { bringAttributes, bringRest, type SentReference } from './references.ts'
import { addRow, addRowOfAbsent, makesRows, type SentRule } from './rules.ts'
import { addSessionRow, type SentSession } from './session.ts'

/** Entries of a stream that name others, before the attributes are known that these read. */
export type Sent = {
  readonly filters: readonly SentFilter[]
  readonly rules: readonly SentRule[]
  readonly references: readonly SentReference[]
  readonly groupBys: readonly ReadGroupBy[]
  readonly entities: readonly ReadEntity[]
}
export type SentByStream = ReadonlyMap<Draft, Sent>

/** The sessions of a stream's events. */
const sessionsOf = ({ groupBys, entities }: Sent): readonly SentSession[] =>
  [...groupBys, ...entities].flatMap(({ session }) => session ?? [])

type Flow = { readonly from: string; readonly to: string; fail(problem: string): void }

/** Where the events of a stream go: by filters, joins, patterns and sessions. */
function flowsOf(sent: SentByStream): readonly Flow[] {
  return [...sent.values()].flatMap((said): readonly Flow[] => {
    const { filters, rules } = said
    const byFilter = filters.flatMap(({ object, draft, to }) => (to ? [{ object, from: [draft], to }] : []))
    const byRule = rules.flatMap(({ object, draft, partner, to }) =>
      to ? [{ object, from: partner && partner !== draft ? [draft, partner] : [draft], to }] : [],
    )
    const byAbsence = rules.flatMap(({ draft, partner, absent }) =>
      absent?.to
        ? [
            {
              object: absent.object,
              from: partner && partner !== draft ? [draft, partner] : [draft],
              to: absent.to,
            },
          ]
        : [],
    )
    const bySession = sessionsOf(said).flatMap(({ object, draft, to }) => (to ? [{ object, from: [draft], to }] : []))
    return [...byFilter, ...byRule, ...byAbsence, ...bySession].flatMap(({ object, from, to }) =>
      from.map(({ name }): Flow => ({ from: name, to: to.name, fail: (problem) => object.fail('ostm', problem) })),
    )
  })
}

function linksOf(drafts: Drafts, flows: readonly Pick<Flow, 'from' | 'to'>[]): Links {
  const links = new Map<string, string[]>([...drafts.keys()].map((name) => [name, []]))
  for (const { from, to } of flows) links.get(from)?.push(to)
  return links
}

function refuseCycles(flows: readonly Flow[], cycles: readonly (readonly string[])[]): void {
  for (const cycle of cycles) {
    const closing = flows.find(({ from, to }) => from === cycle.at(-1) && to === cycle[0])
    closing?.fail(`cycle ${[...cycle, cycle[0]].join(' > ')}`)
  }
}

/** References take the types of their attributes over, too, and may go round: a stream may read what it feeds. */
function readingsOf(sent: SentByStream): readonly Pick<Flow, 'from' | 'to'>[] {
  const feeders = new Map<string, string[]>()
  for (const [{ name }, { entities }] of sent) {
    for (const { target = '' } of entities) {
      const there = feeders.get(target)
      if (there) there.push(name)
      else feeders.set(target, [name])
    }
  }
  return [...sent].flatMap(([{ name: to }, { references }]) =>
    references.flatMap(({ source }) => {
      if (source === undefined || source.kind === 'table') return []
      const names = source.kind === 'entity' ? (feeders.get(source.draft.name) ?? []) : [source.draft.name]
      return names.filter((from) => from !== to).map((from) => ({ from, to }))
    }),
  )
}

/** Each stream after those that feed it and, as far as that is no round, after those that its references read. */
function orderAll(
  drafts: Drafts,
  flows: readonly Flow[],
  flowOrder: readonly string[],
  sent: SentByStream,
): readonly string[] {
  const readings = readingsOf(sent)
  if (readings.length === 0) return flowOrder
  const { ready } = orderFlow(linksOf(drafts, [...flows, ...readings]))
  const first = new Set(ready)
  return [...ready, ...flowOrder.filter((name) => !first.has(name))]
}

/**
 * References that read each other's results get their types in at most this many rounds; an attribute without one then has no
 * type.
 */
const maxRounds = 20

/**
 * Whether a reference brings an attribute whose type comes from references that go round. One that ends at an attribute that
 * is not there is another fault, which is reported there.
 */
function goesRound(sent: SentByStream, draft: Draft, name: string): boolean {
  const seen = new Map<Draft, Set<string>>()
  let [at, wanted] = [draft, name]
  while (!at.attributes.has(wanted)) {
    const before = seen.get(at) ?? new Set<string>()
    if (before.has(wanted)) return true
    seen.set(at, before.add(wanted))
    const bringing = sent.get(at)?.references.find(({ results }) => results.includes(wanted))
    const path = bringing?.sources[bringing.results.indexOf(wanted)]
    if (bringing?.source?.kind !== 'stream' || path === undefined) return false
    at = bringing.source.draft
    wanted = path
  }
  return true
}

function refuseRounds(sent: SentByStream): void {
  for (const [draft, { references }] of sent) {
    for (const { object, results } of references) {
      for (const [index, name] of results.entries()) {
        if (!draft.attributes.has(name) && draft.referred.has(name) && goesRound(sent, draft, name))
          object.fail(
            `iatr[${index}]`,
            `${quoted(name)} has no type: references bring it from each other; declare it in attr`,
          )
      }
    }
  }
}

/**
 * Gives every stream its attributes: those of the events that are copied to it, of the rows that are made for it, and those
 * that references bring. A cycle is a problem.
 */
export function spreadAttributes(drafts: Drafts, sent: SentByStream): Figures {
  const figures = figuresOf([...sent].map(([draft, { entities }]) => [draft, entities] as const))
  const flows = flowsOf(sent)
  const { order: flowOrder, cycles } = orderFlow(linksOf(drafts, flows))
  refuseCycles(flows, cycles)
  const named = orderAll(drafts, flows, flowOrder, sent).flatMap((name) => drafts.get(name) ?? [])
  // A stream whose name has a fault feeds none, and its other faults show all the same.
  const order = [...new Set([...named, ...sent.keys()])].flatMap((draft) => {
    const said = sent.get(draft)
    return said ? [{ draft, ...said }] : []
  })
  const rows = new Map<Draft, SentRule[]>()
  const absences = new Map<Draft, SentRule[]>()
  const add = (to: Map<Draft, SentRule[]>, target: Draft | undefined, rule: SentRule): void => {
    const there = target && to.get(target)
    if (there) there.push(rule)
    else if (target) to.set(target, [rule])
  }
  for (const rule of order.flatMap(({ rules }) => rules)) {
    if (makesRows(rule)) add(rows, rule.to, rule)
    add(absences, rule.absent?.to, rule)
  }
  const sessions = order.flatMap(sessionsOf)

  let [before, known] = [-1, 0]
  for (let round = 0, isWaiting = true; isWaiting && before < known && round < maxRounds; round++) {
    isWaiting = false
    before = known
    for (const { draft, references, filters } of order) {
      for (const rule of rows.get(draft) ?? []) addRow(rule)
      for (const rule of absences.get(draft) ?? []) addRowOfAbsent(rule)
      for (const session of sessions) if (session.to === draft) addSessionRow(session)
      for (const each of references) if (bringAttributes(each, draft, figures)) isWaiting = true
      for (const filter of filters) copyAttributes(filter)
    }
    known = order.reduce((sum, { draft }) => sum + draft.attributes.size, 0)
  }
  refuseRounds(sent)
  for (const { draft, references } of order) for (const each of references) bringRest(each, draft)
  return figures
}
