import type { ToolRule, ToolRulesTest } from '@waystation/protocol/call/tool-rules.ts'
import { isJsonObject } from '@waystation/protocol/json-object.ts'
import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { readError } from '#components/browser/error-text.ts'
import { parseJson } from '#components/browser/parse-json.ts'
import { replyTo } from '#components/browser/reply.ts'
import { useAction } from '#components/browser/use-action.ts'
import { Form } from '#components/forms/form.tsx'
import { PickOrType } from '#components/forms/pick-or-type.tsx'
import { Button } from '#components/ui/button.tsx'
import type { Option } from '#components/ui/combobox.tsx'
import { Input } from '#components/ui/input.tsx'
import type { Said } from '#components/ui/outcome.tsx'
import { patternOf } from './rule-patterns.ts'
import type { RuleRow } from './rule-rows.ts'

type RuleTesterProps = {
  rows: readonly RuleRow[]
  rules: ToolRule[]
  tools: readonly Option[]
  /** Called with the index of the rule that decides, or -1. */
  onDecided: (at: number) => void
}

/** Asks the server what the rules decide about a call, and names the rule that decides. */
export function RuleTester({ rows, rules, tools, onDecided }: RuleTesterProps) {
  const [tool, setTool] = useState('')
  const [text, setText] = useState('{}')
  const [said, setSaid] = useState<Said>({ text: '' })
  const show = (at: number, next: Said) => {
    onDecided(at)
    setSaid(next)
  }
  const [test, busy] = useAction(async () => {
    const parsed = parseJson(text)
    if (tool === '') return show(-1, { text: 'Select a tool.', failed: true })
    if (!parsed.ok || !isJsonObject(parsed.value))
      return show(-1, { text: 'Enter the arguments as a JSON object, like {"url": "…"}.', failed: true })
    const body = { toolRules: rules, tool, parameters: parsed.value }
    const reply = await replyTo(client.call('testToolRules', { body }))
    if (!reply.ok) return show(-1, { text: readError(reply), failed: true })
    const at = decidedBy(reply.body, rows, tool)
    show(at, { text: `${at === -1 ? '' : `Rule ${at + 1}: `}${outcomes[reply.body.decision]}` })
  })
  return (
    <Form onSubmit={test} className="flex flex-wrap items-center gap-2">
      <div className="min-w-0 flex-1 basis-40">
        <PickOrType
          aria-label="Tool"
          data-hook="test-tool"
          value={tool}
          onChange={setTool}
          options={tools}
          note="Type the name of a tool."
          placeholder="Tool"
        />
      </div>
      <Input
        name="testParameters"
        aria-label="Arguments (JSON)"
        value={text}
        onChange={event => setText(event.target.value)}
        className="flex-[2] basis-60"
        mono
      />
      <Button type="submit" disabled={busy} data-hook="test-rules">
        Test call
      </Button>
      <p
        role="status"
        data-hook="rule-decided"
        className={`basis-full [overflow-wrap:anywhere] empty:hidden ${said.failed ? 'text-fail' : ''}`}
      >
        {said.text}
      </p>
    </Form>
  )
}

const outcomes: Record<ToolRulesTest['decision'], string> = {
  denied: 'the call is denied.',
  allowed: 'the call runs without approval.',
  auto: 'the call runs without approval.',
  ask: 'the call needs approval.',
  unsure: 'Needs approval. The arguments are too long to check for denied patterns.',
  agent: "No rule decides. The agent's setting applies."
}

/** Returns the index of the rule that made a decision, or -1 if none did. */
function decidedBy({ decision, pattern }: ToolRulesTest, rows: readonly RuleRow[], tool: string): number {
  const matching = (test: (row: RuleRow) => boolean) =>
    rows.findIndex(row => ['', tool].includes(row.tool.trim()) && test(row))
  const byPattern = (wanted: 'deny' | 'allow') =>
    matching(row => row.decision === wanted && patternOf(row.condition, wanted) === pattern)
  const isMode = ({ condition, decision }: RuleRow) => condition.kind === 'any' && decision !== 'deny'
  switch (decision) {
    case 'denied':
      return byPattern('deny')
    case 'allowed':
      return byPattern('allow')
    case 'auto':
    case 'ask': {
      const own = rows.findIndex(row => row.tool.trim() === tool && isMode(row))
      return own === -1 ? matching(isMode) : own
    }
    default:
      return -1
  }
}
