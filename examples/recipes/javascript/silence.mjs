// Two devices send once; the alerts come as they are missed.
import { connect } from 'weir-client'

const weir = connect()
for (const device of ['pump', 'fan']) await weir.stream('devices', 'beats').send({ device })
const missed = []
for await (const { device } of weir.stream('devices', 'silent').live({ last: 2 })) {
  if (missed.push(device) === 2) break
}
for (const device of missed.toSorted()) console.log(JSON.stringify({ device }))
