import { httpRequestTool } from '@waystation/protocol/call/tool-names.ts'
import { SendOob } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { expect, test } from 'vitest'
import { connectFirst } from '#lib/agents/catalogue/connect-first.ts'
import { editConfig } from '#lib/agents/catalogue/edit-config.ts'
import { requestConnection } from '#lib/agents/catalogue/request-connection.ts'
import { toolsWith } from '#lib/compose/tools.ts'
import { guidanceFor } from '#lib/engine/turn/prompt.ts'
import { extraStepNote } from '#lib/engine/worker/begin-step/step-notes.ts'
import { resourceTools } from '#lib/features/connections/mcp/resource-tools.ts'
import { handOffSession } from '#lib/features/delegation/hand-off-session.ts'
import { sendOutOfBand } from '#lib/features/out-of-band/send-out-of-band.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { ModelRequest } from '#tests/support/fakes/model-request.ts'
import { type Reply, replyCalls, replyText, replyThenHold } from '#tests/support/fakes/openai-replies.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

type Message = ModelRequest['body']['messages'][number]
type Definition = { name: string; description: string; parameters: { properties?: Record<string, object> } }

const names = [...toolsWith().keys()]
/** IDs differ in each run. */
const withStableIds = (text: string) => text.replace(/\b(oob|call)_[a-z0-9]{20}\b/g, '$1_1')

const contentOf = ({ content }: Message): string =>
  typeof content === 'string'
    ? content
    : (content as { text?: string }[]).map(({ text = '[file]' }) => text).join('\n')

/** Returns a session whose model follows a script, and functions that read what the model received. */
async function conversation(script: Reply[], chat: object = {}) {
  const server = await startTestServer({ script, settings: { WAYSTATION_ZX: '1' } })
  await server.saveAgent({ displayName: 'Guide', chat: { instructions: 'You are the guide.', ...chat } })
  const session = await server.startSession('test')
  const received = (request = -1) => server.model.requests.at(request)?.body.messages ?? []
  const last = (role: string, request?: number) =>
    withStableIds(contentOf(received(request).findLast(message => message.role === role) as Message))
  return { ...server, session, received, last }
}

test('docs/model-text.md shows each text as a model receives it', async () => {
  const page = [
    '# Text for models',
    'This page shows the text that Waystation adds to prompts, as models receive it. Read it when you write instructions for an agent, or when a prompt in the inspector surprises you. A test generates the page from real requests: run `npx vitest run text-for-models -u` after a change.',
    ...(await instructionsSection()),
    ...(await toolsSection()),
    ...(await messagesSection())
  ].join('\n\n')
  await expect(`${page}\n`).toMatchFileSnapshot('../../docs/model-text.md')
}, 300_000)

const block = (text: string) => `\`\`\`text\n${text}\n\`\`\``

async function instructionsSection(): Promise<string[]> {
  const { session, received } = await conversation([replyText('Hello.')])
  await session.runTurn('Hello')
  const [system] = received()
  const added = guidanceFor(false).slice(guidanceFor(true).length).trim()
  return [
    '## Instructions',
    'Every agent with a model receives its own instructions, followed by this text:',
    block(contentOf(system as Message)),
    'A model that accepts no user message after tool results (`userAfterTools: false`) also receives:',
    block(added),
    'An agent with `list_sessions`, `get_session_state` or `send_out_of_band` also receives the ID and title of its session, after its own instructions:',
    block(await sessionNoteText()),
    '## Skills of the build kit',
    `### ${connectFirst.name}`,
    block(textIn(connectFirst)),
    `### ${editConfig.name}`,
    block(textIn(editConfig))
  ]
}

/** Returns the text that names the session, with an ID that is the same in each run. */
async function sessionNoteText(): Promise<string> {
  const { session, received } = await conversation([replyText('Hello.')], {
    tools: [{ name: 'list_sessions' }]
  })
  await session.runTurn('Deploy the shop')
  const [, note = ''] = contentOf(received()[0] as Message).split('\n\n')
  return note.replace(session.id, 'shop-42')
}

const textIn = ({ data }: typeof connectFirst) => (data.parameters as { text: string }).text

async function toolsSection(): Promise<string[]> {
  const { session, model } = await conversation([replyText('Hello.')], {
    tools: names.map(name =>
      name === httpRequestTool ? { name, services: [{ integration: 'github' }] } : { name }
    ),
    handoffs: ['billing']
  })
  await session.runTurn('Hello')
  const { body } = await model.request(0)
  const builtInTools = (body.tools as { function: Definition }[]).map(tool => tool.function)
  const connectionTool = (
    requestConnection.data.parameters as unknown as { tool: Definition & { inputSchema: object } }
  ).tool
  const mcp = resourceTools({ resources: true, prompts: true }).map(({ name, description, inputSchema }) => ({
    name: `<server>__${name}`,
    description,
    parameters: inputSchema as Definition['parameters']
  }))
  return [
    '## Tools',
    ...builtInTools.flatMap(toolLines),
    '## Tools of the build kit and of MCP servers',
    ...[{ ...connectionTool, parameters: connectionTool.inputSchema }, ...mcp].flatMap(toolLines),
    ...(await textToolsSection())
  ]
}

async function textToolsSection(): Promise<string[]> {
  const { session, received } = await conversation([replyText('Hello.')], {
    toolCalling: 'text',
    tools: [{ name: 'list-alarms' }]
  })
  await session.runTurn('Hello')
  const [system] = received()
  const instructions = contentOf(system as Message)
  const added = instructions.slice(instructions.indexOf('You have tools.'))
  return [
    '## Tools for models without tool calling',
    "With `toolCalling: 'text'`, the tools are part of the instructions. For example:",
    block(added)
  ]
}

function toolLines({ name, description, parameters }: Definition): string[] {
  const argumentRows = Object.entries(parameters.properties ?? {}).flatMap(([field, schema]) => {
    const text = (schema as { description?: string }).description
    return text === undefined ? [] : [`| \`${field}\` | ${text.replaceAll('|', '\\|')} |`]
  })
  return [
    `### ${name}`,
    description,
    ...(argumentRows.length === 0
      ? []
      : [['| argument | description |', '|---|---|', ...argumentRows].join('\n')])
  ]
}

async function messagesSection(): Promise<string[]> {
  return [
    '## Messages and results',
    'These texts appear in the conversation.',
    ...(await pendingSection()),
    ...(await approvals()),
    ...(await outOfBand()),
    ...(await notes()),
    ...(await summaries())
  ]
}

async function pendingSection(): Promise<string[]> {
  const askCall = replyCalls({ name: 'ask-question', input: { question: 'Tea?' }, id: 'call_tea' })
  const { session, last } = await conversation(
    [askCall, replyText('I will wait.'), replyText('Tea it is.')],
    {
      tools: [{ name: 'ask-question' }]
    }
  )
  await session.runTurn('Offer me tea.')
  const call = await session.waitForCall('ask-question')
  await session.runTurn('And the weather?')
  const pending = last('tool')
  await session.answer(call, { output: { answer: 'yes' } })
  await session.waitForText('Tea it is.')
  return [
    '### A pending call, and its answer',
    'The result of a call that is still pending:',
    block(pending),
    'The answer, once it arrives:',
    block(last('user'))
  ]
}

async function approvals(): Promise<string[]> {
  const listing = replyCalls({ name: 'list-alarms', input: {} })
  const { session, last } = await conversation([listing, replyText('I see.'), listing, replyText('Good.')], {
    tools: [{ name: 'list-alarms', approval: 'ask' }]
  })
  const decide = async (text: string, answer: Parameters<typeof session.answer>[1]) => {
    await session.runTurn(text)
    await session.answer(await session.waitForCall('list-alarms'), answer)
    await session.waitForEnd()
    return last('tool')
  }
  const denied = await decide('Look.', { approved: false })
  const reason = await decide('Look again.', { approved: false, reason: 'Not today.' })
  return ['### A denied call', 'Without a reason, and with one:', block(denied), block(reason)]
}

async function outOfBand(): Promise<string[]> {
  const { ctx, session, received } = await conversation([replyText('Hello.'), replyText('I see.')])
  await session.runTurn('Hello')
  await sendNews(ctx, session.id)
  await session.runTurn('Continue.')
  const [message] = received()
    .map(contentOf)
    .filter(text => text.startsWith('<out_of_band'))
  return ['### An out-of-band message', block(withStableIds(message ?? ''))]
}

const sendNews = (ctx: Ctx, sessionId: string) =>
  sendOutOfBand(
    ctx,
    SendOob.parse({
      sessionId,
      content: 'Build 8 failed.',
      source: 'system',
      sourceId: 'ci',
      priority: 'normal'
    })
  )

async function notes(): Promise<string[]> {
  const script = [replyThenHold('One'), replyText('Yes.'), replyText('Billing here.')]
  const { ctx, saveAgent, session, model, received } = await conversation(script)
  await saveAgent({ agentId: 'billing', displayName: 'Billing', chat: { instructions: 'You are billing.' } })
  await session.send('Count.')
  await session.waitForText('One')
  const ended = session.waitForEnd()
  await session.cancel()
  await ended
  model.release()
  await session.runTurn('Hello')
  await handOffSession(ctx, { sessionId: session.id, agentId: 'billing', reason: 'An invoice.' })
  await session.runTurn('My invoice?')
  const noteTexts = received()
    .map(contentOf)
    .filter(text => text.startsWith('<note>'))
  const { payload } = extraStepNote('turn_1')
  return [
    '### Notes',
    'After a stop, after a handoff by a person, and when a plugin requests one more step:',
    ...[...noteTexts, `<note>${payload.text}</note>`].map(block)
  ]
}

async function summaries(): Promise<string[]> {
  const server = await startTestServer({
    script: ({ body }) =>
      replyText(JSON.stringify(body).includes('<conversation>') ? 'They said x.' : 'Noted.')
  })
  const limits = { stepsPerTurn: 25, usdPerTurn: 1, contextTokens: 2000 }
  await server.saveAgent({ chat: { instructions: 'You are the guide.', limits, compaction: 'model' } })
  const session = await server.startSession('test')
  const summary = () =>
    server.model.requests.find(({ body }) => JSON.stringify(body).includes('<conversation>'))
  for (let n = 0; n < 20 && summary() === undefined; n++) await session.runTurn('x'.repeat(1000))
  const [system, user] = summary()?.body.messages ?? []
  const [after] = (server.model.requests.at(-1)?.body.messages ?? []).filter(message =>
    contentOf(message).startsWith('<earlier_conversation>')
  )
  return [
    '### A summary of what leaves the prompt',
    'The instructions for the summary, its request, and the summary in later prompts:',
    block(contentOf(system as Message)),
    block(
      contentOf(user as Message)
        .replace(/x{1000}/g, 'xxx')
        .split('\n')
        .slice(0, 4)
        .join('\n')
    ),
    block(contentOf(after as Message))
  ]
}
