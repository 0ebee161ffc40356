import { chooseWorkspace } from '@waystation/protocol/workspace/workspace-cookie.ts'

/** Opens the sessions of a workspace. The server reads the choice from a cookie. */
export function enterWorkspace(workspaceId: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not everywhere yet
  document.cookie = chooseWorkspace(workspaceId)
  window.location.assign('/sessions')
}
