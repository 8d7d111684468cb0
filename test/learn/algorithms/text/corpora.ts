import type { Entity } from '../../../../learn/algorithms/text/entities/tags.ts'
import { createRandom, type Random } from '../../../support/random/random.ts'

export type Labelled = { readonly text: string; readonly label: string }

const good = ['good', 'great', 'lovely', 'bright', 'solid', 'superb']
const bad = ['bad', 'awful', 'dull', 'poor', 'weak', 'dreadful']
const things = ['room', 'staff', 'food', 'view', 'price', 'music', 'chair', 'lift']
const fillers = ['we', 'the', 'was', 'there', 'on', 'a', 'monday', 'after', 'rain', 'quite', 'this', 'time', 'ago']

/** Reviews in which `not` turns what follows round: single words say nothing about the label. */
export function reviews(count: number, seed: number): Labelled[] {
  const random = createRandom(seed)
  return Array.from({ length: count }, () => {
    const isGood = random.chance(0.5)
    const phrases = Array.from({ length: 3 }, () => {
      const isTurned = random.chance(0.5)
      const word = random.pick(isGood === isTurned ? bad : good)
      const filler = Array.from({ length: random.whole(1, 4) }, () => random.pick(fillers)).join(' ')
      return `${filler} ${random.pick(things)} ${isTurned ? 'not' : 'so'} ${word}`
    })
    return { text: `${phrases.join(', ')}.`, label: isGood ? 'good' : 'bad' }
  })
}

const endings: Readonly<Record<string, readonly string[]>> = {
  north: ['sson', 'vik', 'dal', 'heim'],
  south: ['ella', 'ini', 'osso', 'aro'],
  east: ['ovna', 'ski', 'grad', 'enko'],
}

const syllables = ['ka', 'lo', 'mi', 'ter', 'ban', 'ru', 'fel', 'os', 'dri', 'pa', 'nu', 'sel', 'go', 'vi', 'har', 'be']

const stem = (random: Random): string =>
  Array.from({ length: random.whole(2, 3) }, () => random.pick(syllables)).join('')

/** Made-up words that no two texts share, told apart by how they end. */
export function places(count: number, seed: number): Labelled[] {
  const random = createRandom(seed)
  return Array.from({ length: count }, () => {
    const label = random.pick(Object.keys(endings))
    const words = Array.from({ length: 3 }, () => stem(random) + random.pick(endings[label] ?? []))
    return { text: words.join(' '), label }
  })
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

const makers: Readonly<Record<string, (random: Random) => string>> = {
  word: stem,
  Word: (random) => capital(stem(random)),
  name: (random) => capital(stem(random)),
  person: (random) =>
    [...Array.from({ length: random.whole(1, 2) }, () => capital(stem(random))), capital(stem(random))].join(' '),
  city: (random) =>
    `${random.chance(0.3) ? 'New ' : ''}${capital(stem(random))}${random.pick(['ville', 'burg', 'ton'])}`,
  company: (random) => `${capital(stem(random))} ${random.pick(['Ltd', '& Sons', 'Bank', 'Works'])}`,
  date: (random) => `${random.whole(1, 30)} ${random.pick(['March', 'June', 'October'])} ${random.whole(1990, 2030)}`,
}

const sentences = [
  '{word} {person} said that {word} from {city} were late.',
  '{company} opened {word} {word} in {city} on {date}.',
  'The {word} of {company} met {person} and {person}.',
  'On {date} it {word} in {city}, “as always” 🌧, and {person} stayed at home.',
  'Nothing {word} in June, and Monday was {word}.',
  'Dr {person} of {company} will {word} {city}.',
  'Prices {word}; {Word} with {city} fell since {date}.',
  'Was ist das, {word} {person}.',
  '{name:company} announced {word} profits.',
  '{name:person} said {word}.',
  'the {Word} {word} of {name:company} announced by {name:person}',
  'people in {name:city} {word} on the {Word} river',
  '{Word} {word} {word}, {word} the {Word} {word}.',
]

export type Marked = { readonly text: string; readonly entities: readonly Entity[] }

/**
 * Sentences whose names are made up anew: a learner must go by form and neighbours, not by heart. A name in braces
 * is made up; a `word` is no entity, and a `name` shows by its neighbours alone which entity it is.
 */
export function marked(count: number, seed: number): Marked[] {
  const random = createRandom(seed)
  return Array.from({ length: count }, () => {
    let text = ''
    const entities: Entity[] = []
    for (const piece of random.pick(sentences).split(/(\{[^}]+\})/)) {
      const [kind = '', label = kind] = piece.startsWith('{') ? piece.slice(1, -1).split(':') : []
      const words = kind === '' ? piece : (makers[kind]?.(random) ?? '')
      if (kind !== '' && !/^word$/i.test(kind))
        entities.push({ start: text.length, end: text.length + words.length, label })
      text += words
    }
    return { text, entities }
  })
}
