export const modelPath = (schema: string, model: string): string =>
  `/console/models/${encodeURIComponent(schema)}/${encodeURIComponent(model)}`
