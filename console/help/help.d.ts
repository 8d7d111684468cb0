/** The pages of docs/, as `console/build.js` makes them. */
declare module 'weir:help' {
  export type Piece =
    | string
    | readonly [tag: string, properties: Readonly<Record<string, string>> | null, ...children: Piece[]]
  export type HelpPage = {
    readonly title: string
    readonly load: () => Promise<{ readonly default: readonly Piece[] }>
  }
  export const pages: Readonly<Record<string, HelpPage>>
}
