/** The cookie with the workspace that a person chose last. It grants nothing: membership is looked up on each request. */
export const workspaceCookie = 'waystation.workspace'
