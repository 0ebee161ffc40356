import type { Call } from '@waystation/protocol/call/call.ts'
import { ScriptResult } from '@waystation/protocol/call/script.ts'
import { scriptTool } from '@waystation/protocol/call/tool-names.ts'
import { Json } from '#components/ui/json.tsx'

/** Shows how a script ended and what it printed. Returns undefined if the call is not a script. */
export function scriptResult({ toolName, output }: Pick<Call, 'toolName' | 'output'>) {
  const ran = toolName === scriptTool ? ScriptResult.safeParse(output).data : undefined
  if (ran === undefined) return undefined
  const { exitCode, stdout, stderr, note, seconds } = ran
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
