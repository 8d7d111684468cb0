import test from 'ava'
import fc from 'fast-check'
import { result } from './compute.ts'
import '../../../support/random/seed.ts'

const hashOf = (lat: unknown, lon: unknown, ...length: readonly number[]) =>
  result('GEOHASH', ['lat', 'lon', ...length], 'STRING', { lat, lon })

const published: readonly (readonly [number, number, number, string])[] = [
  [42.6, -5.6, 5, 'ezs42'],
  [57.64911, 10.40744, 11, 'u4pruydqqvj'],
  [48.8583, 2.2944, 6, 'u09tun'],
  [-25.38262, -49.26561, 8, '6gkzwgjz'],
  [37.8324, 112.5584, 9, 'ww8p1r4t8'],
  [0, 0, 1, 's'],
  [-90, -180, 12, '000000000000'],
  [90, 180, 12, 'zzzzzzzzzzzz'],
]

for (const [lat, lon, length, hash] of published) {
  test(`the geohash of ${lat}, ${lon} is ${hash}`, (t) => {
    t.is(hashOf(lat, lon, length), hash)
    t.is(String(hashOf(lat, lon)).slice(0, length), hash)
    t.is(String(hashOf(lat, lon)).length, 12)
  })
}

test('a point off the map or without a coordinate has no geohash', (t) => {
  for (const [lat, lon] of [
    [90.1, 0],
    [0, -180.1],
    [null, 0],
    [0, undefined],
    ['1', 2],
  ])
    t.is(hashOf(lat, lon), undefined)
})

const distances: readonly (readonly [readonly number[], number])[] = [
  [[0, 0, 0, 0], 0],
  [[0, 0, 0, 90], (Math.PI / 2) * 6_371_000],
  [[0, 0, 0, 180], Math.PI * 6_371_000],
  [[90, 0, -90, 0], Math.PI * 6_371_000],
  [[10, 20, 11, 20], (Math.PI / 180) * 6_371_000],
  // Over the pole: latitude 100 is latitude 80 on the other side.
  [[100, 0, 80, 180], 0],
  [[0, 359, 0, 1], (Math.PI / 90) * 6_371_000],
]

const distanceOf = (lat1: unknown, lon1: unknown, lat2: unknown, lon2: unknown) =>
  result('GEO_DISTANCE', ['lat1', 'lon1', 'lat2', 'lon2'], 'DOUBLE', { lat1, lon1, lat2, lon2 })

for (const [[lat1, lon1, lat2, lon2], metres] of distances) {
  test(`from ${lat1}, ${lon1} to ${lat2}, ${lon2} it is ${Math.round(metres)} m`, (t) => {
    t.true(Math.abs(Number(distanceOf(lat1, lon1, lat2, lon2)) - metres) < 1)
  })
}

/** By the spherical law of cosines, which is another formula for the same angle. */
test('Kennedy to Heathrow is as far as the law of cosines has it', (t) => {
  const [a, b, c] = [40.6413, 51.47, 73.7781 - 0.4543].map((degrees) => (degrees * Math.PI) / 180) as [
    number,
    number,
    number,
  ]
  const angle = Math.acos(Math.sin(a) * Math.sin(b) + Math.cos(a) * Math.cos(b) * Math.cos(c))
  t.true(Math.abs(Number(distanceOf(40.6413, -73.7781, 51.47, -0.4543)) - angle * 6_371_000) < 1e-3)
})

test('a missing coordinate leaves the distance missing', (t) => {
  t.is(distanceOf(1, 2, null, 4), undefined)
  t.is(distanceOf(1, 2, 3, '4'), undefined)
})

/** By halving, as the definition has it. */
const halvings = (value: number, most: number): string => {
  let [low, high] = [-most, most]
  return Array.from({ length: 30 }, () => {
    const middle = (low + high) / 2
    if (value < middle) high = middle
    else low = middle
    return low === middle ? '1' : '0'
  }).join('')
}

test('a geohash is what halving gives, on the borders of cells too', (t) => {
  const degrees = (most: number) =>
    fc.oneof(
      fc.double({ min: -most, max: most, noNaN: true }),
      fc.integer({ min: 1, max: 1023 }).map((cell) => (cell * 2 * most) / 1024 - most),
      fc.constantFrom(-most, most, 0, -0, -5e-324, -1e-17, 1e-17),
    )
  fc.assert(
    fc.property(degrees(90), degrees(180), (lat, lon) => {
      const rows = halvings(lat, 90)
      const bits = [...halvings(lon, 180)].map((bit, index) => `${bit}${rows[index]}`).join('')
      const digits = bits.match(/.{5}/g)?.map((five) => '0123456789bcdefghjkmnpqrstuvwxyz'[Number.parseInt(five, 2)])
      return hashOf(lat, lon) === digits?.join('')
    }),
    { numRuns: 3000 },
  )
  t.pass()
})
