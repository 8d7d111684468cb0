// The needs of a test file besides its own process, as its name is to say: found in the tests' modules that it imports.

/** @typedef {import('./imports.js').Sources} Sources */

const kafka = 'test/support/parts/kafka.ts'
const temporal = 'test/support/parts/temporal.ts'
const chromium = 'test/support/browser.ts'
/** Starts ClickHouse's stand-in, for files alone that import one of the modules that ask for it. */
const service = 'test/support/service.ts'
const onPrograms = ['clickhouse/on-server', 'clickhouse/on-packed-server', 'parts/zookeeper'].map(
  (name) => `test/support/${name}.ts`,
)
/** Fetch what others published. */
const fetched = new Set(['senders', 'mcp-conformance', 'line-protocol'].map((name) => `scripts/parts/${name}.js`))
const startsPrograms = /^import (?!type)[^'"]*? from 'node:child_process'/m

/** @param {string} file
 * @param {Sources} sources
 * @returns {string} how the file's name is to end, after `.promise` where it holds one of the promises of docs/tests.md */
export function endingOf(file, { texts, leads }) {
  const modules = new Set([file])
  for (const module of modules) {
    if (module === service) continue
    for (const each of leads.get(module) ?? []) if (/^(?:test|bench|examples)\//.test(each)) modules.add(each)
  }
  const [needsKafka, needsTemporal] = [kafka, temporal].map((each) => modules.has(each))
  if (needsKafka && needsTemporal) return '.stack.test.ts'
  if (needsKafka) return '.kafka.test.ts'
  if (needsTemporal) return '.temporal.test.ts'
  if (modules.has(chromium)) return '.chromium.test.ts'
  const fetches = [...modules].some((module) => [...(leads.get(module) ?? [])].some((each) => fetched.has(each)))
  const runs = fetches || onPrograms.some((each) => modules.has(each))
  const starts = [...modules].some((each) => startsPrograms.test(texts.get(each) ?? ''))
  return runs || starts ? '.process.test.ts' : '.test.ts'
}
