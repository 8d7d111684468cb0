import test from 'ava'
import { onCluster } from '../../../sql/cluster.ts'
import { compileMoveNode, compileMoveRelations, compileReturn, type NodeChange } from '../../../sql/graph/index.ts'
import { createGraph, createScoreInput, dropGraph } from '../../../sql/schema/ddl/graph/graph.ts'
import { deliveryNames } from '../../../sql/schema/ddl/watermark.ts'
import { bind } from '../../../sql/statement.ts'

const [one, other] = [
  { label: 'P', name: "it's" },
  { label: 'P', name: 'b' },
]

const changes: readonly NodeChange[] = [one, undefined].map((primary) => ({
  graph: 'g',
  primary,
  secondary: other,
  until: 7,
}))

test('every statement of a graph has its form on a cluster', (t) => {
  const statements = [
    ...createGraph('g'),
    ...createScoreInput('g'),
    ...changes.flatMap((change) => [
      ...compileMoveRelations(change, deliveryNames).map(bind),
      ...compileMoveNode(change).map(bind),
      bind(compileReturn(change)),
    ]),
    ...dropGraph('g'),
  ]
  for (const statement of statements) t.notThrows(() => onCluster(statement, 'c'), statement)
})
