/**
 * Runs a statement on a graph, is killed once ClickHouse has done `<writes>` of its writes, and reports whether it was
 * answered: `node crasher.ts <folder> <graph> <text> <writes>`.
 */
import type { ClickHouse } from '../../../../infra/clickhouse/clickhouse.ts'
import { openGraphs } from '../open.ts'

const [, , folder, graph = '', text = '', writes = '0'] = process.argv
let left = Number.POSITIVE_INFINITY

async function counted(write: () => Promise<void>): Promise<void> {
  if (left === 0) process.kill(process.pid, 'SIGKILL')
  await write()
  if (--left === 0) process.kill(process.pid, 'SIGKILL')
}

const { ask } = await openGraphs([], folder, (real: ClickHouse) => ({
  ...real,
  run: (statement) => counted(() => real.run(statement)),
  insert: (insertion) => counted(() => real.insert(insertion)),
}))
left = Number(writes)
await ask(graph, text)
process.stdout.write('answered')
process.kill(process.pid, 'SIGKILL')
