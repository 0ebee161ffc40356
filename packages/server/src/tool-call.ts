/** A call, as the server sends it. Treat it as a secret: anyone with its `answerUrl` can answer it. */
export type ToolCall = {
  /** Unique for each call, also across servers. Use it as the idempotency key of effects. */
  toolCallId: string
  /** The tool's name in the agent, which can differ from the name in the code. */
  toolName: string
  sessionId: string
  agentId: string
  input: unknown
  answerUrl: string
  /** The end of the time for an answer, in ISO 8601. */
  deadline: string
  /** True for a test by an editor. Its result is the response, because its `answerUrl` accepts no answer. */
  test?: true
}

const texts = ['toolCallId', 'toolName', 'sessionId', 'agentId', 'answerUrl', 'deadline'] as const

/** Reads a call from a body. Returns undefined for anything else, such as the event of a webhook. */
export function readCall(body: Uint8Array): ToolCall | undefined {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
  const call = Object(value) as ToolCall & { type?: unknown }
  if (call.type !== 'call.opened' || !texts.every(name => typeof call[name] === 'string')) return undefined
  if (!/^https?:\/\//.test(call.answerUrl) || Number.isNaN(Date.parse(call.deadline))) return undefined
  const { toolCallId, toolName, sessionId, agentId, input, answerUrl, deadline } = call
  const read = { toolCallId, toolName, sessionId, agentId, input, answerUrl, deadline }
  return call.test === true ? { ...read, test: true } : read
}
