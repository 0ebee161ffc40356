import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import { exampleOf, type Schema } from './example-of.ts'
import { describeTools } from './introduce.ts'
import type { Part } from './part.ts'
import { calls, type Line } from './read-script.ts'

/**
 * Returns the reply for one step of a script, in the order of its lines. If any command of the script is wrong, the
 * reply explains the errors and calls no tools. If the agent lacks a tool, the reply names the tool and makes the other
 * calls.
 *
 * @param at index of the step in the script
 */
export function takeStep(
  script: readonly Line[][],
  at: number,
  tools: readonly LanguageModelV4FunctionTool[]
): Part[] {
  const wrong = script.flat().flatMap(line => (line.do === 'wrong' ? [line.why] : []))
  if (wrong.length) {
    const undone = script.flat().some(calls) ? ['I called no tools.'] : []
    return [{ kind: 'text', text: [...wrong, ...undone].join(' ') }]
  }
  const step = script[at]!
  const parts = step.map(line => takeLine(line, tools))
  const isStuck = step.some(calls) && !parts.some(part => part.kind === 'call')
  if (isStuck && at + 1 < script.length)
    parts.push({ kind: 'text', text: 'I stop here, so the rest is not done.' })
  return parts
}

function takeLine(line: Line, tools: readonly LanguageModelV4FunctionTool[]): Part {
  const found = 'tool' in line ? tools.find(({ name }) => name === line.tool) : undefined
  switch (line.do) {
    case 'use':
      if (found)
        return {
          kind: 'call',
          tool: line.tool,
          input: line.input ?? (exampleOf(found.inputSchema as Schema) as object)
        }
      return { kind: 'text', text: `I have no tool \`${line.tool}\`. ${describeTools(tools)}` }
    case 'ask':
      if (found) return { kind: 'call', tool: line.tool, input: line.input }
      return {
        kind: 'text',
        text: `To ${line.wants}, I need the tool \`${line.tool}\`. ${describeTools(tools)}`
      }
    case 'say':
      return { kind: 'text', text: line.text }
    case 'count':
      return { kind: 'count', to: line.to }
    case 'fail':
      return { kind: 'fail', status: line.status, retryAfter: line.retryAfter }
    case 'cut':
      return { kind: 'cut' }
    case 'wrong':
      return { kind: 'text', text: line.why }
    case 'unknown':
      return {
        kind: 'text',
        text: `I do not understand “${line.text.slice(0, 100).toWellFormed()}”, so I skip it.`
      }
  }
}
