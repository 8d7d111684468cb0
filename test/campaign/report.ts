import { type Finding, type Ledger, total } from './ledger.ts'

const shown = 30

/** The last table of a campaign, and each finding. */
export function report(
  { counts, findings, reasons }: Ledger,
  { mode, seed, rounds }: { readonly mode: string; readonly seed: number; readonly rounds: number },
): string {
  const kills = [...counts.kills].map(([part, count]) => `${part} ${count}`).join(', ')
  const of = (kind: Finding['kind']): number => findings.filter((finding) => finding.kind === kind).length
  const columns = [counts.acknowledged, counts.refused, counts.unanswered, counts.unavailable]
  const kinds = [...new Set(columns.flatMap((counted) => [...counted.keys()]))].sort()
  const row = (name: string, count: (counted: ReadonlyMap<string, number>) => number): string =>
    `| ${name} | ${columns.map(count).join(' | ')} |`
  return [
    `mode ${mode}, seed ${seed}, ${rounds} rounds; kills: ${kills || 'none'}`,
    '',
    '| Requests | Acknowledged | Refused | Unanswered | 5xx |',
    '|:-|-:|-:|-:|-:|',
    ...kinds.map((kind) => row(kind, (counted) => counted.get(kind) ?? 0)),
    row('all', total),
    '',
    `${of('lost')} lost, ${of('doubled')} doubled, ${of('wrong')} otherwise wrong`,
    ...(findings.length === 0 ? [] : mostOften(reasons)),
    ...findings.slice(0, shown).map(({ kind, what }) => `${kind}: ${what}`),
    ...(findings.length > shown ? [`and ${findings.length - shown} more`] : []),
  ].join('\n')
}

/** The reasons that 5xx gave most often, for a campaign that found something. */
const mostOften = (reasons: ReadonlyMap<string, number>): string[] =>
  [...reasons]
    .sort(([, one], [, other]) => other - one)
    .slice(0, shown)
    .map(([reason, count]) => `${count} times 5xx for ${reason}`)
