import { createRandom } from '../../test/support/random/random.ts'

const day_us = 86_400_000_000
const start_us = Date.UTC(2025, 0, 1) * 1000
const days = 540

type Order = { readonly _pk: number; readonly customer: string; readonly total: number; readonly late: number }

/**
 * Orders of 280 customers of an invented shop in 18 months, as JSON lines by time; `late` is the days by which a parcel came
 * late. After an order a customer leaves for good with a probability that grows with the mean and the greatest delay so far,
 * and falls with the number of orders.
 */
export function ordersOfShop(): string {
  const random = createRandom(31)
  const orders: Order[] = []
  for (let number = 1; number <= 280; number++) {
    const customer = `c${String(number).padStart(3, '0')}`
    const gap_days = random.whole(14, 34)
    const usual = random.whole(20, 120)
    // Some customers live where parcels come late.
    const remote = random.chance(0.3)
    const delays: number[] = []
    let day = random.next() * (days - 60)
    while (day < days) {
      const late = random.chance(remote ? 0.45 : 0.12) ? random.whole(1, 6) : 0
      delays.push(late)
      const total = Math.round(usual * (0.5 + random.next()) * 100) / 100
      orders.push({ _pk: start_us + Math.floor(day * day_us), customer, total, late })
      const mean = delays.reduce((sum, delay) => sum + delay, 0) / delays.length
      const odds = Math.exp(-3.1 + 1.3 * mean + 0.5 * Math.max(...delays) - 0.25 * Math.min(delays.length, 8))
      if (random.chance(odds / (1 + odds))) break
      day += gap_days * (0.4 + 1.2 * random.next())
    }
  }
  const byTime = orders.toSorted((a, b) => a._pk - b._pk)
  return byTime.map((order) => `${JSON.stringify(order)}\n`).join('')
}
