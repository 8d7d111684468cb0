import { SpanKind, type Tracer } from '@opentelemetry/api'
import type { ClickHouse, Question } from '../clickhouse/clickhouse.ts'
import { inSpan, isTraced } from './tracing.ts'

/**
 * A ClickHouse whose statements are spans of the trace that asks. A statement outside of any trace, such as a probe,
 * makes none.
 */
export function traceClickHouse(clickhouse: ClickHouse, tracer: Tracer): ClickHouse {
  function asked<Result>(operation: string, table: string | undefined, work: () => Promise<Result>): Promise<Result> {
    if (!isTraced()) return work()
    const attributes = {
      'db.system.name': 'clickhouse',
      'db.operation.name': operation,
      ...(table !== undefined && { 'db.collection.name': table }),
    }
    const name = table === undefined ? operation : `${operation} ${table}`
    return inSpan(tracer, name, { kind: SpanKind.CLIENT, attributes }, work)
  }
  return {
    read: (question, format) => asked(operationOf(question), undefined, () => clickhouse.read(question, format)),
    rows: <Row>(question: Question) => asked(operationOf(question), undefined, () => clickhouse.rows<Row>(question)),
    run: (statement) => asked(operationOf(statement), undefined, () => clickhouse.run(statement)),
    insert: (insertion) => asked('INSERT', insertion.table.replaceAll('`', ''), () => clickhouse.insert(insertion)),
    close: () => clickhouse.close(),
  }
}

/** The word that begins a statement. Its text stays here: it may hold a client's values. */
function operationOf(statement: Question | string): string {
  const text = typeof statement === 'string' ? statement : statement.text
  const word = /[A-Za-z]+/.exec(text.slice(0, 100))?.[0].toUpperCase()
  return word === undefined || word === 'WITH' ? 'SELECT' : word
}
