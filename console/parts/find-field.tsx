import { useInAddress } from '../state/address.ts'
import { Empty } from './empty.tsx'
import { TextField } from './fields.tsx'

/** A list of fewer things is seen at a glance. */
const few = 8

/** The part of a list that the address asks to see, by the words of each thing; the field, and the words for an empty list. */
export function useFound<Thing>(thing: string, all: readonly Thing[], wordsOf: (thing: Thing) => string) {
  const [filter, setFilter] = useInAddress('q')
  const wanted = filter.trim().toLowerCase()
  const shown = all.filter((each) => wordsOf(each).toLowerCase().includes(wanted))
  return {
    shown,
    field: all.length > few && (
      <header>
        <div class="grow">
          <TextField label={`Find a ${thing}`} type="search" value={filter} onInput={setFilter} />
        </div>
      </header>
    ),
    none: shown.length === 0 && <Empty title={`No ${thing} is called like “${filter}”`} />,
  }
}
