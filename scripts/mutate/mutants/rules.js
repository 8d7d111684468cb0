// Mutants of what time decides: absence, sessions, windows by key.

export const rules = [
  {
    id: 'standing-clock-followed',
    breaks: 'The clock of silence stands still with a wall clock that does.',
    find: 'if (!$isSet) $room -= $drifted',
    put: '',
    seenBy: ['a wall clock that stands still, or goes at another rate, takes half a second at most'],
  },
  {
    id: 'absence-by-events-alone',
    breaks: 'Absence is told once other events come, and never by the clock.',
    find: 'else if ($wait[0] >= $byClock) break else add($key, $pk, $wait)',
    put: 'else break',
    seenBy: ['a device that falls silent is told once, not before its time and at most two seconds after it'],
  },
  {
    id: 'all-silent-in-one-turn',
    breaks: 'All keys that have fallen silent are told in one turn, and events wait until it has ended.',
    find: 'const maxDue = 250 ',
    put: 'const maxDue = 250_000 ',
    seenBy: ['tens of thousands of keys that fall silent in one second are told in short turns'],
  },
  {
    id: 'session-of-latest-event',
    breaks: 'An event that joins two sessions of its key leaves one of them out.',
    find: 'mine = $mine ? merged($mine, $session) : joined($session, $taken)',
    put: 'mine = joined($session, $taken)',
    seenBy: [
      'sessions of events that come late, ahead of their clock or not at all are those of a walk over all events',
    ],
  },
  {
    id: 'window-without-oldest-hop',
    breaks: 'A window leaves out the hop that overlaps its oldest end.',
    find: '} - ${($length + $hop) * 1e6 - 1} AND',
    put: '} - ${$length * 1e6 - 1} AND',
    seenBy: ["windows of 30 and 90 days over a feature store's sample are those of a walk over its rows"],
  },
]
