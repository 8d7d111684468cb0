/** Rows of any answer as cells in columns. A column is there once a row has it; what a row lacks is undefined. */

export type Cell = unknown
export type Row = readonly Cell[]
export type ColumnKind = 'time' | 'number' | 'text'
export type ResultColumn = {
  readonly name: string
  readonly kind: ColumnKind
  /** Of times: the zone in which they are written, where it is not UTC; '' for days, which are the same in all zones. */
  readonly zone?: string
}
export type Rows = { readonly columns: readonly ResultColumn[]; readonly rows: readonly Row[] }

export const noRows: Rows = { columns: [], rows: [] }

const timeNames = /^(?:_pk|ts|evpk|fromts|tots|_at)$/
/** Microseconds of the years 1973 to 3138. */
const isMicroseconds = (value: unknown): boolean =>
  (typeof value === 'number' || typeof value === 'bigint') && value >= 1e14 && value < 3.7e16

/** Gathers rows that come in pages; `rows` and `columns` are new ones each time. */
export function createRowTable(known: readonly ResultColumn[] = []) {
  const places = new Map(known.map(({ name }, index) => [name, index]))
  const kinds: (ColumnKind | undefined)[] = known.map(({ kind }) => kind)
  const fixed = known.length > 0
  let rows: Row[] = []

  function placeOf(name: string): number {
    const found = places.get(name)
    if (found !== undefined) return found
    const place = places.size
    places.set(name, place)
    return place
  }

  function note(place: number, name: string, value: unknown): void {
    if (fixed || value === undefined || value === null || kinds[place] === 'text') return
    const kind = kindOf(name, value)
    kinds[place] = kinds[place] === undefined || kinds[place] === kind ? kind : kind === 'text' ? 'text' : 'number'
  }

  return {
    /** Rows as objects, each with its own members. */
    add(objects: Iterable<Readonly<Record<string, unknown>>>): void {
      const added: Row[] = []
      for (const object of objects) {
        const row: unknown[] = []
        for (const [name, value] of Object.entries(object)) {
          const place = placeOf(name)
          row[place] = value
          note(place, name, value)
        }
        added.push(row)
      }
      rows = rows.concat(added)
    },
    /** Rows of cells in the order of the columns that are known. */
    addCells(cells: readonly Row[]): void {
      rows = rows.concat(cells)
    },
    size: (): number => rows.length,
    now: (): Rows => ({
      columns: [...places.keys()].map((name, place) => ({ name, kind: kinds[place] ?? 'text' })),
      rows,
    }),
  }
}

function kindOf(name: string, value: unknown): ColumnKind {
  if (timeNames.test(name) && isMicroseconds(value)) return 'time'
  // A time that no calendar has makes no numbers of the others.
  if (name === '_pk' && typeof value === 'bigint') return 'time'
  return typeof value === 'number' || typeof value === 'bigint' ? 'number' : 'text'
}

/** The members of an object, those of objects within it by dotted names, two levels deep. */
export function flattened(value: Readonly<Record<string, unknown>>, levels = 2): Record<string, unknown> {
  const flat: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(value)) {
    if (levels > 1 && isPlainObject(member)) {
      for (const [inner, deep] of Object.entries(flattened(member, levels - 1))) flat[`${name}.${inner}`] = deep
    } else flat[name] = member
  }
  return flat
}

export const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
