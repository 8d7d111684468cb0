import type { ExecutionContext } from 'ava'
import fc from 'fast-check'
import { createRandom, type Random } from './random.ts'

/** The seed of all that is random in a run: `npm test` prints it and hands it on; WEIR_SEED=N brings a run back. */
export const seed = readSeed(process.env.WEIR_SEED)
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed })

/** The number by which cases are picked. In seeds in a row each case comes in its turn, and so it does in every tenth seed: the last
 * digit of a seed picks the files of a gate. (One in 11 would not: such a step is no step.) */
export const turnOf = (seed: number): number => seed + Math.floor(seed / 10)
export const turn = turnOf(seed)

/** Whether all is tried of what a run else takes a part of: `npm test -- --all`. */
const isWhole = process.env.WEIR_TEST_ALL === '1'

/** Whether a run tries this case: of too many cases for one run its seed picks one in `every`, other runs pick others. */
export const isPicked = (index: number, every: number): boolean => isWhole || index % every === turn % every

/** How often a property is tried. */
export const runs = (usual: number, whole: number): number => (isWhole ? whole : usual)

/** Whether this is a run of the gate, `npm test -- --gate`, where long tests take a part of what they take elsewhere. */
const isGate = process.env.WEIR_TEST_GATE === '1' && !isWhole

/** How many rounds a test takes: usually, and in the gate. */
export const rounds = (usual: number, gate: number): number => (isGate ? gate : usual)

/** Whether a test takes this case: all of them usually, in the gate one in `every`, so that gates in a row take all. */
export const isTaken = (index: number, every: number): boolean => !isGate || index % every === turn % every

/** Random numbers for one test, by its title: another test that is added or left out changes nothing for this one. */
export function randomFor(t: ExecutionContext): Random {
  t.log(`WEIR_SEED=${seed}`)
  return createRandom(seed ^ hash(t.title))
}

function readSeed(text: string | undefined): number {
  if (text === undefined) return Math.floor(Math.random() * 2 ** 31)
  if (!/^\d{1,10}$/.test(text)) throw new Error(`WEIR_SEED: must be a whole number, and is ${text}`)
  return Number(text)
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let hashed = 0x811c9dc5
  for (const byte of Buffer.from(text)) hashed = Math.imul(hashed ^ byte, 0x01000193) >>> 0
  return hashed
}
