import type { ToolRule, ToolRulesTest } from '@waystation/protocol/call/tool-rules.ts'
import { isJsonObject } from '@waystation/protocol/json-object.ts'
import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { readError } from '#components/browser/error-text.ts'
import { parseJson } from '#components/browser/parse-json.ts'
import { replyTo } from '#components/browser/reply.ts'
import { useAction } from '#components/browser/use-action.ts'
import { Form } from '#components/forms/form.tsx'
import { Button } from '#components/ui/button.tsx'
import { Field, Labeled } from '#components/ui/field.tsx'
import { Input } from '#components/ui/input.tsx'
import { patternOf } from './rule-patterns.ts'
import type { RuleRow } from './rule-rows.ts'

type RuleTesterProps = { rows: readonly RuleRow[]; rules: ToolRule[] }

/** Asks the server what the rules decide about a call, and names the row that decides. */
export function RuleTester({ rows, rules }: RuleTesterProps) {
  const [tool, setTool] = useState('')
  const [text, setText] = useState('{}')
  const [tried, setTried] = useState(false)
  const [said, setSaid] = useState<{ text: string; failed?: boolean }>({ text: '' })
  const parsed = parseJson(text)
  const parameters = parsed.ok && isJsonObject(parsed.value) ? parsed.value : undefined
  const faults = tried
    ? {
        tool: tool.trim() === '' ? 'Enter a tool.' : undefined,
        parameters: parameters === undefined ? 'Enter a JSON object, like { "url": "…" }.' : undefined
      }
    : {}
  const [test, busy] = useAction(async () => {
    setTried(true)
    if (tool.trim() === '' || parameters === undefined) return
    const call = { tool: tool.trim(), parameters }
    const reply = await replyTo(client.call('testToolRules', { body: { toolRules: rules, ...call } }))
    setSaid(
      reply.ok
        ? { text: decisionText(reply.body, rows, call.tool) }
        : { text: readError(reply), failed: true }
    )
  })
  return (
    <Form onSubmit={test} className="flex flex-col gap-4">
      <div className="grid items-start gap-4 mid:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
        <Labeled label="Tool" fault={faults.tool}>
          {control => (
            <Input
              {...control}
              name="testTool"
              list="tool-names"
              value={tool}
              placeholder="web-fetch"
              onChange={event => setTool(event.target.value)}
              mono
            />
          )}
        </Labeled>
        <Field
          name="testParameters"
          label="Arguments (JSON)"
          value={text}
          onChange={setText}
          fault={faults.parameters}
          rows={3}
          mono
        />
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" disabled={busy} data-hook="test-rules">
          Test call
        </Button>
        <p
          role="status"
          data-hook="rule-decided"
          className={`min-w-0 flex-1 [overflow-wrap:anywhere] ${said.failed ? 'text-fail' : 'font-semibold'}`}
        >
          {said.text}
        </p>
      </div>
    </Form>
  )
}

/** Describes a decision and the row that made it. */
export function decisionText(
  { decision, pattern }: ToolRulesTest,
  rows: readonly RuleRow[],
  tool: string
): string {
  const matching = (test: (row: RuleRow) => boolean) =>
    `Rule ${rows.findIndex(row => (row.tool.trim() === '' || row.tool.trim() === tool) && test(row)) + 1}`
  const byPattern = (wanted: 'deny' | 'allow') =>
    matching(row => row.decision === wanted && patternOf(row.condition, wanted) === pattern)
  const isMode = ({ condition, decision }: RuleRow) => condition.kind === 'any' && decision !== 'deny'
  const byMode = () => {
    const own = rows.findIndex(row => row.tool.trim() === tool && isMode(row))
    return own === -1 ? matching(isMode) : `Rule ${own + 1}`
  }
  switch (decision) {
    case 'denied':
      return `Denied. ${byPattern('deny')} blocks this call.`
    case 'allowed':
      return `Allowed. ${byPattern('allow')} lets this call run without approval.`
    case 'auto':
      return `Allowed. ${byMode()} lets this call run without approval.`
    case 'ask':
      return `Needs approval. ${byMode()} asks for it.`
    case 'unsure':
      return 'Needs approval. The arguments are too long to check for denied patterns.'
    case 'agent':
      return "No rule decides. The agent's setting applies."
  }
}
