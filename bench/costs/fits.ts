/** Fits in turn with those of others on the same rows, in seconds of a core: the machine may have other work. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { kmeans } from '../../learn/algorithms/kmeans/algorithm.ts'
import { fitTextClasses } from '../../learn/algorithms/text/classes/fit.ts'
import { predictTextClasses } from '../../learn/algorithms/text/classes/predict.ts'
import { textClassesParameters } from '../../learn/algorithms/text/index.ts'
import { tree } from '../../learn/algorithms/tree/algorithm.ts'
import { decodeParameters } from '../../learn/parameters.ts'
import { createPoints, type Points } from '../models/data.ts'
import { sources } from '../quality/texts.ts'
import { median } from '../quantile.ts'
import { type Figure, ratio, seconds, whole } from '../report.ts'
import type { Size } from '../size.ts'
import { inTurnAtOnce } from '../turns.ts'
import { type Cost, openPeer, type PeerCase, writePoints } from './peer.ts'

const part = 'costs'
const wantedTimes = 2
const columns = 10
const clusters = 8
const trees = 100
const unseenRows = 20_000
const watch = { beat: () => {}, log: () => {} }

type Place = { readonly folder: string; readonly packages: string }
type Comparison = {
  readonly what: string
  readonly own: () => () => number
  readonly peers: readonly { readonly name: string; readonly peerCase: PeerCase }[]
  readonly shown: (score: number) => string
}

export async function fits(place: Place, { costRows, fits: most }: Size): Promise<Figure[]> {
  const rounds = Math.min(2, most)
  const training = createPoints(costRows, columns, 1)
  const unseen = createPoints(Math.min(costRows, unseenRows), columns, 2)
  const files = {
    training: await writePoints(join(place.folder, 'training'), training),
    unseen: await writePoints(join(place.folder, 'unseen'), unseen),
    columns,
  }
  const size = `${whole(costRows)} x ${columns}`
  const texts = await writeTexts(place, costRows)
  const comparisons: readonly Comparison[] = [
    {
      what: `TREE, ${size}, ${trees} trees of depth 6`,
      own: () => fitTrees(training, unseen),
      peers: [{ name: 'LightGBM, as deep', peerCase: { kind: 'trees', trees, ...files } }],
      shown: (score) => `accuracy ${score.toFixed(4)}`,
    },
    {
      what: `KMEANS, ${size}, ${clusters} clusters, by default`,
      own: () => fitClusters(training),
      peers: [{ name: 'KMeans', peerCase: { kind: 'clusters', clusters, ...files } }],
      shown: (score) => `squared distance ${score.toFixed(4)}`,
    },
    {
      what: `IE_SENT, ${whole(texts.training.length)} texts, by default`,
      own: () => fitTexts(texts, {}),
      peers: [
        { name: 'TF-IDF of characters + LogisticRegression', peerCase: { kind: 'characters', ...texts.files } },
        { name: 'TF-IDF of words + LogisticRegression', peerCase: { kind: 'words', ...texts.files } },
      ],
      shown: (score) => `accuracy ${score.toFixed(3)}`,
    },
    {
      what: `IE_SENT, ${whole(texts.training.length)} texts, words alone`,
      own: () => fitTexts(texts, { char_ngrams: 0 }),
      peers: [{ name: 'TF-IDF of words + LogisticRegression', peerCase: { kind: 'words', ...texts.files } }],
      shown: (score) => `accuracy ${score.toFixed(3)}`,
    },
  ]
  const figures: Figure[] = []
  for (const comparison of comparisons) figures.push(...(await compare(place, comparison, rounds)))
  return figures
}

async function compare({ packages }: Place, { what, own, peers, shown }: Comparison, rounds: number) {
  console.error(`${what} ...`)
  const opened = peers.map(({ peerCase }) => openPeer(packages, peerCase))
  try {
    const found = await inTurnAtOnce(rounds, {
      weir: async () => costOf(own),
      ...Object.fromEntries(opened.map((peer, i) => [`peer ${i}`, peer.work])),
    })
    const [weir = [], ...others] = Object.values(found)
    return others.map((costs, i): Figure => {
      const times = cpuOf(weir) / cpuOf(costs)
      const told = (all: readonly Cost[]) => `${seconds(cpuOf(all))}, ${shown(all[0]?.score ?? 0)}`
      return {
        part,
        what: `fit ${what}`,
        weir: told(weir),
        beside: `${peers[i]?.name}: ${told(costs)}; ${ratio(times)} x`,
        target: `${wantedTimes} x`,
        isMet: times <= wantedTimes,
      }
    })
  } finally {
    for (const peer of opened) await peer.close()
  }
}

const cpuOf = (costs: readonly Cost[]): number => median(costs.map(({ cpu }) => cpu))

/** Of the work alone: the score of what it made is found after it. */
function costOf(work: () => () => number): Cost {
  const [before, began] = [process.cpuUsage(), performance.now()]
  const score = work()
  const { user, system } = process.cpuUsage(before)
  return { cpu: (user + system) / 1e6, wall: (performance.now() - began) / 1000, score: score() }
}

const matrixOf = ({ values, classes }: Points) => ({ rows: classes.length, columns, values })

function fitTrees(training: Points, unseen: Points): () => number {
  const target = { kind: 'classes', labels: [0, 1], classes: training.classes } as const
  const parameters = decodeParameters(tree.parameters, { trees, early_stopping: 0 })
  const learned = tree.fit(matrixOf(training), target, parameters, watch)
  return () => shareOf(Array.from(learned.predict(matrixOf(unseen))), [...unseen.classes])
}

function fitClusters(training: Points): () => number {
  const parameters = decodeParameters(kmeans.parameters, { k: clusters })
  const learned = kmeans.fit(matrixOf(training), { kind: 'none' }, parameters, watch)
  return () => (learned.cluster?.(matrixOf(training)).inertia ?? 0) / training.classes.length
}

type Labelled = ReturnType<typeof sources>
type Texts = { readonly training: Labelled; readonly unseen: Labelled }

/** Each third text is unseen. */
async function writeTexts({ folder, packages }: Place, most: number) {
  const all = sources(packages).filter((_, i) => i % Math.max(1, Math.ceil(3200 / most)) === 0)
  const parts: Texts = { training: all.filter((_, i) => i % 3 !== 0), unseen: all.filter((_, i) => i % 3 === 0) }
  const files = { training: join(folder, 'training.json'), unseen: join(folder, 'unseen.json') }
  await writeFile(files.training, JSON.stringify(parts.training))
  await writeFile(files.unseen, JSON.stringify(parts.unseen))
  return { ...parts, files }
}

function fitTexts({ training, unseen }: Texts, asked: Readonly<Record<string, number>>): () => number {
  const labels = [...new Set(training.map(({ label }) => label))]
  const classes = Int32Array.from(training, ({ label }) => labels.indexOf(label))
  const model = fitTextClasses(
    training.map(({ text }) => text),
    { kind: 'classes', labels, classes },
    decodeParameters(textClassesParameters, asked),
    watch,
  )
  const [words, truth] = [unseen.map(({ text }) => text), unseen.map(({ label }) => label)]
  return () => shareOf(predictTextClasses(model, words), truth)
}

const shareOf = (predicted: readonly (number | string)[], truth: readonly (number | string)[]): number =>
  truth.filter((label, i) => label === predicted[i]).length / truth.length
