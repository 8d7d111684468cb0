// Finds regular expressions that take more than linear time over some text: nested and adjacent repetitions, and
// repetitions at the begin of a pattern that is searched for. V8 goes back without end, on the thread that answers
// requests. `recheck` decides it: by automata, and by trying texts for patterns with lookarounds.

import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { check } from 'recheck'
import ts from 'typescript'
import { cache } from '../parts/cache.js'
import { read, root, say } from '../processes/run.js'

/** @typedef {{ place: string, source: string | undefined, flags: string }} Pattern */

/**
 * Patterns that may stand as they are, since their input has a bound.
 * @type {readonly { file: string, text: string, because: string }[]}
 */
const bounded = [
  { file: 'console/help/markdown.js', text: '/', because: 'it reads the pages of docs/ while the console is built' },
  {
    file: 'sql/cluster.ts',
    text: 'new RegExp(`^${text.replaceAll',
    because: 'it reads the DDL that the service itself writes',
  },
]

/** All patterns of a program: literals, and calls of RegExp whose texts the file has. A part that is put in while it runs is
 * taken for a name; a pattern that cannot be put together here has no source.
 * @param {string} file
 * @param {string} text
 * @returns {Pattern[]} */
export function patternsIn(file, text) {
  const program = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  /** @type {Pattern[]} */
  const found = []
  /** @param {ts.Node} node */
  const visit = (node) => {
    const place = () => `${file}:${program.getLineAndCharacterOfPosition(node.getStart()).line + 1}`
    const isBounded = bounded.some((each) => each.file === file && node.getText().startsWith(each.text))
    if (ts.isRegularExpressionLiteral(node) && !isBounded) {
      const end = node.text.lastIndexOf('/')
      found.push({ place: place(), source: node.text.slice(1, end), flags: node.text.slice(end + 1) })
    }
    if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp') {
      const [source, flags] = node.arguments ?? []
      if (source && !isBounded)
        found.push({
          place: place(),
          source: textOf(source, program),
          flags: flags ? (textOf(flags, program) ?? '') : '',
        })
    }
    ts.forEachChild(node, visit)
  }
  visit(program)
  return found
}

/** Stands for a text that is known while the service runs alone: names are put into patterns, and nothing else.
 * @type {string} */
const anyName = 'name'

/** The text of an expression, as far as the file shows it.
 * @param {ts.Node} node
 * @param {ts.SourceFile} program
 * @param {boolean} isRaw
 * @returns {string | undefined} */
function textOf(node, program, isRaw = false) {
  if (ts.isTaggedTemplateExpression(node))
    return node.tag.getText() === 'String.raw' ? textOf(node.template, program, true) : undefined
  if (ts.isStringLiteral(node)) return node.text
  if (ts.isNoSubstitutionTemplateLiteral(node)) return isRaw ? node.rawText : node.text
  if (ts.isTemplateExpression(node)) {
    /** @param {ts.TemplateHead | ts.TemplateMiddle | ts.TemplateTail} part */
    const plain = (part) => (isRaw ? part.rawText : part.text)
    const spans = node.templateSpans.map(({ expression, literal }) => {
      const inner = textOf(expression, program)
      return inner === undefined ? undefined : inner + plain(literal)
    })
    return spans.includes(undefined) ? undefined : plain(node.head) + spans.join('')
  }
  if (ts.isIdentifier(node)) {
    const constant = constantOf(node.text, program)
    return constant === undefined ? anyName : textOf(constant, program)
  }
  if (ts.isElementAccessExpression(node) || ts.isPropertyAccessExpression(node)) return anyName
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const [left, right] = [textOf(node.left, program), textOf(node.right, program)]
    return left === undefined || right === undefined ? undefined : left + right
  }
  return undefined
}

/** @param {string} name
 * @param {ts.SourceFile} program */
function constantOf(name, program) {
  for (const statement of program.statements) {
    if (!ts.isVariableStatement(statement)) continue
    for (const each of statement.declarationList.declarations)
      if (each.name.getText() === name && each.initializer) return each.initializer
  }
  return undefined
}

/** Says how a pattern is wrong; undefined for one that takes linear time, whatever the text.
 * @param {string | undefined} source
 * @param {string} flags
 * @returns {Promise<string | undefined>} */
export async function faultOf(source, flags) {
  if (source === undefined) return 'its text cannot be put together here: make it of constants of the file'
  // No bound of time: a slow machine decides as a quick one. The two flags change nothing of the time.
  const noHurry = { timeout: null, attackTimeout: null, incubationTimeout: null, seedingTimeout: null }
  const found = await check(source, flags.replace('v', 'u').replace('d', ''), noHurry)
  if (found.status === 'safe') return undefined
  if (found.status === 'unknown') return `not decided: ${found.error.kind}`
  return `takes ${found.complexity.summary} time, for example over ${found.attack.pattern.slice(0, 160)}`
}

/** In the user's cache: a verdict depends on the pattern alone. */
const verdictsFile = join(cache, 'patterns.json')
/** Hashes of patterns that were found linear: deciding all takes a processor 36 s. */
const knownFile = 'scripts/checks/linear-patterns.json'

/** Whether a run of CI decides the pattern anew: ten seeds in a row decide all.
 * @param {string} hash
 * @param {number} seed */
export const isAnew = (hash, seed) => Number.parseInt(hash.slice(0, 8), 16) % 10 === seed % 10

/** The faults of all patterns of the files, a line each. `UPDATE_GOLDEN=1` writes down those that are linear.
 * @param {readonly string[]} files
 * @param {number} [seed] of CI, which trusts no cache, and decides a tenth of what is written down anew */
export async function faultyPatterns(files, seed) {
  const version = JSON.parse(read('node_modules/recheck/package.json')).version
  const known = new Set(JSON.parse(read(knownFile) || '[]'))
  /** @type {Record<string, string | null>} */
  const before = seed === undefined ? readVerdicts() : {}
  /** @type {Record<string, string | null>} */
  const verdicts = {}
  /** @type {string[]} */
  const faults = []
  /** @type {Set<string>} */
  const linear = new Set()
  let decided = 0
  for (const { place, source, flags } of files.flatMap((file) => patternsIn(file, read(file)))) {
    const key = `${version} /${source}/${flags}`
    const hash = createHash('sha256').update(key).digest('hex').slice(0, 16)
    if (known.has(hash) && (seed === undefined || !isAnew(hash, seed))) verdicts[key] = 'linear'
    else if (!known.has(hash)) decided++
    verdicts[key] ??= before[key] ?? (await faultOf(source, flags)) ?? 'linear'
    if (verdicts[key] === 'linear') linear.add(hash)
    else faults.push(`${place}: /${source}/${flags} ${verdicts[key]}`)
  }
  if (process.env.UPDATE_GOLDEN === '1')
    writeFileSync(join(root, knownFile), `${JSON.stringify([...linear].sort(), undefined, 2)}\n`)
  else if (decided > 0)
    say(`${decided} patterns are not in ${knownFile}; UPDATE_GOLDEN=1 npm run check writes them down`)
  // Another clone may write at the same time: the file is whole at each moment.
  const draft = `${verdictsFile}.${process.pid}`
  mkdirSync(cache, { recursive: true })
  writeFileSync(draft, JSON.stringify({ ...readVerdicts(), ...verdicts }))
  renameSync(draft, verdictsFile)
  return faults
}

/** @returns {Record<string, string | null>} */
function readVerdicts() {
  try {
    return JSON.parse(readFileSync(verdictsFile, 'utf8'))
  } catch {
    return {}
  }
}
