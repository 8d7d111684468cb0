import { quoted } from '../../../base/quoted.ts'
import type { Draft } from '../decode/draft.ts'
import { makesRows, ruleMembers, type SentRule } from '../decode/rules.ts'

/** The type that the other side of a pair has. */
const otherType = new Map([
  [1, 1],
  [2, 4],
  [4, 2],
  [3, 5],
  [5, 3],
  [6, 6],
])

const isSame = (left: readonly string[], right: readonly string[]): boolean =>
  new Set([...left, ...right]).size === left.length && left.length === right.length

const listed = (names: readonly string[]): string => `[${names.map((name) => quoted(name)).join(', ')}]`
const shownTarget = (target: string | undefined): string => (target === undefined ? 'none' : quoted(target))

/** Where a side has to say what the other says the other way round, and does not: each by its member. */
function* differences(rule: SentRule, other: SentRule): Generator<readonly [member: string, problem: string]> {
  const at = other.object.path
  if (rule.type !== undefined && other.type !== undefined && otherType.get(rule.type) !== other.type)
    yield ['type', `is ${rule.type}, and that of ${at} is ${other.type}; 1 goes with 1, 2 with 4, 3 with 5, 6 with 6`]
  if (rule.target !== other.target)
    yield [
      'ostm',
      `is ${shownTarget(rule.target)}, and that of ${at} is ${shownTarget(other.target)}; both have the same`,
    ]
  if (!isSame(rule.inputs, other.results))
    yield ['iatr', `is ${listed(rule.inputs)}, and the ratr of ${at} is ${listed(other.results)}; both name the same`]
  if (!isSame(rule.results, other.inputs))
    yield ['ratr', `is ${listed(rule.results)}, and the iatr of ${at} is ${listed(other.inputs)}; both name the same`]
  if (rule.distance_us !== undefined && other.distance_us !== undefined && rule.distance_us !== other.distance_us)
    yield [
      'tloc',
      `is ${rule.distance_us / 1e6} s, and that of ${at} is ${other.distance_us / 1e6} s; both have the same`,
    ]
}

/** Members that say something of rows: on the side whose events make none they do nothing. */
const ofRows = ['cond', 'catr', 'notf']

/** A passive side may repeat what the active one has; what it alone has is lost, and told. */
function tellLost(passive: SentRule, active: SentRule): void {
  if (makesRows(passive)) return
  const { name } = passive.draft
  for (const member of ofRows) {
    if (passive.object.has(member) && !active.object.has(member))
      passive.object.note(
        member,
        `does nothing: events of ${name} make no rows here; it belongs into ${active.object.path}`,
      )
  }
}

/** A pattern of type 1 may be declared by one of its streams alone. */
const needsMirror = ({ kind, mode }: SentRule): boolean =>
  kind === 'join' ? mode !== undefined : mode === 'latest' || mode === 'matching'

function checkMirror(rule: SentRule, ofPartner: readonly SentRule[], checked: Set<SentRule>): void {
  const { object, kind, name, draft, partner } = rule
  const other = ofPartner.find((each) => each.kind === kind && each.name === name)
  if (other === undefined || other.partner === undefined) {
    if (other === undefined && needsMirror(rule)) {
      const wanted = `${ruleMembers[kind]} ${quoted(name ?? '')} is not in ${partner?.name}`
      object.fail('rstm', `${wanted}, which has to declare it as well, with rstm ${quoted(draft.name)}`)
    }
    return
  }
  if (other.partner !== draft) {
    object.fail(
      'rstm',
      `${quoted(name ?? '')} of ${partner?.name} is with ${quoted(other.partner.name)}, not with ${quoted(draft.name)}`,
    )
    return
  }
  // One side reports the differences of both.
  if (checked.has(other)) return
  checked.add(rule)
  for (const [member, problem] of differences(rule, other)) object.fail(member, problem)
  tellLost(rule, other)
  tellLost(other, rule)
}

/** Joins, and patterns over two streams, are declared in both, by one name and with all the other way round. */
export function checkMirrors(sent: readonly SentRule[]): void {
  const byStream = new Map<Draft, SentRule[]>()
  for (const rule of sent) {
    const there = byStream.get(rule.draft)
    if (there) there.push(rule)
    else byStream.set(rule.draft, [rule])
  }
  const checked = new Set<SentRule>()
  for (const rule of sent) {
    if (rule.name === undefined || rule.partner === undefined || rule.mode === 'run') continue
    checkMirror(rule, byStream.get(rule.partner) ?? [], checked)
  }
}
