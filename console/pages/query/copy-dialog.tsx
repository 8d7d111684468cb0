import { useState } from 'preact/hooks'
import { session } from '../../api/session.ts'
import { Code } from '../../parts/code.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { samplesOf } from './code-samples.ts'
import type { Statement } from './use-run.ts'

const languages = [
  ['curl', 'curl'],
  ['js', 'JavaScript'],
  ['python', 'Python'],
] as const

type CopyDialogProps = { readonly statement: Statement; readonly onClose: () => void }

export function CopyDialog({ statement, onClose }: CopyDialogProps) {
  const [chosen, choose] = useState<(typeof languages)[number][0]>('curl')
  const needsKey = session.value?.keys === 'required'
  const samples = samplesOf({ ...statement, origin: location.origin, needsKey })
  return (
    <Dialog title="Copy as code" isWide onClose={onClose}>
      <Tabs label="Language of the code" tabs={languages} chosen={chosen} onChoose={choose}>
        <div class="stack tight copy-sample">
          <Code text={samples[chosen]} />
          {needsKey && <p class="soft small">The key is read from the environment variable WEIR_KEY.</p>}
        </div>
      </Tabs>
    </Dialog>
  )
}
