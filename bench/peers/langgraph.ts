import { EventSourceParserStream } from 'eventsource-parser/stream'
import type { Outcome, Peer } from './peer.ts'
import { startScript } from './process.ts'

/**
 * LangGraph's development server for JavaScript, because its production server needs Docker and a licence.
 *
 * `langgraphjs dev` runs the server as a grandchild, below a file watcher. This starts the same entry point directly,
 * so that its process is the server and nothing is watched.
 */
export const langgraph: Peer = {
  name: 'LangGraph (development server)',
  stores: 'in memory; all of it to JSON files 3 s after the last change, without fsync',
  packages: {
    '@langchain/langgraph-api': '1.5.1',
    '@langchain/core': '1.4.0',
    '@langchain/langgraph': '1.7.3',
    '@langchain/langgraph-checkpoint': '1.2.2',
    '@langchain/langgraph-sdk': '1.15.0',
    '@langchain/openai': '1.6.0',
    langchain: '1.5.14',
    typescript: '5.9.3',
    zod: '4.3.6'
  },
  data: ['.langgraph_api'],
  files: () => ({ 'agent.js': agent }),
  async start({ folder, modelUrl, port }) {
    const url = `http://127.0.0.1:${port}`
    const options = { host: '127.0.0.1', port, nWorkers, cwd: folder, graphs: { agent: './agent.js:agent' } }
    const server = await startScript(
      ['--import', `./${dist}/preload.mjs`, `${dist}/cli/entrypoint.mjs`, noParent, JSON.stringify(options)],
      `${url}/ok`,
      // The server would log every request and every run.
      { folder, env: { MODEL_URL: modelUrl, LANGSMITH_TRACING: 'false', LOG_LEVEL: 'error' } }
    )
    const run = async (sessionId: string, what: object) =>
      outcomeOf(
        await post(`${url}/threads/${sessionId}/runs/stream`, {
          assistant_id: 'agent',
          stream_mode: 'values',
          // A run stays active for a moment after its last values. By default, the next one would be rejected.
          multitask_strategy: 'enqueue',
          ...what
        })
      )
    return {
      ...server,
      async createSession() {
        const thread = (await (await post(`${url}/threads`, {})).json()) as { thread_id: string }
        return thread.thread_id
      },
      send: (sessionId, text) => run(sessionId, { input: { messages: [{ role: 'user', content: text }] } }),
      async approve(sessionId) {
        const outcome = await run(sessionId, { command: { resume: { approved: true } } })
        if (outcome !== 'done') throw new Error(`The approved run is ${outcome}`)
      }
    }
  }
}

const dist = 'node_modules/@langchain/langgraph-api/dist'

/**
 * How many runs may be active: the default of `--n-jobs-per-worker`. With 200 runs at once the server's thread is busy
 * all the time with 10, 50 and 200, and a run costs the same CPU time. More workers only poll more often.
 */
const nWorkers = 10

/** The entry point tells the process of this id when it is ready. No process has the id 0. */
const noParent = '0'

/** `interrupt` in the tool takes one graph node less per model call than the human-in-the-loop middleware. */
const agent = `import { interrupt } from '@langchain/langgraph'
import { ChatOpenAI } from '@langchain/openai'
import { createAgent, tool } from 'langchain'
import { z } from 'zod'

const deploy = tool(
  ({ target }) => {
    const { approved } = interrupt({ tool: 'deploy', target })
    return approved ? 'deployed' : 'rejected'
  },
  { name: 'deploy', description: 'Deploys to a target.', schema: z.object({ target: z.string() }) }
)

export const agent = createAgent({
  model: new ChatOpenAI({
    model: 'instant',
    apiKey: 'none',
    configuration: { baseURL: process.env.MODEL_URL }
  }),
  tools: [deploy]
})
`

async function post(url: string, body: object): Promise<Response> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body)
  })
  if (!response.ok) throw new Error(`${url} responded ${response.status}: ${await response.text()}`)
  return response
}

type Values = { __interrupt__?: unknown[]; messages?: { type: string; tool_calls?: unknown[] }[] }

/**
 * Reads a stream up to the values that end the run: an interrupt, or an answer without tool calls. The stream itself
 * and `runs/wait` end 500 ms later, because the server notices the end of a run only when nothing came for so long.
 */
async function outcomeOf(response: Response): Promise<Outcome> {
  const events = (response.body ?? new ReadableStream())
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
  for await (const { event, data } of events) {
    if (event === 'error') throw new Error(`The run failed: ${data}`)
    if (event !== 'values') continue
    const { __interrupt__: interrupts, messages } = JSON.parse(data) as Values
    if (interrupts !== undefined) return 'parked'
    const newest = messages?.at(-1)
    if (newest?.type === 'ai' && (newest.tool_calls ?? []).length === 0) return 'done'
  }
  throw new Error('The stream of the run ended without an outcome')
}
