import { createRandom } from '../../test/support/random/random.ts'

const quarters = { centre: 1.35, hill: 1.2, north: 1, docks: 0.85 }
const heatings = { pump: 1.06, gas: 1, oil: 0.95 }

/**
 * 600 invented houses with their prices, as a CSV file with a header. A price is area times a price a square metre, by quarter,
 * heating, age and distance, and by chance (a deviation of 8 %). One cell in fifteen is missing, by several of
 * the ways in which people write that; the quarter of each house is known.
 */
export function pricesOfHouses(): string {
  const random = createRandom(7)
  const lines = Array.from({ length: 600 }, () => {
    const quarter = random.pick(Object.keys(quarters) as (keyof typeof quarters)[])
    const heating = random.pick(Object.keys(heatings) as (keyof typeof heatings)[])
    const rooms = random.whole(2, 8)
    const area = rooms * random.whole(16, 26)
    const built = random.whole(1900, 2024)
    const distance = random.whole(1, 150) / 10
    const square_metre = 3200 * quarters[quarter] * heatings[heating] * (1 - (2024 - built) / 400) * (1 - distance / 60)
    const price = Math.round((area * square_metre * (1 + 0.08 * random.normal())) / 1000) * 1000
    const unless = (cell: string | number, ...ways: readonly string[]) =>
      random.chance(1 / 15) ? random.pick(ways) : cell
    const numbers = [area, rooms, built].map((cell) => unless(cell, '', 'NA', '?'))
    return [...numbers, unless(heating, ''), quarter, unless(distance, '', 'NA'), price].join(',')
  })
  return `area,rooms,built,heating,quarter,distance,price\n${lines.join('\n')}\n`
}
