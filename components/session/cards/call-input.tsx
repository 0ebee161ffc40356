import type { Call } from '@waystation/protocol/call/call.ts'
import { scriptOf } from '@waystation/protocol/call/script.ts'
import { ScriptText } from '#components/session/content/script-text.tsx'
import { Json } from '#components/ui/json.tsx'

type CallInputProps = {
  call: Pick<Call, 'toolName'>
  input: unknown
  edition?: 'as edited' | 'as written by the agent'
}

/** Shows the arguments of a call: a script as its text, anything else as JSON. */
export function CallInput({ call, input, edition }: CallInputProps) {
  const script = scriptOf(call.toolName, input)
  const label = `${script === undefined ? 'Arguments' : 'Script'}${edition === undefined ? '' : `, ${edition}`}`
  if (script === undefined) return <Json label={label} value={input} />
  return <ScriptText label={label} script={script.script} />
}
