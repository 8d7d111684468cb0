/** Statements that say what a graph holds, and questions that it answers, each with a statement that asks it. */
import { identifier } from '../identifier.ts'
import type { Question } from '../question.ts'
import { graphDatabase, tripleTable } from '../schema/names.ts'

/** Labels, and kinds of relations, of a description. */
const maxKinds = 100

const plain = (name: string): string => (/^[A-Za-z]\w*$/.test(name) ? name : identifier(name))
const nodesOf = (graph: string): string => `${graphDatabase}.${plain(graph)}`
const triplesOf = (graph: string): string => `${graphDatabase}.${plain(tripleTable(graph))}`

/** Analysts' SQL: the labels of a graph, and how many nodes have each. */
export const labelsIn = (graph: string): string =>
  `SELECT label, count() AS nodes FROM ${nodesOf(graph)} GROUP BY label ORDER BY nodes DESC, label LIMIT ${maxKinds}`

/** Analysts' SQL: which labels are related by what, and how often. */
export const relationsIn = (graph: string): string =>
  `SELECT subject_label, relation, object_label, count() AS relations FROM ${triplesOf(graph)} GROUP BY subject_label, relation, object_label ORDER BY relations DESC, relation, subject_label, object_label LIMIT ${maxKinds}`

export type RelationKind = {
  readonly subject_label: string
  readonly relation: string
  readonly object_label: string
}

/** A name that a pattern takes as it is. */
const isPlain = (name: string): boolean => /^[A-Za-z]\w*(\.\w+)*$/.test(name)

/** Kinds of relations of which questions are shown. */
const maxAsked = 5

export function questionsOfGraph(graph: string, relations: readonly RelationKind[]): Question[] {
  const asked = relations
    .filter(({ subject_label, relation, object_label }) => [subject_label, relation, object_label].every(isPlain))
    .slice(0, maxAsked)
  const questions: Question[] = [
    {
      asks: 'nodes',
      sql: `SELECT label, name, properties FROM ${nodesOf(graph)} LIMIT 10`,
      graph_query: 's=>(@a *); RETURN a.name LIMIT 10',
    },
    { asks: 'relations', sql: `SELECT * FROM ${triplesOf(graph)} LIMIT 10` },
    ...asked.flatMap(({ subject_label: from, relation, object_label: to }): Question[] => [
      {
        asks: `which ${from} is related by ${relation} to which ${to}`,
        graph_query: `s=>(@a ${from}:*)-[${relation}]->(@b ${to}:*); RETURN a.name, b.name AS other LIMIT 10`,
      },
      {
        asks: `which ${from} has the most relations ${relation}`,
        graph_query: `s=>(@a ${from}:*)-[${relation}]->(@b ${to}:*); RETURN a.name, COUNT(*) AS n SORT_DESC n LIMIT 10`,
      },
    ]),
  ]
  return questions.map((each) => ({ ...each, graph }))
}
