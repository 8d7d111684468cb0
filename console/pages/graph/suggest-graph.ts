/** Suggestions for the graph language: its words, the labels, relations and names that the page has seen, and patterns to begin with. */

import type { Suggest, Suggestion } from '../../parts/editor/completion.ts'
import type { Drawing } from '../../parts/force-graph/drawing.ts'
import { quoted } from '../../parts/quoted.ts'

const keyword = (label: string, apply?: string): Suggestion => ({
  label,
  kind: 'keyword',
  ...(apply !== undefined && { apply }),
})
const beginnings = [
  keyword('s=>(*)-[*]->(*)'),
  keyword('s=>(Label:*)-[REL]->(Label:*)', 's=>('),
  keyword('s=>(A:x)-[#SHORT_PATH *]->(B:y)', 's=>('),
  keyword('CREATE', 'CREATE ('),
  keyword('MERGE', 'MERGE ('),
  keyword('DELETE', 'DELETE ('),
]
const clauses = ['WHERE', 'SORT_ASC', 'SORT_DESC', 'LIMIT', 'AS', 'AND', 'OR', 'EXCLUDE_GROUPBY'].map((word) =>
  keyword(word, word === 'EXCLUDE_GROUPBY' ? `${word}(` : `${word} `),
)
const functions = ['COUNT', 'UCOUNT', 'SUM', 'AVG', 'MIN', 'MAX', 'STD', 'SKEW', 'EXKURT', 'MATH_EXP'].map(
  (label): Suggestion => ({ label, kind: 'function', apply: `${label}(` }),
)
const modifiers = [
  ...['DISTINCT', 'UNIQUE', 'UNIQUE_IN_CONTEXT', 'UNIQUE_SELECT', 'SYMM', 'ASYMM'],
  ...['PAGERANK', 'DEGREE', 'COMPONENTS', 'COMMUNITIES', 'SIMILARITY'],
].map((label) => keyword(label))
const edges = [
  keyword('#SHORT_PATH', '#SHORT_PATH '),
  keyword('#ALL_PATH', '#ALL_PATH '),
  keyword('#RADIUS_OF', '#RADIUS_OF '),
]

const maxNames = 200

/** `seen`: as much of the graph as the page has seen. */
export const suggestGraph =
  (seen: () => Pick<Drawing, 'nodes' | 'links'>): Suggest =>
  (text, at) => {
    const before = text.slice(0, at)
    const [word = ''] = /(?<![\w#])[\w#]*$/.exec(before) ?? []
    const from = at - word.length
    const head = before.slice(0, from)
    const answer = (options: readonly Suggestion[]) => ({ from, options })
    if (/^\s*$/.test(head)) return answer(beginnings)
    const { nodes, links } = seen()
    const distinct = (all: readonly string[]): string[] => [...new Set(all)].filter((each) => each !== '').sort()
    const [, label] = /\(\s*(?:@\w*\s+)?(\w+):"?$/.exec(head) ?? []
    if (label !== undefined) {
      const names = distinct(nodes.filter((node) => node.label === label).map(({ name }) => name)).slice(0, maxNames)
      const isQuoted = head.endsWith('"')
      return answer([
        ...(isQuoted ? [] : [keyword('*')]),
        ...names.map(
          (name): Suggestion => ({
            label: name,
            kind: 'value',
            apply: isQuoted || /^[^\s(){}[\]"']+$/.test(name) ? name : quoted(name),
          }),
        ),
      ])
    }
    if (/\(\s*(?:@\w*\s+)?$/.test(head) && !/\bRETURN\b/.test(head)) {
      return answer([
        keyword('*'),
        ...distinct(nodes.map((node) => node.label)).map(
          (each): Suggestion => ({ label: each, kind: 'place', detail: 'label', apply: `${each}:` }),
        ),
      ])
    }
    if (/-\[\s*(?:@\w*\s+)?$/.test(head)) {
      const rels = distinct(links.map(({ rel }) => rel))
      return answer([
        keyword('*'),
        ...rels.map((rel): Suggestion => ({ label: rel, kind: 'attribute', detail: 'relation' })),
        ...edges,
      ])
    }
    if (/^\s*\w+\{\s*$/.test(head)) return answer(modifiers)
    if (/\)\s*(?:;\s*)?$/.test(head) && !/\bRETURN\b/.test(head))
      return answer([keyword('RETURN', /;\s*$/.test(head) ? 'RETURN ' : '; RETURN ')])
    if (/\bRETURN\b/.test(head)) return answer([...aliasesIn(text), ...functions, ...clauses])
    return undefined
  }

const aliasesIn = (text: string): Suggestion[] =>
  [...new Set([...text.matchAll(/@(\w+)/g)].map(([, alias = '']) => alias))].map((alias) => ({
    label: alias,
    kind: 'attribute',
    detail: 'alias',
    apply: `${alias}.`,
  }))
