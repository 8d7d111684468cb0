import { useState } from 'preact/hooks'
import { addressOf } from '../../api/client.ts'
import { session } from '../../api/session.ts'
import { Code } from '../../parts/code.tsx'
import { HelpLink } from '../../parts/help-link.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { callSamples, tokenSample } from './call-samples.ts'
import type { QuestionProps } from './definition.ts'

const languages = [
  ['curl', 'curl'],
  ['line', 'Command line'],
  ['js', 'JavaScript'],
  ['python', 'Python'],
] as const

/** How a program asks the question, and how a page of somebody does. */
export function CallTab({ described }: Pick<QuestionProps, 'described'>) {
  const [chosen, choose] = useState<(typeof languages)[number][0]>('curl')
  const needsKey = session.value?.keys === 'required'
  const sampled = { ...described, origin: location.origin, needsKey }
  return (
    <>
      <section class="card saved-inside stack" aria-label="From a program">
        <h2>From a program</h2>
        <Tabs label="Language of the code" tabs={languages} chosen={chosen} onChoose={choose}>
          <div class="copy-sample">
            <Code text={callSamples(sampled)[chosen]} />
          </div>
        </Tabs>
        <p class="small soft">
          {needsKey && 'The key is read from the environment variable WEIR_KEY. '}
          <code>format=CSV</code>, <code>Parquet</code> and others are files; <code>/live</code> in the place of{' '}
          <code>/rows</code> answers again whenever the answer has changed.{' '}
          <a
            href={addressOf('GET /saved/{saved}/openapi.json', { path: { saved: described.name } })}
            target="_blank"
            rel="noopener"
          >
            OpenAPI of this question
          </a>
        </p>
      </section>
      <section class="card saved-inside stack" aria-label="From a page for browsers">
        <h2>From a page for browsers</h2>
        <p>
          A backend asks for a token and hands it to its page, which shows it as a key is shown. The page asks this
          question alone, for the values in <code>fixed</code>, until the token ends.{' '}
          <HelpLink to="saved#who-may">What a key may be bound to</HelpLink>
        </p>
        <Code text={tokenSample(sampled)} />
        {!needsKey && (
          <p class="small soft">This service asks for no keys, so a token binds nobody here (API_KEYS=require).</p>
        )}
      </section>
    </>
  )
}
