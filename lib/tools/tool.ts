import type { z } from 'zod'
import type { Outbound } from '#lib/kernel/ctx.ts'
import type { McpAnswers, McpTalk } from '#lib/kernel/ports/mcp-talk.ts'
import type { Scripts } from '#lib/kernel/ports/scripts.ts'
import type { TocNode, WikiTasks } from '#lib/kernel/ports/wiki-engine.ts'
import type { HandedOff } from '#lib/protocol/agent/hand-off.ts'
import type { CommitRevision, CommittedRevision, OwnConfig } from '#lib/protocol/agent/own-config.ts'
import type { CallWhere, OnDeadline, RenderHint } from '#lib/protocol/call/call.ts'
import type { Elicited } from '#lib/protocol/call/elicitation.ts'
import type { Discovery } from '#lib/protocol/connection/integration.ts'
import type { OobReceipt, SendOob } from '#lib/protocol/out-of-band/out-of-band.ts'
import type { AlarmSet, Alarms, SetAlarm } from '#lib/protocol/session/alarm.ts'
import type { ListTiddlers, TiddlerPage } from '#lib/protocol/wiki/wiki.ts'
import type {
  WikiBacklinks,
  WikiFound,
  WikiGetErrors,
  WikiSearch,
  WikiToc
} from '#lib/protocol/wiki/wiki-tools.ts'

/** What an agent tells the agent of another session. */
export type Telling = Pick<SendOob, 'sessionId' | 'content' | 'priority' | 'ttlSeconds'> & {
  relatedTo?: string | undefined
}

/** The wikis of the workspace that the agent may read. Each throws why it cannot answer: an unknown wiki's error names those there are. */
export type WikiReader = {
  search: (asked: WikiSearch) => Promise<WikiFound>
  list: (
    wiki: string | undefined,
    asked: Omit<ListTiddlers, 'wiki' | 'search'>
  ) => Promise<TiddlerPage & { wiki: string }>
  backlinks: (
    asked: WikiBacklinks
  ) => Promise<{ wiki: string; title: string; total: number; backlinks: string[]; unread?: string[] }>
  toc: (asked: WikiToc) => Promise<{ wiki: string; contents: TocNode[]; hint?: string }>
  errors: (asked: WikiGetErrors) => Promise<{ wiki: string } & WikiTasks['errors']['answer']>
}

/** What a running server tool is given. */
export type ToolContext = {
  /** Aborted by the tool's timeout, by Stop, and when another worker took the session over. */
  signal: AbortSignal
  /** Goes out as `Idempotency-Key` with requests that change something. */
  callId: string
  /** Confirms an out-of-band message of this session; throws when none by this ID was told. */
  acknowledge: (id: string, effect: string) => Promise<void>
  /** Tells another session of the workspace something, once for this call; throws why not. */
  tell: (message: Telling) => Promise<OobReceipt>
  /** The only way out: see `net/safe-fetch.ts`. */
  fetch: Outbound
  /**
   * The same with the session's account at a service, under the name of its connection (`features/connections/fetch-as.ts`). Where
   * there is none, or it is not accepted any more, the call waits for one: the tool is run again from its beginning.
   */
  fetchAs: (slug: string, integration?: string) => Outbound
  /** Works with the session's own copy of an MCP server that is a program of this machine; throws why that cannot be. */
  program: <T>(
    name: string,
    signal: AbortSignal,
    work: (talk: McpTalk) => Promise<T>,
    answers: McpAnswers
  ) => Promise<T>
  /** What people answered to its server's questions when it ran before. */
  elicited: readonly Elicited[]
  /** The agent's own configuration: as it is published, and a proposal for the next one, which throws why it cannot be. */
  ownConfig: {
    read: () => Promise<OwnConfig>
    commit: (proposal: CommitRevision) => Promise<CommittedRevision>
  }
  /** Hands the session to another agent, once for each step; throws why not. */
  handOff: (agentId: string, reason?: string) => Promise<HandedOff>
  /** The alarms of this session: sets one, once for this call; throws why not. */
  alarms: {
    set: (asked: SetAlarm) => Promise<AlarmSet>
    list: () => Promise<Alarms>
    cancel: (alarmId: string) => Promise<{ alarmId: string }>
  }
  wikis: WikiReader
  /** Runs a script in a sandbox; throws why none can be run. */
  runScript: Scripts['run']
  /** Which accounts this session has, and which it could ask for. */
  discover: () => Promise<Discovery>
}

/**
 * A tool, whole: a new one is a new file and a line in the registry. `where` says who fulfils it, unchanged from here
 * to the widget (002-6). Only a `server` tool has `execute`; what it throws is told to the model as the tool's error.
 */
export type Tool<Input = never, Output = unknown> = {
  name: string
  description: string
  input: z.ZodType<Input>
  /** What an answer must look like; what it does not name is dropped (docs/concepts/engine.md#settle). */
  output?: z.ZodType<Output>
  /** The answer's schema when it depends on the arguments (a question's options). */
  outputFor?: (input: Input) => z.ZodType
  where: CallWhere
  execute?: (input: Input, ctx: ToolContext) => Promise<Output>
  render?: RenderHint
  title?: (input: Input) => string
  /** Seconds a server tool may run; as the settings say by default (`protocol/call/tool-settings.ts`). */
  timeout?: number
  /** Seconds an open call may wait, and what it comes to then; by kind when absent (`engine/calls/defaults.ts`). */
  deadline?: number
  onDeadline?: OnDeadline
  /** True: running it twice is harmless, so a claim that a dead worker left is run again. */
  repeatable?: boolean
  /** True: it reads wikis, those that its agent's `wikis` beside it names, or all. */
  readsWikis?: true
  /** Whether a person approves each call, unless the agent's config says otherwise. */
  approval?: 'ask' | 'auto'
  /** A person approves each call on what it says: nothing that anybody sets or has said before changes that. */
  alwaysAsked?: true
}
