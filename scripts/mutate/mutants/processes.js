// Mutants of processes that share a catalogue.

export const processes = [
  {
    id: 'lease-not-checked',
    breaks: 'A process takes a lease that another one holds.',
    find: 'if (!isFree($subject, $before) || (',
    put: 'if ((',
    seenBy: [
      'a lease that its holder does not give back passes on once the holder is silent, and subjects do not meet',
    ],
  },
  {
    id: 'lease-outlived',
    breaks: 'A process that was held up too long takes itself for the holder of its lease.',
    find: 'if ($time.now() - $renewed > $patience) $lose()',
    put: '',
    seenBy: [
      'a holder that ClickHouse has not answered for ten seconds takes itself for one no more, before another can',
    ],
  },
  {
    id: 'lease-without-fence',
    breaks: 'ClickHouse takes a write of a process whose lease another one has by now.',
    find: 'text: `${$text} WHERE ${$isNewest}`',
    put: 'text: `${$text} WHERE ${$isNewest.length} > 0`',
    seenBy: [
      'ClickHouse refuses a write under a lease that another process has by now, and its holder knows from then on',
    ],
  },
  {
    id: 'migrations-by-each',
    breaks: 'Processes that start together on the tables of an older release each bring them up to date.',
    find: ': alone(() => applyMissing($clickhouse)))',
    put: ': applyMissing($clickhouse))',
    seenBy: ['two processes that start on what'],
  },
]
