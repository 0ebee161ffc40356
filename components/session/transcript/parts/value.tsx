import { useSessionContext } from '#components/session/store/session-context.ts'
import { Json } from '#components/ui/json.tsx'

/** Arguments or a result of a call: in the playground by their shape, elsewhere as JSON. */
export function Value(props: { label: string; value: unknown }) {
  const { ShownValue = Json } = useSessionContext()
  return <ShownValue {...props} />
}
