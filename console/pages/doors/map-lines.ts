/** The places of attributes in what comes in, as a form has them: `attribute = place`, a line each. */

type Map = Readonly<Record<string, string>>

export const linesOfMap = (map: Map = {}): string =>
  Object.entries(map)
    .map(([attribute, place]) => `${attribute} = ${place}`)
    .join('\n')

/** Undefined where nothing is said. A line without `=` has an empty place, which the service refuses by its attribute. */
export function mapIn(lines: string): Map | undefined {
  const entries = lines
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line): [string, string] => {
      const equals = line.indexOf('=')
      return equals < 0 ? [line.trim(), ''] : [line.slice(0, equals).trim(), line.slice(equals + 1).trim()]
    })
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}
