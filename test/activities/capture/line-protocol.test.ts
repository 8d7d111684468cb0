/** The points that lines of line protocol are, and why a line is refused. */
import test from 'ava'
import { LineReader, lineTextOf, type Point } from '../../../activities/capture/line-protocol.ts'

function read(body: string | Buffer): { points: Point[]; refused: string[] } {
  const reader = new LineReader(lineTextOf(Buffer.from(body)))
  const [points, refused]: [Point[], string[]] = [[], []]
  for (let each = reader.next(); each; each = reader.next())
    if ('point' in each) points.push(each.point)
    else refused.push(`${each.line}: ${each.error.message}`)
  return { points, refused }
}

const taken: readonly (readonly [line: string, point: Point])[] = [
  ['m v=1', { measurement: 'm', tags: [], fields: [['v', 1]] }],
  [
    'm,a=b,c=d v=1.5,w=-2e3 17',
    {
      measurement: 'm',
      tags: [
        ['a', 'b'],
        ['c', 'd'],
      ],
      fields: [
        ['v', 1.5],
        ['w', -2000],
      ],
      time: 17n,
    },
  ],
  ['m\\ \\,\\ n,a\\=\\ b=c\\,d v\\ w=1', { measurement: 'm , n', tags: [['a= b', 'c,d']], fields: [['v w', 1]] }],
  ['m v="a \\"b\\" \\\\ , = c"', { measurement: 'm', tags: [], fields: [['v', 'a "b" \\ , = c']] }],
  ['m v="two\nlines" 5', { measurement: 'm', tags: [], fields: [['v', 'two\nlines']], time: 5n }],
  [
    'm v=t,w=False,x=12i,y=18446744073709551615u',
    {
      measurement: 'm',
      tags: [],
      fields: [
        ['v', true],
        ['w', false],
        ['x', 12],
        ['y', 18446744073709551615n],
      ],
    },
  ],
  [
    '  # a comment\r\n\r\nmäß,ort=Köln v="ß"\r\n',
    { measurement: 'mäß', tags: [['ort', 'Köln']], fields: [['v', 'ß']] },
  ],
]

for (const [line, point] of taken)
  test(`${JSON.stringify(line)} is read`, (t) => {
    t.deepEqual(read(line), { points: [point], refused: [] })
  })

const refused: readonly (readonly [line: string, why: RegExp])[] = [
  ['m', /a space and a field come behind the measurement, not "\\n"/],
  ['m,a v=1', /tag "a": = comes behind its key, not " "/],
  ['m,a= v=1', /tag "a": has no value/],
  ['m,a=1,a=2 v=1', /tag "a": is there twice/],
  ['m v=', /field "v": "" is no number/],
  ['m v=1,', /the key of a field comes here, not "\\n"/],
  ['m v=9223372036854775808i', /is no number, no integer within 64 bits/],
  ['m v=-1u', /is no number/],
  ['m v=1e400', /is no number/],
  ['m v="a', /no quote ends its text/],
  ['m v=1 12 13', /the end of the line comes behind the time, not "1"/],
  ['m v=1 12x', /the end of the line comes behind the fields and their time, not "x"/],
  ['m v=1 99999999999999999999', /is no integer of 64 bits/],
  [',a=b v=1', /a measurement begins a line, not ","/],
]

for (const [line, why] of refused)
  test(`${JSON.stringify(line)} is refused, and the lines round it are read`, (t) => {
    const around = line.includes('"a') ? read(`a v=1\n${line}`) : read(`a v=1\n${line}\nb v=2`)
    t.is(around.refused.length, 1)
    t.regex(around.refused[0] ?? '', why)
    t.regex(around.refused[0] ?? '', /^2: /)
    t.is(around.points.length, line.includes('"a') ? 1 : 2)
  })

test('bytes that are no UTF-8 cost their own line alone', (t) => {
  const body = Buffer.concat([Buffer.from('a v="ü"\nb v="'), Buffer.from([0xff]), Buffer.from('"\nc,x=ö v=1\n')])
  const { points, refused } = read(body)
  t.deepEqual(refused, ['2: field "v" is no UTF-8'])
  t.deepEqual(
    points.map(({ measurement, tags, fields }) => [measurement, tags, fields]),
    [
      ['a', [], [['v', 'ü']]],
      ['c', [['x', 'ö']], [['v', 1]]],
    ],
  )
})

test('hostile texts take a linear time', (t) => {
  const size = 200_000
  const hostile = {
    'no quote ends it': `${'m v="a\\'.repeat(size / 7)}`,
    'a quote a line, none ends': 'm v="\n'.repeat(size / 6),
    digits: `m v=${'1'.repeat(size)}x`,
    'an integer': `m v=${'1'.repeat(size)}i`,
    'a time': `m v=1 ${'1'.repeat(size)}`,
    backslashes: `m${'\\ '.repeat(size / 2)}`,
    tags: `m${',a=b'.repeat(size / 4)} v=1`,
    'blank lines': '\n'.repeat(size),
    comments: '#\n'.repeat(size / 2),
    'comments that are refused': '#\t\n'.repeat(size / 3),
    'refused lines': 'm\n'.repeat(size / 2),
    spaces: `m${' '.repeat(size)}`,
  }
  for (const [name, text] of Object.entries(hostile)) {
    const before = process.cpuUsage()
    read(text)
    t.true(process.cpuUsage(before).user < 10_000_000, name)
  }
})
