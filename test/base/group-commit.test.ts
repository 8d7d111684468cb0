import test from 'ava'
import { createGroupCommit } from '../../base/group-commit.ts'

const tick = () => new Promise((resolve) => setImmediate(resolve))

function recording() {
  const batches: string[][] = []
  const group = createGroupCommit<string, string>({
    async commit(operations) {
      batches.push([...operations])
      await tick()
      if (operations.includes('bad')) throw new Error('refused')
      return operations.map((operation) => operation.toUpperCase())
    },
    sizeOf: (operation) => operation.length,
    maxOperations: 4,
    maxBytes: 10,
  })
  return { batches, group }
}

test('what comes together, or while a commit is under way, shares one', async (t) => {
  const { batches, group } = recording()
  const first = ['a', 'b'].map((each) => group.write(each))
  while (batches.length === 0) await tick()
  const second = ['c', 'd', 'e'].map((each) => group.write(each))
  t.deepEqual(await Promise.all([...first, ...second]), ['A', 'B', 'C', 'D', 'E'])
  t.deepEqual(batches, [
    ['a', 'b'],
    ['c', 'd', 'e'],
  ])
})

test('a commit is bounded in operations and in bytes', async (t) => {
  const { batches, group } = recording()
  await Promise.all(
    ['a', '1', '2', '3', '4', '5', '123456', '12345', 'a very long one', 'z'].map((each) => group.write(each)),
  )
  t.deepEqual(batches, [['a', '1', '2', '3'], ['4', '5', '123456'], ['12345'], ['a very long one'], ['z']])
})

test('a commit that fails fails for those in it alone', async (t) => {
  const { batches, group } = recording()
  const before = group.write('a')
  while (batches.length === 0) await tick()
  const results = await Promise.allSettled([before, ...['bad', 'b'].map((each) => group.write(each))])
  t.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'rejected'],
  )
  t.is(await group.write('c'), 'C')
})

test('work of its own runs between commits, in the order of asking', async (t) => {
  const { batches, group } = recording()
  const writes = [group.write('a'), group.write('b')]
  const alone = group.alone(async () => {
    batches.push(['alone'])
    await tick()
    return 1
  })
  writes.push(group.write('c'))
  t.is(await alone, 1)
  await Promise.all(writes)
  t.deepEqual(batches, [['a', 'b'], ['alone'], ['c']])
  await t.throwsAsync(
    group.alone(() => Promise.reject(new Error('broken'))),
    { message: 'broken' },
  )
})

test('closing ends what was taken and takes nothing more', async (t) => {
  const { group } = recording()
  const writes = ['a', 'b'].map((each) => group.write(each))
  await group.close()
  t.deepEqual(await Promise.all(writes), ['A', 'B'])
  await t.throwsAsync(group.write('c'), { message: /being dropped/ })
})
