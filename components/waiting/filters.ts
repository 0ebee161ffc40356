import { describe, isCall, type Request } from './request.ts'

/** Selects requests by fields of the URL. Undefined selects all. */
export type Filters = Partial<Record<FilterName, string>>
export const filterNames = ['agent', 'tool', 'who', 'until'] as const
type FilterName = (typeof filterNames)[number]

/** The choices of a filter. Without at least two, the page does not offer the filter. */
export type Choices = { name: FilterName; label: string; choices: { value: string; label: string }[] }

export const labels: Record<FilterName, string> = {
  agent: 'Agent',
  tool: 'Tool',
  who: 'Waiting on',
  until: 'Deadline'
}

const deadlines = [
  { value: 'today', label: 'Today' },
  { value: 'week', label: 'In 7 days' }
]

const fieldOf: Record<Exclude<FilterName, 'until'>, (request: Request) => string> = {
  agent: request => request.agentId,
  tool: request => (isCall(request) ? request.toolName : 'out-of-band'),
  who: request => describe(request, undefined).asked
}

/** Returns the filters that tell these requests apart, and those that are set. */
export function filtersFor(
  requests: readonly Request[],
  set: Filters,
  nameOfAgent: (agentId: string) => string
): Choices[] {
  return filterNames.flatMap(name => {
    if (name === 'until') return requests.length > 1 || set.until ? [choicesOf(name, deadlines)] : []
    const values = [...new Set([...requests.map(fieldOf[name]), ...(set[name] ? [set[name]] : [])])].sort()
    if (values.length < 2) return []
    const label = (value: string) => (name === 'agent' ? nameOfAgent(value) : value)
    return [
      choicesOf(
        name,
        values.map(value => ({ value, label: label(value) }))
      )
    ]
  })
}

const choicesOf = (name: FilterName, choices: Choices['choices']) => ({ name, label: labels[name], choices })

/** Tells whether the filters select a request. `now` is undefined until the page knows the time. */
export function isSelected(request: Request, set: Filters, now: number | undefined): boolean {
  const { until, ...others } = set
  if (
    Object.entries(others).some(([name, value]) => fieldOf[name as keyof typeof fieldOf](request) !== value)
  )
    return false
  if (until === undefined || now === undefined) return true
  const deadline = describe(request, now).until
  const end = until === 'today' ? new Date(now).setHours(24, 0, 0, 0) : now + 7 * 86_400_000
  return deadline !== undefined && Date.parse(deadline) <= end
}
