/** The parts of a path behind a page's own, each as it is meant. */
export const partsOf = (rest: string): string[] =>
  rest
    .split('/')
    .filter((part) => part !== '')
    .map((part) => {
      try {
        return decodeURIComponent(part)
      } catch {
        return part
      }
    })
