/** Rows of analysts' SQL as they come, a line each: names, then types, then cells. */
import { parseJson } from '../../api/json.ts'
import type { ColumnKind, ResultColumn, Row } from '../../parts/result/rows.ts'

export const sqlFormat = 'JSONCompactEachRowWithNamesAndTypes'

/** Whether a statement names a format itself, which comes before that of the page. */
export const namesFormat = (text: string): boolean => /\bformat\s+\w+\s*(?:;\s*)?$/i.test(text)

export function columnsOf(names: unknown, types: unknown): ResultColumn[] {
  if (!Array.isArray(names) || !Array.isArray(types)) return []
  return names.map((name, index) => {
    const type = String(types[index])
    const kind = kindOf(type)
    const zone = kind === 'time' ? zoneOf(type) : undefined
    return { name: String(name), kind, ...(zone !== undefined && { zone }) }
  })
}

/** The zone in which ClickHouse writes times of a type: undefined for UTC, none for days. */
function zoneOf(type: string): string | undefined {
  if (!/\bDateTime/.test(type)) return ''
  const [, zone = 'UTC'] = /'([^']+)'/.exec(type) ?? []
  return /^(?:Etc\/)?(?:UTC|GMT|Universal|Zulu)$/.test(zone) ? undefined : zone
}

export function kindOf(type: string): ColumnKind {
  const [, inner = type] = /^(?:Nullable|LowCardinality)\((.*)\)$/.exec(type) ?? []
  if (inner !== type) return kindOf(inner)
  if (/^(?:U?Int|Float|Decimal|BFloat)/.test(type)) return 'number'
  return /^Date/.test(type) ? 'time' : 'text'
}

/** Takes the answer in pieces, cut anywhere; answers with the lines that are whole by then. */
export function createLines() {
  let rest = ''
  return {
    take(piece: string): Row[] {
      const lines = (rest + piece).split('\n')
      rest = lines.pop() ?? ''
      return lines.filter((line) => line !== '').map(rowOf)
    },
    end: (): Row[] => (rest.trim() === '' ? [] : [rowOf(rest)]),
  }
}

function rowOf(line: string): Row {
  const cells = parseJson(line)
  return Array.isArray(cells) ? cells : [cells]
}
