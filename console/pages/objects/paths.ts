export const bucketPath = (bucket: string): string => `/console/objects/${encodeURIComponent(bucket)}`
