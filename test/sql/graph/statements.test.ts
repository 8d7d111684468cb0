import test from 'ava'
import { onCluster } from '../../../sql/cluster/statements.ts'
import { compileDelete, compileMerge } from '../../../sql/graph/index.ts'
import {
  createGraph,
  createScoreInput,
  dropGraph,
  makeGraphDurable,
  upgradeGraph,
} from '../../../sql/schema/ddl/graph/graph.ts'
import { bind } from '../../../sql/statement.ts'

const [one, other] = [
  { label: 'P', name: "it's" },
  { label: 'P', name: 'b' },
]

test('every statement of a graph has its form on a cluster', (t) => {
  const statements = [
    ...createGraph('g'),
    ...makeGraphDurable('g'),
    ...createScoreInput('g'),
    ...upgradeGraph('g'),
    ...compileMerge('g', one, other).map(bind),
    ...compileDelete('g', one).map(bind),
    ...dropGraph('g'),
  ]
  for (const statement of statements) t.notThrows(() => onCluster(statement, 'c'), statement)
  t.true(
    onCluster(makeGraphDurable('g')[0] ?? '', 'c')
      .join()
      .includes('`graph`.`g__properties___local` ON CLUSTER'),
  )
})
