/**
 * Time limits of the calls, in milliseconds. `complete` limits the silence between two parts, and the whole
 * call.
 */
export const deadlines = {
  register: 10_000,
  health: 2_000,
  getManifest: 10_000,
  listTools: 10_000,
  executeTool: 60_000,
  listViews: 10_000,
  renderView: 10_000,
  handleRoute: 30_000,
  onEvent: 5_000,
  complete: { silence: 120_000, whole: 600_000 }
}

const kib = 1024
const mib = 1024 * kib

/** Limit of one message on the wire, in bytes. A larger message is not read. */
export const maxMessageBytes = 16 * mib

/**
 * Limits of a plugin's answers: characters of text, bytes of bodies, and numbers of entries. Larger answers are
 * invalid.
 */
export const limits = {
  manifest: 256 * kib,
  metadata: { entries: 50, key: 100, value: 1_000 },
  tools: 200,
  toolName: 64,
  toolDescription: 4_000,
  schema: 64 * kib,
  /** All tools together, because parsing each schema takes time. */
  schemas: mib,
  result: mib,
  completion: 8 * mib,
  callId: 200,
  views: 50,
  viewName: 64,
  label: 100,
  routes: 100,
  path: 500,
  hcl: mib,
  body: 4 * mib,
  headers: { entries: 100, key: 200, value: 8 * kib },
  streamMessage: mib,
  payload: 4 * mib,
  words: 2_000
}
