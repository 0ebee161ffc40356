/**
 * The cookie with the workspace that a user chose last. It grants no access, because each request checks the
 * membership.
 */
export const workspaceCookie = 'waystation.workspace'

/** Returns the cookie that chooses a workspace for a year, for `Set-Cookie` and for `document.cookie`. */
export const chooseWorkspace = (workspaceId: string): string =>
  `${workspaceCookie}=${encodeURIComponent(workspaceId)}; Max-Age=31536000; Path=/; SameSite=Lax`
