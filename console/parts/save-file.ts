/** Files that the page hands to its reader. */

/** Hands bytes over as a download. */
export function saveBlob(name: string, blob: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

type Picker = (options: { readonly suggestedName: string }) => Promise<{
  createWritable(): Promise<WritableStream<Uint8Array>>
}>

/**
 * Saves an answer as it comes, where the browser lets a page write a file; elsewhere once it is there. The file is asked for
 * first: browsers allow that right after a click alone.
 */
export async function saveResponse(name: string, ask: () => Promise<Response>): Promise<void> {
  const picker = 'showSaveFilePicker' in window ? (window.showSaveFilePicker as Picker) : undefined
  const file = await picker?.({ suggestedName: name }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    return undefined
  })
  const response = await ask()
  if (file && response.body) await response.body.pipeTo(await file.createWritable())
  else saveBlob(name, await response.blob())
}
