/** A definition as a client sends it: the wire form, or words, in JSON or YAML. Its answers are in the same form. */
import type { Context } from 'koa'
import { Fault, fault } from '../../base/faults.ts'
import { type Json, parseShallowJson, writeJson } from '../../base/json.ts'
import { placeInJson } from '../../base/json-places.ts'
import { Refusal } from '../../base/refusal.ts'
import type { PlacedJson, Position } from '../../base/yaml.ts'
import type { YamlThreads } from '../../base/yaml-threads.ts'
import { createForm, type SentForm } from '../../sql/schema/words/form.ts'
import { isInWords, mixesWords, toWire } from '../../sql/schema/words/translate.ts'
import { clientOf } from '../http/ask.ts'
import { readText } from '../http/body.ts'

/** The wire form as text, and the form in which it was sent: none where that was the wire form. */
export type Definition = { readonly text: string; readonly form?: SentForm }

const yamlType = /^(?:application\/yaml|application\/x-yaml|text\/yaml|text\/x-yaml)\b/i
const isYaml = ({ req }: Pick<Context, 'req'>): boolean => yamlType.test(req.headers['content-type'] ?? '')

const kilobyte = 1024
/** Bytes of a definition in words: a schema of 50 streams has some 30 kB. */
const maxWords = 4096 * kilobyte
/** The thread that parses YAML does so at about a megabyte a second. */
const maxYaml = 1024 * kilobyte

const shown = ({ line, column }: Position): string => ` (line ${line}, column ${column})`

/** Reads the definition in a request's body; `known` are the streams that its schema has already. */
export async function readDefinition(
  context: Context,
  yaml: Pick<YamlThreads, 'parse'>,
  bodyLimit: number,
  known: readonly string[] = [],
): Promise<Definition> {
  if (isYaml(context)) {
    const text = await readText(context, Math.min(bodyLimit, maxYaml), 'the definition')
    const { value, locate } = await parseLines(yaml, text, clientOf(context))
    if (!isInWords(value))
      throw fault(
        'invalid',
        'a definition in YAML is in words: schema, its name, and streams, an object of streams by name',
      )
    return translated(value, known, (at) => shown(locate(at) ?? { line: 1, column: 1 }))
  }
  const text = await readText(context, bodyLimit, 'the schema')
  const value = parseJson(text)
  if (!isInWords(value)) {
    refuseMixed(value)
    return { text }
  }
  if (text.length > maxWords) throw fault('too large', `a definition in words has at most ${maxWords / kilobyte} kB`)
  return translated(value, known, (at) => shown(placeInJson(text, at)))
}

/** Parses YAML; of a file without its line breaks, as `curl -d @file` sends one, the refusal says that alone. */
async function parseLines(yaml: Pick<YamlThreads, 'parse'>, text: string, client: AbortSignal): Promise<PlacedJson> {
  try {
    return await yaml.parse(text, 'the definition', client)
  } catch (error) {
    if (text.includes('\n') || !/^\w+: .*: /.test(text)) throw error
    const reason = 'all of it is one line; curl -d @file takes line breaks away, --data-binary @file keeps them'
    throw fault('invalid', `the definition is no YAML that is taken: ${reason}`)
  }
}

/** Parses JSON; of a text that looks like YAML the refusal says how YAML is sent. */
function parseJson(text: string): Json {
  try {
    return parseShallowJson(text, 'the schema')
  } catch (error) {
    if (!(error instanceof Fault) || !/^\s*\w+:\s/.test(text)) throw error
    throw fault('invalid', `${error.message}; YAML takes the header Content-Type: application/yaml`)
  }
}

function refuseMixed(value: Json): void {
  const mixed = mixesWords(value)
  if (mixed !== undefined) throw fault('invalid', mixed)
}

function translated(
  words: Parameters<typeof toWire>[0],
  known: readonly string[],
  locate: Parameters<typeof createForm>[0],
): Definition {
  const form = createForm(locate)
  const { wire } = toWire(words, form, known)
  form.follow(known.length)
  return { text: writeJson(wire), form }
}

/** Runs what is to be said in the form of the definition: its refusals are, too. */
export async function inForm<Result>({ form }: Definition, run: () => Promise<Result>): Promise<Result> {
  if (form === undefined) return run()
  try {
    return await run()
  } catch (error) {
    const say = (text: string) => form.message(text)
    if (error instanceof Refusal) throw new Refusal(form.messages(error.problems))
    if (!(error instanceof Fault)) throw error
    const { problems, ...details } = error.details
    throw new Fault(error.kind, say(error.message), {
      ...details,
      ...(problems && { problems: form.messages(problems) }),
    })
  }
}

type Answer = { readonly error?: readonly string[] }

/** The notes of an answer in the form of the definition. */
export const notesInForm = <Of extends Answer>({ form }: Definition, answer: Of): Of =>
  form && answer.error ? { ...answer, error: form.notes(answer.error) } : answer
