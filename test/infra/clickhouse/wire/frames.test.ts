import test from 'ava'
import { cityHash128 } from '../../../../base/city-hash.ts'
import { frame } from '../../../../infra/clickhouse/wire/frames.ts'

/** Bytes of a length, the same at each run. */
const sample = (length: number): Buffer => Buffer.from(Array.from({ length }, (_, i) => (i * 7 + length) % 251))

test('the hash equals the one of clickhouse-cityhash 1.0.2 (PyPI), for every way through it', (t) => {
  const hashes: Record<number, string> = {
    0: '82332263323914296566372529678324145705',
    1: '119649571101951460681854278447771281690',
    3: '65178789257313659002942689948013191469',
    4: '57437889783893889038296135003862502773',
    7: '102897488735005536065120257587540696016',
    8: '212568504405573625985821918933675268282',
    12: '106327815499389075429848583042819977430',
    15: '26936140832257985644134753332101663833',
    16: '104334835823053023268254760559737862087',
    17: '320229331459427716520009012797202772398',
    24: '77365393939805745255861865828430775695',
    31: '204625925818558719728135856928752437544',
    32: '231207129170206796928628341090901537532',
    33: '283547115534071022372732463627942329108',
    48: '211943520698140631942307710725831459523',
    100: '42969323077081822168136134405692632295',
    143: '289610069797457831903884534162210412200',
    144: '334707090446806670400129868079225984998',
    145: '71521199617989225324461616331967416181',
    176: '137183370078731109780425297534569280431',
    199: '250606119229382557788617657208835277584',
    257: '267239959790160479132721696343237381691',
    1000: '204909209971283481691924541799478269661',
    4096: '316805836878382296558723850237959163836',
    65545: '270505267081904975788733887897438578333',
  }
  for (const [length, expected] of Object.entries(hashes)) {
    const [low, high] = cityHash128(sample(Number(length)))
    t.true([low + (high << 64n), (low << 64n) + high].includes(BigInt(expected)), length)
  }
})

/** An LZ4 block of literals, unpacked by the format's own rules. */
function unpack(block: Buffer): Buffer {
  let length = (block[0] ?? 0) >> 4
  let at = 1
  if (length === 15) {
    let more = 255
    while (more === 255) {
      more = block[at++] ?? 0
      length += more
    }
  }
  endsAt(block, at + length)
  return block.subarray(at, at + length)
}

const endsAt = (block: Buffer, end: number): void => {
  if (block.length !== end) throw new Error(`a block of ${block.length} bytes ends at ${end}`)
}

test('a frame holds its bytes, their sizes and their checksum', (t) => {
  for (const length of [0, 1, 14, 15, 16, 269, 270, 271, 16_384]) {
    const bytes = sample(length)
    const whole = frame(bytes)
    t.is(whole[16], 0x82)
    t.is(whole.readUInt32LE(17), whole.length - 16)
    t.is(whole.readUInt32LE(21), length)
    t.deepEqual(unpack(whole.subarray(25)), bytes)
    t.deepEqual([whole.readBigUInt64LE(0), whole.readBigUInt64LE(8)], [...cityHash128(whole.subarray(16))])
  }
})
