/** Writes relations into a graph until it is killed, and tells each that was acknowledged: `node crash-writer.ts <folder>`. */
import { openGraphs } from './open.ts'

const { graphs, ask } = await openGraphs([], process.argv[2])
await graphs.make('crash')
let next = 0
async function write(): Promise<void> {
  for (;;) {
    const i = next++
    await ask('crash', `CREATE (P:p${i % 50} {"first": ${i}})-[R {"i": ${i}}]->(P:hub)-[S {"i": ${i}}]->(P:end)`)
    process.stdout.write(`${i}\n`)
  }
}
await Promise.all(Array.from({ length: 16 }, write))
