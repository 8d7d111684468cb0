// Mutants of algorithms that equal a reference.

export const algorithms = [
  {
    id: 'quantile-at-edge',
    breaks: 'A quantile is the lower edge of its bin, up to 1.6 % less than its values.',
    find: '+ ${2 ** ($fractionBits - 1)}))',
    put: '))',
    seenBy: ['quantiles of hard values are within one percent'],
  },
  {
    id: 'kafka-partition-by-chance',
    breaks: "A key's partition is not the one where Kafka's own clients put it.",
    find: '0x9747b28c',
    put: '0x9747b28d',
    seenBy: ['a key has the partition that Kafka gives it'],
  },
  {
    id: 'geohash-turned',
    breaks: 'Geohashes have longitude and latitude exchanged.',
    find: '$bit % 2 === 0 ? $column : $row',
    put: '$bit % 2 === 0 ? $row : $column',
    seenBy: ['the geohash of'],
  },
  {
    id: 'page-rank-damping',
    breaks: 'PageRank gives the wrong share to where a walk begins anew.',
    find: 'fill((1 - $damping + $damping * $dangling) / $size)',
    put: 'fill((1 - $damping) / $size)',
    seenBy: ['ranks, components and degrees are those that graphology finds'],
  },
  {
    id: 'scaling-left-out',
    breaks: 'A model that was trained on scaled values predicts with values as they are.',
    find: '[$shifted, $row(($n) => $n.factor)]',
    put: '[$shifted, $row(() => 1)]',
    seenBy: ['the graph encodes as a table is encoded, bit by bit, whatever the attributes hold'],
  },
  {
    id: 'one-class-nu-ignored',
    breaks: 'A one-class SVM leaves out half of the rows, whatever its nu.',
    find: 'Math.floor($settings.nu * $length)',
    put: 'Math.floor(0.5 * $length)',
    seenBy: [': support vectors, thresholds and predictions are those of LIBSVM'],
  },
  {
    id: 'folds-seen-in-training',
    breaks: 'Cross-validation trains on the rows that it then predicts.',
    find: 'const $rest = Int32Array.from({ length: $rows }, (_, $place) => $place).filter(($place) => $isHeld[$place] === 0)',
    put: 'const $rest = Int32Array.from({ length: $rows }, (_, $place) => $place).filter(($place) => $isHeld[$place] !== 2)',
    seenBy: ['cross-validation counts the rows that LIBSVM, trained on the other folds, labels wrong'],
  },
  {
    id: 'nearest-centre',
    breaks: 'k-means keeps points at a centre that is not the nearest one.',
    find: 'return Math.sqrt($nearest) / 2',
    put: 'return Math.sqrt($nearest)',
    seenBy: ["each row ends with the centre that a naive Lloyd's gives it from the same first centres"],
  },
]
