import type { GraphAnswer } from '../../api/calls.ts'

/** A page behind the pages before it. */
export function continued(before: GraphAnswer, page: GraphAnswer): GraphAnswer {
  if ('triple' in before && 'triple' in page) return { ...page, triple: [...before.triple, ...page.triple] }
  if ('rows' in before && 'rows' in page) return { ...page, rows: [...before.rows, ...page.rows] }
  if ('nodes' in before && 'nodes' in page && !('edges' in before) && !('edges' in page)) {
    return { ...page, nodes: [...before.nodes, ...page.nodes] }
  }
  return page
}
