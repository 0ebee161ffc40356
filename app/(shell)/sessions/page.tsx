import { NoSession } from '#components/shell/no-session.tsx'

export default function Sessions() {
  return <NoSession />
}
