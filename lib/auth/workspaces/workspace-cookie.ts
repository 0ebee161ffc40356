/**
 * The cookie with the workspace that a user chose last. It grants no access, because each request checks the
 * membership.
 */
export const workspaceCookie = 'waystation.workspace'
