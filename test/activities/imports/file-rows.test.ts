/** Rows of CSV of several lines: which lines belong to one that is refused. */
import test from 'ava'
import { rowsOfText } from '../../../activities/imports/file-rows.ts'

const megabyte = 1024 * 1024

const short = (text: string): string => (text.length > 100 ? `${text.length} characters` : text)

/** The rows as text by their numbers; the pieces are cut in the midst of all things. */
async function read(file: Buffer, piece = 700_001): Promise<[number, string][]> {
  async function* pieces() {
    for (let at = 0; at < file.length; at += piece) yield file.subarray(at, at + piece)
  }
  const all: [number, string][] = []
  for await (const rows of rowsOfText(pieces(), 'CSV'))
    for (const row of rows)
      all.push([row.row, short('cells' in row ? [...row.cells.values()].join('|') : 'reason' in row ? row.reason : '')])
  return all
}

const tooLong = 'a row has more than 16 Mi characters'
const noText = 'the row is no UTF-8'

test('a row of several lines has 16 Mi characters at most, and no line of a longer one is a row', async (t) => {
  const lines = (characters: number) => '7,x\n'.repeat(characters / 4)
  const fits = lines(16 * megabyte - 8)
  const count = fits.length / 4
  const found = await read(Buffer.from(`n,s\n1,"${fits}"\n2,"${fits}7,x\n7,x\n"\n3,a\n4,"${fits}${fits}`))
  t.is(found.length, 4)
  t.deepEqual(found, [
    [2, `${2 + fits.length} characters`],
    [3 + count, tooLong],
    [6 + 2 * count, '3|a'],
    [7 + 2 * count, `${tooLong}: a quoted cell of the row has no closing quote`],
  ])
})

test('a line that is no UTF-8 or too long costs the whole of its row, and no line of it is one', async (t) => {
  const bad = Buffer.from([0xff])
  const long = 'x'.repeat(17 * megabyte)
  const file = Buffer.concat([
    ...[Buffer.from('n,s\n1,"a\n'), bad, Buffer.from('\n7,x\n"\n2,"'), bad, Buffer.from('\n7,x\n"\n3,"a\n')],
    Buffer.from(`""${long}""\n7,x\n"\n4,"${long}\n7,x\n"\n5,b\n6,"${long}"\n7,c\n`),
  ])
  t.deepEqual(await read(file), [
    [2, noText],
    [6, noText],
    [9, tooLong],
    [13, tooLong],
    [16, '5|b'],
    [17, tooLong],
    [18, '7|c'],
  ])
  t.deepEqual(await read(Buffer.concat([Buffer.from('n,s\n1,"'), bad])), [
    [2, `${noText}: a quoted cell of the row has no closing quote`],
  ])
})
