import test from 'ava'
import { isSilencedBy } from '../../../../activities/saved/watch/silences.ts'
import type { Json } from '../../../../base/json.ts'

type Values = Readonly<Record<string, Json>>

for (const [silence, key, is] of [
  [{}, { page: 'home' }, true],
  [{ page: 'home' }, { page: 'home', n: 1 }, true],
  [{ page: 'home' }, { page: 'shoes', n: 1 }, false],
  [{ n: '5' }, { n: 5 }, true],
  [{ n: 5 }, { n: '5' }, true],
  [{ n: '5' }, { n: 50 }, false],
  [{ n: 9007199254740993n }, { n: 9007199254740993n }, true],
  [{ n: '9007199254740993' }, { n: 9007199254740992n }, false],
  [{ page: null }, { page: null }, true],
  [{ page: 'null' }, { page: null }, false],
  [{ page: null }, { page: 'null' }, false],
  [{ page: 'undefined' }, {}, false],
] as const satisfies readonly (readonly [Values, Values, boolean])[]) {
  const shown = (values: Values): string =>
    Object.entries(values)
      .map(([name, value]) => `${name} ${typeof value} ${value}`)
      .join()
  test(`a silence of [${shown(silence)}] ${is ? 'silences' : 'leaves'} the alert of [${shown(key)}]`, (t) => {
    const isSilenced = isSilencedBy([{ name: 'w', key: silence, until: 1, why: 'x' }], 'w')
    t.is(isSilenced({ key }), is)
    t.false(isSilencedBy([{ name: 'other', key: silence, until: 1, why: 'x' }], 'w')({ key }))
  })
}
