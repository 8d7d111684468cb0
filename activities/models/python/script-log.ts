const first = 500
const last = 50

/** Passes the first lines on as they come; of the others the last ones at the end, with how many stood between. */
export function createScriptLog(log: (line: string) => void) {
  let count = 0
  const held: string[] = []
  return {
    line(text: string): void {
      count += 1
      if (count <= first) log(text)
      else {
        held.push(text)
        if (held.length > 2 * last) held.splice(0, last)
      }
    },
    end(): void {
      const shown = held.slice(-last)
      const between = count - first - shown.length
      if (between > 0) log(`... ${between} more lines ...`)
      for (const text of shown) log(text)
    },
  }
}
