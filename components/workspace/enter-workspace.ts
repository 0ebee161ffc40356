import { chooseWorkspace } from '@waystation/protocol/workspace/workspace-cookie.ts'

/** Opens the sessions of a workspace. */
export function enterWorkspace(workspaceId: string): void {
  rememberWorkspace(workspaceId)
  window.location.assign('/sessions')
}

/** Makes the server render the next pages for this workspace. It reads the choice from a cookie of all tabs. */
export function rememberWorkspace(workspaceId: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not everywhere yet
  document.cookie = chooseWorkspace(workspaceId)
}
