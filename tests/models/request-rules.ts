/** A JSON value of a request, whose fields are read without a schema. */
// biome-ignore lint/suspicious/noExplicitAny: requests of seven protocols, which these rules check
type Json = any

/**
 * Returns the documented rules that a request breaks, by protocol. A provider would reject the request, or answer
 * without its own earlier reasoning.
 */
export const brokenRules = (protocol: string, body: Json): string[] => rulesOf[protocol]?.(body) ?? []

const nameOfTool = /^[a-zA-Z0-9_-]{1,64}$/
const isBlank = (text: unknown) => typeof text !== 'string' || text.trim() === ''
const list = (value: Json): Json[] => (Array.isArray(value) ? value : [])

/** Collects the broken rules. */
function rules() {
  const broken: string[] = []
  return { broken, expect: (holds: boolean, rule: string) => void (holds || broken.push(rule)) }
}

/** Calls and results by the messages that contain them: the results of a message's calls are in the next message. */
type Turn = { role: string; calls: string[]; results: string[]; firstAreResults?: boolean }

function checkTurns(turns: Turn[], idPattern: RegExp, alternates: boolean): string[] {
  const { broken, expect } = rules()
  expect(turns[0]?.role === 'user', 'the first message is from the user')
  expect(turns.at(-1)?.role === 'user', 'the last message is from the user')
  const seen = new Set<string>()
  for (const [n, { role, calls, results, firstAreResults }] of turns.entries()) {
    const before = turns[n - 1]
    if (alternates) expect(before?.role !== role, 'roles alternate')
    for (const id of calls) {
      expect(idPattern.test(id), `the call ID ${id} matches ${idPattern}`)
      expect(!seen.has(id), `the call ID ${id} is used once`)
      seen.add(id)
    }
    expect(
      String([...(before?.calls ?? [])].sort()) === String([...results].sort()),
      `message ${n} has one result for each call of the message before: ${before?.calls} and ${results}`
    )
    if (results.length > 0) expect(firstAreResults !== false, 'results come before texts')
  }
  return broken
}

/** Anthropic, Messages API: "Messages", "Tool use", "Extended thinking", "Prompt caching". */
function anthropic({ system, messages, tools, max_tokens }: Json): string[] {
  const { broken, expect } = rules()
  const blocks = [...list(system), ...messages.flatMap(({ content }: Json) => list(content))]
  expect(max_tokens > 0, 'max_tokens is set')
  expect(
    list(tools).every(({ name }) => nameOfTool.test(name)),
    'tool names match'
  )
  for (const { type, text, signature, data, cache_control } of blocks) {
    if (type === 'text') expect(!isBlank(text), 'texts are not blank')
    if (type === 'thinking') expect(!isBlank(signature), 'thinking has a signature')
    if (type === 'redacted_thinking') expect(!isBlank(data), 'redacted thinking has data')
    if (/thinking/.test(type)) expect(cache_control === undefined, 'thinking has no cache mark')
  }
  expect(blocks.filter(block => block.cache_control).length <= 4, 'there are at most 4 cache marks')
  for (const { role, content } of messages) {
    expect(list(content).length > 0, 'messages have content')
    const thinks = list(content).map(({ type }) => /thinking/.test(type))
    if (role === 'assistant' && thinks.includes(true)) expect(thinks[0]!, 'thinking comes first')
  }
  const turns = messages.map(
    ({ role, content }: Json): Turn => ({
      role,
      calls: list(content).flatMap(({ type, id }) => (type === 'tool_use' ? [id] : [])),
      results: list(content).flatMap(({ type, tool_use_id }) =>
        type === 'tool_result' ? [tool_use_id] : []
      ),
      firstAreResults:
        list(content).findLastIndex(({ type }) => type === 'tool_result') <
        list(content).filter(({ type }) => type === 'tool_result').length
    })
  )
  if (turns.some(({ calls }: Turn) => calls.length > 0)) expect(list(tools).length > 0, 'tools are defined')
  return [...broken, ...checkTurns(turns, /^[a-zA-Z0-9_-]+$/, true)]
}

/** Bedrock, Converse: "Message", "ContentBlock", "ToolUseBlock", "ReasoningContentBlock", "CachePointBlock". */
function bedrock({ system, messages, toolConfig }: Json): string[] {
  const { broken, expect } = rules()
  const blocks = [...list(system), ...messages.flatMap(({ content }: Json) => list(content))]
  expect(
    list(toolConfig?.tools).every(({ toolSpec }) => !toolSpec || nameOfTool.test(toolSpec.name)),
    'tool names match'
  )
  for (const block of blocks) {
    if ('text' in block) expect(!isBlank(block.text), 'texts are not blank')
    if ('toolUse' in block) expect(nameOfTool.test(block.toolUse.name), 'names of calls match')
    if ('toolUse' in block) expect(typeof block.toolUse.input === 'object', 'arguments are objects')
    const { reasoningText, redactedContent } = block.reasoningContent ?? {}
    if ('reasoningContent' in block)
      expect(!isBlank(reasoningText?.signature) || !isBlank(redactedContent), 'reasoning has a signature')
  }
  expect(blocks.filter(block => 'cachePoint' in block).length <= 4, 'there are at most 4 cache points')
  for (const { role, content } of messages) {
    expect(list(content).length > 0, 'messages have content')
    expect(!('cachePoint' in (content[0] ?? {})), 'a cache point follows content')
    const thinks = list(content).map(block => 'reasoningContent' in block)
    if (role === 'assistant' && thinks.includes(true)) expect(thinks[0]!, 'reasoning comes first')
  }
  const turns = messages.map(
    ({ role, content }: Json): Turn => ({
      role,
      calls: list(content).flatMap(({ toolUse }) => toolUse?.toolUseId ?? []),
      results: list(content).flatMap(({ toolResult }) => toolResult?.toolUseId ?? [])
    })
  )
  if (turns.some(({ calls }: Turn) => calls.length > 0))
    expect(list(toolConfig?.tools).length > 0, 'tools are defined')
  return [...broken, ...checkTurns(turns, /^[a-zA-Z0-9_-]{1,64}$/, true)]
}

/** Gemini API: "Content", "Function calling", "Thought signatures". */
function google({ contents, systemInstruction, tools }: Json): string[] {
  const { broken, expect } = rules()
  for (const { text } of list(systemInstruction?.parts)) expect(!isBlank(text), 'instructions are not blank')
  for (const { role, parts } of contents) {
    expect(['user', 'model'].includes(role), 'the role is user or model')
    expect(list(parts).length > 0, 'contents have parts')
    for (const part of list(parts))
      expect(part.text !== '' || part.thoughtSignature !== undefined, 'a part has content or a signature')
  }
  // The current turn starts at the last text of the user.
  const start = contents.findLastIndex(
    ({ role, parts }: Json) => role === 'user' && list(parts).some(({ text }) => text !== undefined)
  )
  for (const { role, parts } of contents.slice(start + 1)) {
    const calls = list(parts).filter(({ functionCall }) => functionCall)
    if (role === 'model' && calls.length > 0)
      expect(!isBlank(calls[0].thoughtSignature), 'the first call of a step has a signature')
  }
  const turns = contents.map(
    ({ role, parts }: Json): Turn => ({
      role,
      calls: list(parts).flatMap(({ functionCall }) => functionCall?.id ?? (functionCall ? '' : [])),
      results: list(parts).flatMap(({ functionResponse }) =>
        functionResponse ? (functionResponse.id ?? '') : []
      )
    })
  )
  if (turns.some(({ calls }: Turn) => calls.length > 0)) expect(list(tools).length > 0, 'tools are defined')
  return [...broken, ...checkTurns(turns, /^[a-zA-Z0-9_-]+$/, false)]
}

/** OpenAI, Responses API: "Create a model response" (`input`), "Reasoning" (encrypted items). */
function openaiResponses({ store, include, input }: Json): string[] {
  const { broken, expect } = rules()
  expect(store === false, 'nothing is stored')
  expect(list(include).includes('reasoning.encrypted_content'), 'encrypted reasoning is requested')
  const calls = new Set<string>()
  const results = new Set<string>()
  for (const [n, item] of input.entries()) {
    const type = item.type ?? 'message'
    expect(type !== 'item_reference', 'no item refers to stored content')
    if (type === 'message') {
      const texts =
        typeof item.content === 'string' ? [item.content] : item.content.map(({ text }: Json) => text)
      for (const text of texts) expect(!isBlank(text), 'texts are not blank')
      expect(results.size === calls.size || item.role === 'assistant', 'results come before the next message')
    }
    if (type === 'reasoning') {
      const next = input[n + 1]
      expect(!isBlank(item.encrypted_content), 'reasoning is encrypted')
      expect(/^rs_/.test(item.id), 'the ID of reasoning starts with rs_')
      expect(next?.role === 'assistant' || /_call$|^reasoning$/.test(next?.type), 'an item follows reasoning')
    }
    if (type === 'function_call') {
      expect(item.id === undefined || /^fc_/.test(item.id), 'the ID of a call starts with fc_')
      expect(/^.{1,64}$/.test(item.call_id) && !calls.has(item.call_id), 'call IDs are short and used once')
      calls.add(item.call_id)
    }
    if (type === 'function_call_output') {
      expect(calls.has(item.call_id) && !results.has(item.call_id), 'each call has one result after it')
      results.add(item.call_id)
    }
  }
  expect(results.size === calls.size, 'each call has a result')
  return broken
}

/** OpenAI, "Create chat completion" (`messages`), and Mistral and Cohere, whose messages are alike. */
function chat({ messages }: Json, idPattern: RegExp): { broken: string[]; turns: Turn[] } {
  const { broken, expect } = rules()
  const turns: Turn[] = []
  for (const message of messages) {
    const { role, content, tool_calls, tool_call_id } = message
    const texts = list(content).map(part => part.text ?? part.thinking?.[0]?.text)
    if (role === 'system') {
      expect(turns.length === 0, 'system messages come first')
      continue
    }
    if (role === 'assistant')
      expect(list(tool_calls).length > 0 || !isBlank(texts[0] ?? content), 'answers have content')
    else expect(!isBlank(texts[0] ?? content), 'texts are not blank')
    for (const call of list(tool_calls)) {
      expect(typeof JSON.parse(call.function.arguments) === 'object', 'arguments are JSON')
      expect(call.extra_content === undefined, 'calls have no signatures of Gemini')
    }
    const calls = list(tool_calls).map(({ id }) => id)
    const last = turns.at(-1)
    // Each result is a message of its own.
    if (role === 'tool' && last?.role === 'tool') last.results.push(tool_call_id)
    else turns.push({ role, calls, results: role === 'tool' ? [tool_call_id] : [] })
  }
  const asUser = turns.map(turn => ({ ...turn, role: turn.role === 'tool' ? 'user' : turn.role }))
  return { broken: [...broken, ...checkTurns(asUser, idPattern, false)], turns }
}

function mistral(body: Json): string[] {
  const { broken, turns } = chat(body, /^[a-zA-Z0-9]{9}$/)
  const { expect, broken: more } = rules()
  for (const [n, { role }] of turns.entries())
    expect(role !== 'user' || turns[n - 1]?.role !== 'tool', 'no user message follows a result')
  return [...broken, ...more]
}

const rulesOf: Record<string, (body: Json) => string[]> = {
  anthropic,
  bedrock,
  google,
  mistral,
  'openai-responses': openaiResponses,
  'openai-chat': body => chat(body, /^.{1,40}$/).broken,
  cohere: body => chat(body, /^.+$/).broken
}
