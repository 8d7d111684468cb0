import { createRandom } from '../../test/support/random/random.ts'

const things = ['kettle', 'lamp', 'backpack', 'keyboard', 'tent', 'blender', 'chair', 'headset']
const openings = ['Bought the %', 'The % came on Tuesday', 'My second %', 'A % for my sister', 'I use the % every day']
const plain = ['it is blue', 'the box was large', 'I ordered it in May', 'it has two buttons', 'the manual is short']
const good = [
  ...['works perfectly', 'feels solid', 'easy to clean', 'better than I hoped', 'worth every cent', 'arrived early'],
  ...['my family loves it', 'very quiet', 'would buy it again', 'a pleasure to use', 'no problem so far'],
]
const bad = [
  ...['broke after a week', 'feels cheap', 'hard to clean', 'worse than I hoped', 'not worth the money'],
  ...['arrived late', 'I sent it back', 'far too loud', 'would not buy it again', 'a pain to use'],
  'nothing but problems',
]

/**
 * 400 invented reviews, a line each: a label, a tab and a text. One in four is bad, one in four has a word for the other side,
 * and one in eight no opinion of its own side.
 */
export function reviewsOfThings(): string {
  const random = createRandom(11)
  const lines = Array.from({ length: 400 }, () => {
    const isGood = random.chance(0.75)
    const [own, other] = isGood ? [good, bad] : [bad, good]
    const opening = random.pick(openings).replace('%', random.pick(things))
    const opinions = random.pick([0, 1, 1, 1, 1, 2, 2, 2])
    const parts = Array.from({ length: opinions }, () => random.pick(own))
    if (opinions === 0 || random.chance(0.5)) parts.push(random.pick(plain))
    const but = random.chance(0.25) ? `, but ${random.pick(other)}` : ''
    return `${isGood ? 'good' : 'bad'}\t${opening}: ${parts.join(', ')}${but}.`
  })
  return `${lines.join('\n')}\n`
}
