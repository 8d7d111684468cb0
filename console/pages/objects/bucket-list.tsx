import { call } from '../../api/client.ts'
import { may } from '../../api/session.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { formatBytes, formatCount } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { pathOf } from '../../parts/paths.ts'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { Table } from '../../parts/table.tsx'
import { useInAddress } from '../../state/address.ts'
import { NewBucket } from './new-bucket.tsx'

const purposes: Readonly<Record<string, string>> = {
  ml_bucket_info: 'training files, models and predicted files',
  weir_udf_bucket: 'scripts that train models',
}

export function BucketList() {
  const [isNew, setNew] = useInAddress('new')
  const { value, refusal } = useAnswer((signal) => call('POST /brs/list/{flag}', { path: { flag: 1 }, signal }), [])
  const buckets = (value?.buckets ?? []).flatMap((each) => (typeof each === 'string' ? [] : [each]))
  return (
    <>
      <PageHead
        title="Objects"
        says="Files of any size in buckets: data to train on, models, whatever a program keeps."
      >
        {may('define') && (
          <button type="button" class="button main" onClick={() => setNew('1')}>
            <Icon name="plus" />
            New bucket
          </button>
        )}
      </PageHead>
      <RefusalBox refusal={refusal} />
      <div class="card">
        {!value && !refusal && <Skeleton lines={3} />}
        {buckets.length > 0 && (
          <Table label="Buckets" heads={['Bucket', { number: 'Objects' }, { number: 'Size' }]}>
            {buckets.map(({ bucket_name: name, issys, num_keys, total_size }) => (
              <tr key={name}>
                <td>
                  <a href={pathOf('objects', name)}>
                    <strong>{name}</strong>
                  </a>
                  {issys === 1 && <div class="small faint">Weir's own: {purposes[name] ?? 'of the service'}</div>}
                </td>
                <td class="number">{formatCount(num_keys)}</td>
                <td class="number soft">{formatBytes(total_size)}</td>
              </tr>
            ))}
          </Table>
        )}
      </div>
      {isNew === '1' && may('define') && <NewBucket onClose={() => setNew('')} />}
    </>
  )
}
