/** Data sets that come with scikit-learn and vega-datasets, in the form of tables. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { DataSet, Task } from './data-set.ts'
import { vega } from './vega.ts'

/** `packages` is the folder that scikit-learn lies in. */
export function realData(packages: string): readonly DataSet[] {
  const own = join(packages, 'sklearn', 'datasets', 'data')
  return [
    withHeader(own, 'iris', 'iris.csv'),
    withHeader(own, 'wine', 'wine_data.csv'),
    withHeader(own, 'cancer', 'breast_cancer.csv'),
    fromVega('penguins', 'penguins.json', 'classes', 'Species'),
    numbersAlone(
      'digits',
      'classes',
      linesOf(gunzip(own, 'digits.csv.gz')).map((line) => line.split(',')),
    ),
    weather(),
    fromVega('cars', 'cars.json', 'numbers', 'Miles_per_Gallon', ['Name']),
    diabetes(own),
    fromVega('movies', 'movies.json', 'numbers', 'IMDB Rating', ['Title', 'Release Date', 'US DVD Sales']),
    flights(),
  ]
}

const linesOf = (text: string): readonly string[] => text.split(/\r?\n/).filter((line) => line !== '')
const gunzip = (folder: string, file: string): string => gunzipSync(readFileSync(join(folder, file))).toString()

function numbersAlone(name: string, task: Task, rows: readonly (readonly string[])[]): DataSet {
  const columns = Array.from({ length: (rows[0]?.length ?? 1) - 1 }, (_, i) => ({
    name: `x${i}`,
    kind: 'number' as const,
  }))
  const labelled = task === 'numbers' ? rows : rows.map((row) => [...row.slice(0, -1), `c${Number(row.at(-1))}`])
  return { name, task, columns, rows: labelled }
}

/** The first line has the number of rows and the names of the classes. */
const withHeader = (folder: string, name: string, file: string): DataSet => {
  const [, ...lines] = linesOf(readFileSync(join(folder, file), 'utf8'))
  return numbersAlone(
    name,
    'classes',
    lines.map((line) => line.split(',')),
  )
}

function diabetes(folder: string): DataSet {
  const targets = linesOf(gunzip(folder, 'diabetes_target.csv.gz'))
  const rows = linesOf(gunzip(folder, 'diabetes_data_raw.csv.gz')).map((line, row) => [
    ...line.trim().split(/\s+/),
    String(Number(targets[row])),
  ])
  return numbersAlone('diabetes', 'numbers', rows)
}

function weather(): DataSet {
  const [, ...lines] = linesOf(readFileSync(new URL('seattle-weather.csv', vega), 'utf8'))
  const rows = lines.map((line) => line.split(',').slice(1))
  const columns = ['precipitation', 'temp_max', 'temp_min', 'wind'].map((name) => ({ name, kind: 'number' as const }))
  return { name: 'weather', task: 'classes', columns, rows }
}

type Json = Readonly<Record<string, string | number | null>>
const readJson = (file: string) => JSON.parse(readFileSync(new URL(file, vega), 'utf8')) as readonly Json[]

/** Rows without a target are left out; an attribute of numbers has nothing but numbers, or none. */
function fromVega(name: string, file: string, task: Task, target: string, without: readonly string[] = []): DataSet {
  const all = readJson(file).filter((row) => typeof row[target] === (task === 'classes' ? 'string' : 'number'))
  const names = Object.keys(all[0] ?? {}).filter((each) => each !== target && !without.includes(each))
  const columns = names.map((each) => ({
    name: each.replaceAll(/\W+/g, '_'),
    kind: all.every((row) => typeof row[each] !== 'string') ? ('number' as const) : ('word' as const),
  }))
  const cell = (value: Json[string] | undefined): string => String(value ?? '')
  const rows = all.map((row) => [...names.map((each) => cell(row[each])), cell(row[target])])
  return { name, task, columns, rows }
}

/** The minutes that a flight was late. */
function flights(): DataSet {
  const columns = [
    { name: 'hour', kind: 'number' as const },
    { name: 'weekday', kind: 'number' as const },
    { name: 'distance', kind: 'number' as const },
    { name: 'origin', kind: 'word' as const },
    { name: 'destination', kind: 'word' as const },
  ]
  const rows = readJson('flights-20k.json').map(({ date, delay, distance, origin, destination }) => {
    const [day = '', time = ''] = String(date).split(' ')
    const weekday = new Date(`${day.replaceAll('/', '-')}T00:00:00Z`).getUTCDay()
    return [time.slice(0, 2), String(weekday), String(distance), String(origin), String(destination), String(delay)]
  })
  return { name: 'flights', task: 'numbers', columns, rows }
}
