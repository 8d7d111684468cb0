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

/** The address of a thing: the name of its page, and the names that lead to it there. */
export const pathOf = (page: string, ...names: readonly string[]): string =>
  ['/console', page, ...names.map(encodeURIComponent)].join('/')
