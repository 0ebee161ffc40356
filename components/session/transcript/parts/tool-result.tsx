import { SpawnResult } from '@waystation/protocol/agent/spawn-result.ts'
import type { Call } from '@waystation/protocol/call/call.ts'
import { ScriptResult } from '@waystation/protocol/call/script.ts'
import { scriptTool, wikiSearchTool, wikiWriteTools } from '@waystation/protocol/call/tool-names.ts'
import { isJsonObject } from '@waystation/protocol/json-object.ts'
import { WikiSearchResult } from '@waystation/protocol/wiki/wiki-search-result.ts'
import { wikitextType } from '@waystation/protocol/wiki/wikitext-type.ts'
import { Prose } from '#components/session/content/markdown.tsx'
import { Wikitext } from '#components/session/content/wikitext.tsx'
import { useSessionContext } from '#components/session/store/session-context.ts'
import { Json } from '#components/ui/json.tsx'
import { Link } from '#components/ui/link.tsx'
import { Value } from './value.tsx'

/** The result of a call. The last text of a sub-agent is rendered like a reply of an agent. */
export function ToolResult({ call: { toolName, toolCallId, kind, output } }: { call: Call }) {
  const { sessionHref, CallChanges, me } = useSessionContext()
  const ran = toolName === scriptTool ? ScriptResult.safeParse(output).data : undefined
  if (ran !== undefined) return <ScriptEnd ran={ran} />
  const spawned = kind === 'agent' ? SpawnResult.safeParse(output).data : undefined
  const wiki = wikiWriteTools.includes(toolName) && isJsonObject(output) ? output.wiki : undefined
  if (typeof wiki === 'string' && CallChanges && me.may?.edit)
    return (
      <>
        <CallChanges wiki={wiki} toolCallId={toolCallId} />
        <Value label="Result" value={output} />
      </>
    )
  if (spawned === undefined)
    return (
      <>
        {toolName === wikiSearchTool ? <FoundTiddlers output={output} /> : null}
        <Value label="Result" value={output} />
      </>
    )
  return (
    <>
      {typeof spawned.result === 'string' ? (
        <Prose text={spawned.result} />
      ) : (
        <Value label="Result" value={spawned.result} />
      )}
      {sessionHref === undefined ? null : (
        <p>
          <Link data-hook="open-sub-agent" href={sessionHref(spawned.sessionId)}>
            Open sub-agent session
          </Link>
        </p>
      )}
    </>
  )
}

/** Shows how a script ended and what it printed. */
function ScriptEnd({ ran: { exitCode, stdout, stderr, note, seconds } }: { ran: ScriptResult }) {
  return (
    <>
      <p
        data-hook="script-end"
        data-exit-code={exitCode}
        className={exitCode === 0 ? 'text-muted' : 'text-fail'}
      >
        {note ?? `Exited with code ${exitCode} after ${seconds} s.`}
      </p>
      {stdout === '' ? null : (
        <div data-hook="script-output">
          <Json label="Output" value={stdout} />
        </div>
      )}
      {stderr === '' ? null : <Json label="Error output" value={stderr} />}
    </>
  )
}

/**
 * Renders the tiddlers that a wiki tool returned to the agent. Tiddlers that are not wikitext are left out,
 * because the raw result contains them.
 */
function FoundTiddlers({ output }: { output: unknown }) {
  const { wiki, tiddlers = [] } = WikiSearchResult.safeParse(output).data ?? {}
  return tiddlers
    .filter(({ text, type = wikitextType }) => text.trim() !== '' && type === wikitextType)
    .map(({ title, text, cut }) => (
      <Wikitext
        key={title}
        text={text}
        wiki={wiki}
        title={title}
        label={cut ? `${title} (excerpt)` : title}
      />
    ))
}
