import type { Stream } from './schema.ts'
import { shownDuration } from './words/scalars.ts'

/** Seconds of the shortest and of the longest window of an entity's value, and how many a value has at most. */
export const [minWindow, maxWindow, maxWindows] = [60, 90 * 86_400, 16]

/** Parts of a window: it counts its oldest part whole. */
const hopsOfWindow = 60

/** A window by key and the length of its hops, in seconds. */
export type Window = { readonly length: number; readonly hop: number }

/** `granularity`: of the attribute that is counted. No hop is shorter. */
const windowOf = (length: number, granularity: number): Window => ({
  length,
  hop: Math.max(Math.ceil(length / hopsOfWindow), granularity),
})

export const windowOfInput = (length: number, { attributes }: Pick<Stream, 'attributes'>, input: string): Window =>
  windowOf(length, attributes.find(({ name }) => name === input)?.granularity ?? 60)

/** `1h`, `90s`: as paths, value objects and columns name a window. */
export const windowName = (length: number): string => shownDuration(length)

/** A value of an entity over a window, as paths call it: `spent.1h`. No name of a client has a part that starts with a digit. */
export const windowResult = (result: string, length: number): string => `${result}.${windowName(length)}`
/** The same, as columns of its states call it. */
export const windowStates = (result: string, length: number): string => `${windowName(length)}_${result}`
/** The same, as columns that analysts see begin: `spent_1h`. */
export const windowColumn = (result: string, length: number): string => `${result}_${windowName(length)}`

/** Seconds by which a question about a window may be late: all hops that it had then are there. */
const lateness = ({ length }: Window): number => Math.max(length, 600)

/** Seconds for which a hop stays, from its own time or from when it came, whichever is later. */
export const hopRetention = (window: Window): number => window.length + lateness(window) + 2 * window.hop
