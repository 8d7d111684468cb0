# How far visitors came within a day: 1 looked, 2 filled a cart, 3 paid.
set -e
weir send funnel.steps fixtures/funnel.steps.ndjson >&2
weir saved funnel_levels --json
