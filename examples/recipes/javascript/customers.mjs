// The sum that one customer has spent, and the customers who spent most.
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { connect } from 'weir-client'

const weir = connect()
await weir.stream('customers', 'orders').sendMany(createInterface({ input: createReadStream('fixtures/customers.orders.ndjson') }))
const { spent } = await weir.query('select * from customers.profiles where customer = "bob"').first()
console.log(JSON.stringify({ bob: spent.sum }))
for await (const row of weir.saved('best_customers').rows({ n: 2 })) console.log(JSON.stringify(row))
