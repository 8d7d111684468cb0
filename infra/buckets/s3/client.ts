import { CompleteMultipartUploadCommand, PutObjectCommand, S3Client, UploadPartCommand } from '@aws-sdk/client-s3'

export type S3Settings = {
  readonly endpoint: string
  /** Begins every bucket's name in S3: 2 characters at least of `a-z 0-9 -`, the first no `-`. */
  readonly prefix: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly region?: string
}

const connects_ms = 5_000
/** How long the head of an answer is waited for: of most calls; of one that brings 8 MB; of one that joins all parts. */
const answers_ms = 10_000
const takes_ms = 60_000
const joins_ms = 600_000
/** Closes a socket on which nothing moves; long, since the reader of an object may be slow. */
const idle_ms = 600_000
const attempts = 2
/** More than the downloads that there may be at once (api/objects/downloads.ts). */
const maxSockets = 320

type Send = (command: object, ...more: readonly unknown[]) => unknown

/**
 * A client of which no call is without end: a server may stand still, and the SDK by itself would wait for it for ever.
 * The body of an object is not waited for here.
 */
export function createS3Client({ endpoint, region = 'us-east-1', accessKeyId, secretAccessKey }: S3Settings): S3Client {
  const client = new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
    maxAttempts: attempts,
    // Only some S3 servers know the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: connects_ms,
      requestTimeout: answers_ms,
      // Without it a timeout would only be a line in the log.
      throwOnRequestTimeout: true,
      socketTimeout: idle_ms,
      // Clients that read their downloads slowly hold a connection each, and take none from all other work.
      httpAgent: { maxSockets },
      httpsAgent: { maxSockets },
    },
  })
  // By its own options alone a call is given another time than the client's.
  const send = client.send.bind(client) as Send
  const patient: Send = (command, options) => send(command, { requestTimeout: patienceOf(command), ...(options ?? {}) })
  client.send = patient as S3Client['send']
  return client
}

function patienceOf(command: object): number {
  if (command instanceof CompleteMultipartUploadCommand) return joins_ms
  return command instanceof PutObjectCommand || command instanceof UploadPartCommand ? takes_ms : answers_ms
}
