import { createClient } from '@waystation/client'

/**
 * The client of the page's own server. It sends the user's cookie. It makes one attempt for each request, so
 * that an error shows at once. The pages that poll repeat their requests anyway.
 *
 * It names the workspace that the server rendered the page for, because another tab can choose another one.
 */
export const client = createClient({ url: '', tries: 1, ...workspaceOfPage() })

function workspaceOfPage(): { workspace?: string } {
  const meta = globalThis.document?.querySelector<HTMLMetaElement>('meta[name="waystation-workspace"]')
  return meta?.content ? { workspace: meta.content } : {}
}
