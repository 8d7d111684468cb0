import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { addressOf, call, fetchCall } from '../../api/client.ts'
import { may } from '../../api/session.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Crumbs } from '../../parts/crumbs.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Empty } from '../../parts/empty.tsx'
import { TextField } from '../../parts/fields.tsx'
import { formatBytes } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Pager } from '../../parts/pager.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { RemovalDialog } from '../../parts/removal-dialog.tsx'
import { saveResponse } from '../../parts/save-file.ts'
import { Skeleton } from '../../parts/skeleton.tsx'
import { Table } from '../../parts/table.tsx'
import { useAction } from '../../parts/use-action.ts'
import { useChangeAddress, useInAddress } from '../../state/address.ts'
import { hasKeys, keyHeaders } from './bucket-keys.ts'
import { KeysForm } from './keys-form.tsx'
import { Uploads } from './uploads.tsx'

const pageObjects = 100
const systemBuckets = new Set(['ml_bucket_info', 'weir_udf_bucket'])

/** The objects of a bucket, page by page; files are put into it, and taken out. */
export function BucketPage({ bucket }: { readonly bucket: string }) {
  const [prefix, setPrefix] = useInAddress('prefix')
  const [after] = useInAddress('after')
  const change = useChangeAddress()
  const [isGoing, setGoing] = useState(false)
  const [doomed, setDoomed] = useState<string>()
  const { route } = useLocation()
  const headers = keyHeaders(bucket)
  const { value, refusal, again } = useAnswer(
    (signal) =>
      call('POST /brs/object/list/{flag}', {
        path: { flag: 1 },
        query: { key: prefix, limit: pageObjects, after },
        body: { bucket_name: bucket },
        headers,
        signal,
      }),
    [bucket, prefix, after, headers],
  )
  const objects = value?.key_list ?? []
  const last = value?.more_data_to_come === 1 ? objects.at(-1)?.key : undefined
  const needsKeys = refusal?.status === 403 && may('read')

  return (
    <>
      <Crumbs steps={[['Objects', '/console/objects']]} />
      <PageHead title={bucket}>
        {may('define') && !systemBuckets.has(bucket) && refusal?.status !== 404 && (
          <button type="button" class="button" onClick={() => setGoing(true)}>
            <Icon name="trash" />
            Remove
          </button>
        )}
      </PageHead>
      <div class="stack">
        <RefusalBox refusal={refusal} />
        {needsKeys && <KeysForm bucket={bucket} />}
        {may('write') && !refusal && <Uploads bucket={bucket} prefix={prefix} onDone={again} />}
        {!refusal && (
          <section class="card">
            <div class="inside">
              <TextField
                label="Keys that begin with"
                type="search"
                value={prefix}
                onInput={(text) => change({ prefix: text, after: undefined })}
                isMono
                placeholder="2026/"
              />
            </div>
            {!value && <Skeleton lines={5} />}
            {value && objects.length === 0 && (
              <Empty title={prefix === '' ? 'The bucket is empty' : 'No key begins like that'} icon="objects">
                {prefix !== '' && (
                  <button type="button" class="button" onClick={() => setPrefix('')}>
                    All objects
                  </button>
                )}
              </Empty>
            )}
            {objects.length > 0 && (
              <Table
                label={`Objects of ${bucket}`}
                heads={['Key', { number: 'Size' }, { hidden: 'Actions' }]}
                class="rows-table"
              >
                {objects.map(({ key, size = 0 }) => (
                  <tr key={key}>
                    <td class="mono object-key">{key}</td>
                    <td class="number soft">{formatBytes(size)}</td>
                    <td>
                      <span class="row end nowrap">
                        <Download bucket={bucket} name={key} />
                        {may('write') && (
                          <button
                            type="button"
                            class="button small quiet"
                            aria-label={`Remove ${key}`}
                            onClick={() => setDoomed(key)}
                          >
                            <Icon name="trash" />
                          </button>
                        )}
                      </span>
                    </td>
                  </tr>
                ))}
              </Table>
            )}
            {value && (
              <Pager
                things="objects"
                isFirst={after === ''}
                onFirst={() => change({ after: undefined })}
                onNext={last === undefined ? undefined : () => change({ after: last }, 'push')}
              />
            )}
          </section>
        )}
      </div>
      {doomed !== undefined && (
        <RemoveObject
          bucket={bucket}
          name={doomed}
          onClose={() => setDoomed(undefined)}
          onGone={() => {
            setDoomed(undefined)
            again()
          }}
        />
      )}
      {isGoing && (
        <RemovalDialog
          title={`Remove bucket ${bucket}?`}
          things="objects"
          canUndo
          dryRun={async (signal) => {
            const body = { bucket_name: bucket }
            const answer = await call('POST /brs/bucket/delete', { query: { dry: 1 }, body, headers, signal })
            return 'would_delete' in answer ? answer : { would_delete: [] }
          }}
          remove={async (undo) => {
            const body = { bucket_name: bucket, ...(undo === undefined && { force: 1 }) }
            await call('POST /brs/bucket/delete', { query: { undo }, body, headers })
          }}
          onClose={() => setGoing(false)}
          onGone={() => route('/console/objects')}
        />
      )}
    </>
  )
}

type OfObject = { readonly bucket: string; readonly name: string }

/** A link, which the browser follows without holding the object; a bucket with keys is asked by a request that has them. */
function Download({ bucket, name }: OfObject) {
  const path = { bucket, key: name }
  const file = name.split('/').at(-1) ?? name
  const loading = useAction()
  const label = (
    <>
      <Icon name="download" />
      <span class="object-action">Download</span>
    </>
  )
  if (!hasKeys(bucket))
    return (
      <a
        class="button small"
        aria-label={`Download ${name}`}
        href={addressOf('GET /brs/{bucket}/object/{key}', { path })}
        download={file}
      >
        {label}
      </a>
    )
  const load = () =>
    loading.run(async () => {
      await saveResponse(file, () => fetchCall('GET /brs/{bucket}/object/{key}', { path, headers: keyHeaders(bucket) }))
    })
  return (
    <button
      type="button"
      class="button small"
      aria-label={`Download ${name}`}
      disabled={loading.isRunning}
      onClick={() => void load()}
    >
      {label}
    </button>
  )
}

function RemoveObject({
  bucket,
  name,
  onClose,
  onGone,
}: OfObject & { readonly onClose: () => void; readonly onGone: () => void }) {
  const removal = useAction()
  const remove = async () => {
    const isDone = await removal.run(async () => {
      const path = { bucket, key: name }
      await call('DELETE /brs/{bucket}/object/{key}', { path, headers: keyHeaders(bucket) })
    })
    if (isDone) onGone()
  }
  return (
    <Dialog title="Remove the object?" onClose={onClose}>
      <p class="mono object-key">{name}</p>
      <p class="soft">It cannot be brought back.</p>
      <RefusalBox refusal={removal.refusal} />
      <div class="actions">
        <button type="button" class="button" onClick={onClose}>
          Keep it
        </button>
        <button type="button" class="button danger" disabled={removal.isRunning} onClick={() => void remove()}>
          Remove it
        </button>
      </div>
    </Dialog>
  )
}
