import type { Context } from 'koa'
import type { Page } from './files.ts'
import { pageHeaders } from './headers.ts'

/** Browsers say that they take HTML; programs that take anything, or name JSON, get JSON. */
export function wantsHtml({ req: { headers } }: Pick<Context, 'req'>): boolean {
  const { accept = '' } = headers
  return /\btext\/html\b/i.test(accept) && !/\bapplication\/json\b/i.test(accept)
}

/** Answers with the page, of which each address shows another part. */
export function showPage(context: Context, page: Page): void {
  context.set({ ...pageHeaders, ETag: page.tag })
  context.vary('Accept')
  context.status = 200
  if (context.fresh) {
    context.status = 304
    return
  }
  context.type = 'text/html'
  context.body = page.html
}
