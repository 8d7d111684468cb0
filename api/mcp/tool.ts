import { z } from 'zod'
import type { Scope } from '../../activities/keys/scopes.ts'
import { isObject, type Json } from '../../base/json.ts'
import type { Room } from './bounds.ts'
import type { Inner, InnerAnswer } from './inner.ts'

/** The answer of a tool to an agent. */
export type Told = InnerAnswer & {
  /** The bounds of the answer; 20 KB if absent. */
  readonly room?: Room
  /** How the agent gets what its answer does not hold. */
  readonly more?: string
  /** The same, where the answer was too long and was cut, `kept` elements of its list, if it has one, behind its begin. */
  readonly whenCut?: (kept: number | undefined) => string
}

export type Tool = {
  readonly name: string
  readonly description: string
  /** All of them; a key without one does not see the tool. */
  readonly scopes: readonly Scope[]
  readonly annotations: { readonly readOnlyHint: boolean; readonly destructiveHint: boolean }
  readonly input: z.ZodType
  /** JSON Schema of the arguments, as agents see it: where the call behind the tool checks what this one hands on, of more than `input` checks. */
  readonly shown: object
  run(given: Json, inner: Inner): Promise<Told>
}

/** JSON Schema of arguments. */
export function schemaShown(input: z.ZodType): object {
  const { $schema: _, ...shown } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
  return shown
}

const kinds = {
  reads: { readOnlyHint: true, destructiveHint: false },
  adds: { readOnlyHint: false, destructiveHint: false },
  changes: { readOnlyHint: false, destructiveHint: true },
} as const

/** Arguments that do not fit are an answer from which the agent learns what fits. */
export function tool<Input>(
  name: string,
  scopes: readonly Scope[],
  kind: keyof typeof kinds,
  description: string,
  input: z.ZodType<Input>,
  run: (given: Input, inner: Inner) => Promise<Told>,
  shown: object = schemaShown(input),
): Tool {
  return {
    name,
    description,
    scopes,
    annotations: kinds[kind],
    input,
    shown,
    async run(given, inner) {
      const read = input.safeParse(given)
      if (read.success) return run(read.data, inner)
      const error = read.error.issues.map(({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`)
      return { status: 400, text: JSON.stringify({ errcode: -1, error }) }
    },
  }
}

export const identifier = (says: string) =>
  z
    .string()
    .regex(/^[A-Za-z_]\w{0,62}$/, 'must be letters, digits and underscore')
    .meta({ description: says })

export const words = (says: string) => z.string().min(1).meta({ description: says })

export const whole = (says: string, max: number) => z.int().min(1).max(max).optional().meta({ description: says })

/** An object that goes on as it came, whatever its numbers. */
export const object = (says: string) =>
  z
    .custom<{ [name: string]: Json }>((value) => isObject(value as Json), 'must be an object')
    .meta({ type: 'object', description: says })

export const isFine = ({ status }: InnerAnswer): boolean => status === 200
