/** A statistic over a moving time, within the text of a condition: `1.1 * avg(orders.price, 5m)`. */
import { type MarginWord, type MovingText, readMovingText } from '../decode/moving.ts'
import { readDuration, shownDuration } from './scalars.ts'
import type { Tokens } from './tokens.ts'

const movingFunctions = ['avg', 'sum', 'std', 'min', 'max', 'count'] as const

/** A number of an exact decimal form: `digits` / 10 ** `places`. */
type Decimal = { readonly digits: bigint; readonly places: number }

const decimalOf = (text: string): Decimal => {
  const [whole = '', fraction = ''] = text.split('.')
  return { digits: BigInt(`${whole}${fraction}`), places: fraction.length }
}

/** A fraction loses the zeros at its end. */
function withoutZeros(fraction: string): string {
  let end = fraction.length
  while (fraction[end - 1] === '0') end--
  return fraction.slice(0, end)
}

function shownDecimal({ digits, places }: Decimal): string {
  const padded = String(digits < 0n ? -digits : digits).padStart(places + 1, '0')
  const [whole, fraction] = [padded.slice(0, padded.length - places), padded.slice(padded.length - places)]
  const trimmed = withoutZeros(fraction)
  return `${digits < 0n ? '-' : ''}${whole}${trimmed === '' ? '' : `.${trimmed}`}`
}

/** `more_10` is a factor of 1.1, `less_10` one of 0.9. */
function factorOf(word: MarginWord, percent: string): string {
  const { digits, places } = decimalOf(percent)
  const one = 10n ** BigInt(places + 2)
  return shownDecimal({ digits: word === 'LESS' ? one - digits : one + digits, places: places + 2 })
}

function marginOf(factor: string): string {
  const isNegative = factor.startsWith('-')
  const { digits, places } = decimalOf(isNegative ? factor.slice(1) : factor)
  const difference = (isNegative ? -digits : digits) - 10n ** BigInt(places)
  const percent = shownDecimal({ digits: (difference < 0n ? -difference : difference) * 100n, places })
  return `${difference < 0n ? 'LESS' : 'MORE'}_${percent}`
}

const name = /^[A-Za-z_][A-Za-z0-9_.]*$/

/** The words of a moving value of the wire; undefined where its text makes no sense. */
export function shownMoving(text: string): string | undefined {
  const said = readMovingText(text)
  if ('problem' in said || ![said.path, said.by ?? said.path].every((each) => name.test(each))) return undefined
  const { statistic, path, by, seconds, margin } = said
  const call = `${statistic.toLowerCase()}(${path}${by === undefined ? '' : ` by ${by}`}, ${shownDuration(seconds)})`
  if (margin === undefined) return call
  const [word, amount] = margin
  if (word === 'MORE' || word === 'LESS') return `${factorOf(word, amount)} * ${call}`
  return `${call} ${word === 'ABSMORE' ? '+' : '-'} ${shownDecimal(decimalOf(amount))}`
}

const unitOf = (seconds: number): string => {
  if (seconds % 86_400 === 0) return `DAY_${seconds / 86_400}`
  return seconds % 3600 === 0 ? `HOUR_${seconds / 3600}` : `MINUTE_${seconds / 60}`
}

const isCall = (tokens: Tokens): boolean => {
  const behind = tokens.next.kind === 'name' ? tokens.peek() : undefined
  return behind?.kind === 'symbol' && behind.text === '('
}

/** Whether what comes next is a moving value: a call of a function, or a factor of one. */
export const isMovingNext = (tokens: Tokens): boolean => {
  if (isCall(tokens)) return true
  const behind = tokens.next.kind === 'number' ? tokens.peek() : undefined
  return (behind?.kind === 'symbol' && behind.text === '*') || tokens.isSymbol('-')
}

const plain = /^\d{1,15}(\.\d{1,15})?$/

function takeNumber(tokens: Tokens, what: string): string {
  const isNegative = tokens.accept('-')
  const { next } = tokens
  if (next.kind !== 'number' || !plain.test(next.text)) throw tokens.expected(what)
  tokens.take()
  return isNegative ? `-${next.text}` : next.text
}

function takeCall(tokens: Tokens): Pick<MovingText, 'path' | 'by' | 'seconds'> & { readonly name: string } {
  const name = tokens.next
  if (!isCall(tokens)) throw tokens.expected(`a statistic over a time, such as avg(orders.price, 5m)`)
  const known = movingFunctions.find((each) => each === name.text.toLowerCase())
  if (known === undefined)
    throw tokens.refusal(`${name.text} is no statistic over a time; known are ${movingFunctions.join(', ')}`)
  tokens.take()
  tokens.take()
  const path = tokens.next
  if (path.kind !== 'name') throw tokens.expected('stream.attribute')
  tokens.take()
  const by = tokens.acceptWord('by') ? tokens.next : undefined
  if (by !== undefined) {
    if (by.kind !== 'name') throw tokens.expected('the attribute by which it is')
    tokens.take()
  }
  if (!tokens.accept(',')) throw tokens.expected("',' and a time such as 5m")
  const time = tokens.next
  const seconds = time.kind === 'duration' ? readDuration(time.text) : undefined
  if (seconds === undefined) throw tokens.expected('a time such as 5m')
  if (seconds === 0 || seconds % 60 !== 0) throw tokens.refusal('must be whole minutes')
  tokens.take()
  if (!tokens.accept(')')) throw tokens.expected("')'")
  return { name: known, path: path.text, ...(by && { by: by.text }), seconds }
}

/** The text that the wire has for the moving value that comes next. */
export function takeMoving(tokens: Tokens): string {
  const factor = isCall(tokens) ? undefined : takeNumber(tokens, 'a factor')
  if (factor !== undefined && !tokens.accept('*')) throw tokens.expected("'*'")
  const call = takeCall(tokens)
  const after = factor === undefined && tokens.accept('*') ? takeNumber(tokens, 'a factor') : factor
  const sign = tokens.accept('+') ? 'ABSMORE' : tokens.accept('-') ? 'ABSLESS' : undefined
  if (sign !== undefined && after !== undefined) throw tokens.refusal('a factor and an amount do not go together')
  const margin =
    sign !== undefined
      ? `${sign}_${takeNumber(tokens, 'an amount')}`
      : after === undefined
        ? undefined
        : marginOf(after)
  if (margin !== undefined && !plain.test(margin.slice(margin.indexOf('_') + 1)))
    throw tokens.refusal(`the margin ${margin} has too many digits`)
  const of = call.by === undefined ? call.path : `${call.path} by ${call.by}`
  return `${call.name}(${[of, unitOf(call.seconds), ...(margin === undefined ? [] : [margin])].join(', ')})`
}
