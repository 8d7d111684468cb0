/**
 * The second fence: the tree that ClickHouse itself reads in a statement that the first one admitted. `EXPLAIN AST` writes
 * a node a line, indented by its depth: its kind, its name, `(alias x)`, `(children n)`. A node that is not known here refuses the
 * statement, and so does a clause, a table or a function that the first fence would not have let through: a construct
 * that ClickHouse gains, or one that the first fence reads in another way, does not pass. Some nodes do not show
 * their contents (a condition of SHOW, the function of APPLY): for those the statement is read a third time, as
 * ClickHouse writes it (`checkFormatted`).
 * Why there are two is in docs/adr/0012-analysts-behind-two-fences.md.
 */
import { type Calls, plainCalls } from './calls.ts'
import { isWrittenFunction } from './functions.ts'
import { membership } from './names.ts'
import { reducedTables } from './reduced-tables.ts'
import { denied } from './refusal.ts'
import { checkOtherName, checkReach, checkTable, checkTableFunction, type Reach } from './tables.ts'

type Node = {
  readonly kind: string
  readonly name: string
  readonly alias?: string
  readonly parent?: Node
  readonly children: Node[]
}

const words = (text: string): string[] => text.split(/\s+/).filter(Boolean)

const selections: ReadonlySet<string> = new Set(
  words(`
    ArrayJoin Asterisk ColumnsApplyTransformer ColumnsExceptTransformer ColumnsListMatcher ColumnsRegexpMatcher ColumnsReplaceTransformer
    ColumnsReplaceTransformer::Replacement ColumnsTransformerList ExpressionList Function Identifier InterpolateElement
    Literal OrderByElement QualifiedAsterisk QualifiedColumnsListMatcher QualifiedColumnsRegexpMatcher SampleRatio
    SelectIntersectExceptQuery SelectQuery SelectWithUnionQuery Subquery TableExpression TableIdentifier TableJoin
    TablesInSelectQuery TablesInSelectQueryElement WindowDefinition WindowListElement WithElement
  `),
)

/** The kinds of statements that may pass. */
const statements: ReadonlySet<string> = new Set(
  words(`
    DescribeQuery ExistsDatabaseQuery ExistsDictionaryQuery ExistsTableQuery ExistsViewQuery Explain SelectWithUnionQuery
    ShowColumns ShowCreateDatabaseQuery ShowCreateDictionaryQuery ShowCreateTableQuery ShowCreateViewQuery ShowFunctions
    ShowTables
  `),
)

const explanations: ReadonlySet<string> = new Set(
  ['', ' AST', ' SYNTAX', ' QUERY TREE', ' PIPELINE', ' ESTIMATE'].map((kind) => `EXPLAIN${kind}`),
)

/** An answer that the fence puts behind a statement; none behind an EXPLAIN. */
export type Answer = { readonly place: string; readonly format: string }

const longest = 8 * 1024 * 1024

/** Refuses nodes that are not for analysts. */
export function checkTree(text: string, answer: Answer | undefined, reach?: Reach, calls = plainCalls): void {
  if (text.length > longest) throw denied('the statement has too many parts')
  const nodes = readTree(text)
  const [root] = nodes
  if (!root || !statements.has(root.kind)) throw unknown(root?.kind ?? 'nothing')
  checkAnswer(root, answer)
  for (const node of nodes) checkNode(node, root, reach, calls)
}

function readTree(text: string): Node[] {
  const nodes: Node[] = []
  const open: Node[] = []
  for (const line of text.split('\n')) {
    if (line === '') continue
    const depth = line.search(/[^ ]/)
    const content = line.slice(depth)
    const end = content.indexOf(' ')
    const parent = depth === 0 ? undefined : open[depth - 1]
    if (depth > open.length || depth > 0 !== (parent !== undefined)) throw unknown(content)
    const alias = aliasIn(content)
    const node: Node = {
      kind: end < 0 ? content : content.slice(0, end),
      name: end < 0 ? '' : nameIn(content.slice(end + 1)),
      ...(alias !== undefined && { alias }),
      ...(parent && { parent }),
      children: [],
    }
    parent?.children.push(node)
    open.length = depth
    open.push(node)
    nodes.push(node)
  }
  return nodes
}

/** The alias that a node has, behind its name and before the count of its children. */
function aliasIn(content: string): string | undefined {
  const own = content.replace(/ \(children \d+\)$/, '')
  const start = own.indexOf(aliasMark)
  return start >= 0 && own.endsWith(')') ? own.slice(start + aliasMark.length, -1) : undefined
}

const aliasMark = ' (alias '

/** Without its alias and the count of its children; no name that Weir gives has a space and a parenthesis in it. */
function nameIn(label: string): string {
  const end = label.search(/(?:^| )\((?:alias|children|column) /)
  return end < 0 ? label : label.slice(0, end)
}

const unknown = (what: string) =>
  denied(`ClickHouse reads ${what.slice(0, 80)} in this statement, which is not for analysts`)

/** Behind the statement there stands the clause that the fence put there, and nothing else. */
function checkAnswer(root: Node, answer: Answer | undefined): void {
  if (root.kind === 'Explain') {
    if (answer || !explanations.has(root.name)) throw unknown(root.name)
    return
  }
  const [place, format] = root.children.slice(-2)
  const isOurs =
    answer !== undefined &&
    place?.kind === 'Literal' &&
    place.name === `'${answer.place}'` &&
    format?.kind === 'Identifier' &&
    format.name === answer.format
  if (!isOurs) throw unknown('another clause behind the statement')
}

function checkNode(node: Node, root: Node, reach: Reach | undefined, calls: Calls): void {
  const { kind, alias, parent } = node
  if (kind === 'Set') {
    // The options of EXPLAIN; settings were taken out, and are set for the query by the fence.
    if (parent?.kind === 'Explain' && parent.children[0] === node) return
    throw denied('ClickHouse reads a SETTINGS clause in this statement that was not understood')
  }
  if (node !== root && !selections.has(kind)) throw unknown(kind)
  if (alias !== undefined) checkOtherName(alias)
  if (kind === 'SelectWithUnionQuery') checkUnion(node, root)
  if (kind === 'Function') checkFunction(node, calls)
  if (kind === 'TableIdentifier') checkTableName(node, true, reach)
  if (kind === 'TableIdentifier' && !isDescribed(node, root)) checkReduced(node)
  if (kind === 'Identifier' && isMember(node)) checkMember(node, reach)
  if (node === root && kind !== 'SelectWithUnionQuery') checkNamed(node, reach)
}

/** Within another statement it has its selections and nothing behind them. */
function checkUnion(node: Node, root: Node): void {
  const [list, ...others] = node.children
  if (list?.kind !== 'ExpressionList' || (node !== root && others.length > 0)) throw unknown('a clause in a subquery')
  if (node === root && others.length !== 2) throw unknown('a clause behind the statement')
}

function checkFunction({ name, parent }: Node, calls: Calls): void {
  if (parent?.kind === 'TableExpression') checkTableFunction(name)
  else if (!calls.allows(name) && !isWrittenFunction(name)) throw calls.refusal(name)
}

/** DESCRIBE answers with a table's columns, and with no row. */
const isDescribed = (table: Node, root: Node): boolean =>
  root.kind === 'DescribeQuery' && table.parent?.kind === 'TableExpression' && table.parent.parent === root

/** Of some tables there are the columns that the first fence puts in their place. */
function checkReduced(table: Node): void {
  const names = reducedTables.get(table.name)
  if (!names) return
  const [list, from, ...others] = table.parent?.parent?.parent?.parent?.children ?? []
  const columns = list?.kind === 'ExpressionList' ? list.children : []
  const isReduced =
    from?.kind === 'TablesInSelectQuery' &&
    from.children.length === 1 &&
    others.length === 0 &&
    columns.length === names.length &&
    columns.every(({ kind, name, alias }, i) => kind === 'Identifier' && name === names[i] && alias === undefined)
  if (!isReduced) throw denied(`${table.name} stands behind FROM or JOIN: of it there are ${names.join(', ')}`)
}

/** Whether it stands where IN takes a table: `x IN t`, `x IN (t)`, `in(x, t)`. */
const isMember = (node: Node): boolean => {
  const { parent } = node
  if (parent?.kind !== 'ExpressionList' || parent.children[0] === node) return false
  return parent.parent?.kind === 'Function' && membership.has(parent.parent.name.toLowerCase())
}

function checkTableName({ name }: Node, isTable: boolean, reach: Reach | undefined): void {
  if (/[/\\:]/.test(name)) throw denied(`${name} is no table`)
  const parts = name.split('.')
  if (reach) checkReach(parts, isTable, reach)
  checkTable(parts)
}

function checkMember(node: Node, reach: Reach | undefined): void {
  checkTableName(node, false, reach)
  checkReduced(node)
}

/** The database and the table that a SHOW or an EXISTS names. */
function checkNamed(root: Node, reach: Reach | undefined): void {
  const parts = root.children.slice(0, -2).flatMap(({ kind, name }) => (kind === 'Identifier' ? [name] : []))
  if (parts.length === 0) return
  if (reach) checkReach(parts, true, reach)
  checkTable(parts)
}
